import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import { DAY, MINUTE, SECOND } from '../rules/facts.ts'
import { TestApplicant } from '../../testing/bank-clients/test-applicant.ts'
import { aClient, TestClient } from '../../testing/bank-clients/test-client.ts'
import { TestPayer } from '../../testing/bank-clients/test-payer.ts'

const MEMBERS = [
  'LoanInterestRate',
  'InstallmentAmount',
  'LoanDuration',
  'Preference',
  'MainPreference',
  'RPMN',
  'LoanFee',
  'TotalAmount',
]

const HOUSEHOLD = { monthlyIncome: 1050, monthlyExpenses: 410, numberOfChildren: 2 }

const anApplicant = (): TestApplicant => new TestApplicant(createBank())

describe('a token of the loan sandbox', () => {
  test.each(['form', 'header'])('is valid for a day, with credentials in the %s', async (place) => {
    for (const client of [aClient('FAC'), aClient('TPP'), aClient('TPP', 1)]) {
      const applicant = new TestApplicant(createBank(), client)
      const response = await (place === 'form' ? applicant.askToken() : applicant.askTokenByHeader())
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.json()).toEqual({
        access_token: expect.stringMatching(/^[\w-]{43}$/) as string,
        token_type: 'Bearer',
        expires_in: 86_400,
        scope: 'PAY_LATER',
      })
    }
  })

  test.each([
    [{ scope: 'PREMIUM_AIS' }, 400, 'invalid_scope'],
    [{ scope: '' }, 400, 'invalid_scope'],
    [{ grant_type: 'authorization_code' }, 400, 'unsupported_grant_type'],
    [{ grant_type: '' }, 400, 'invalid_request'],
    [{ client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ client_id: 'nobody' }, 401, 'invalid_client'],
  ])('is not given for %j', async (form, http, error) => {
    const response = await anApplicant().askToken(form)
    expect(response.status).toBe(http)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toMatchObject({ error })
  })

  test('is not issued for credentials in the form with wrong ones in the header', async () => {
    const { clientId } = aClient('FAC')
    expect((await anApplicant().askTokenByHeader({ clientId, secret: 'wrong' })).status).toBe(401)
  })

  test('is accepted until the day has passed', async () => {
    const bank = createBank()
    const applicant = new TestApplicant(bank)
    const application = await applicant.submit()
    await bank.clock.advance(DAY - 1)
    expect(await applicant.status(application)).toMatchObject({ http: 200 })
    await bank.clock.advance(1)
    expect(await applicant.status(application)).toMatchObject({ http: 401, errorCode: 'TOKEN_EXPIRED' })
    expect(await new TestApplicant(bank).status(application)).toMatchObject({ http: 200 })
  })

  test('ends by the test hook', async () => {
    const bank = createBank()
    const applicant = new TestApplicant(bank)
    const body = JSON.stringify({ token: await applicant.token() })
    await bank.fetch(new Request('http://bank.test/_test-hooks/tokens/revoke', { method: 'POST', body }))
    expect((await applicant.precalculate({ loanAmount: 250 })).status).toBe(401)
  })

  test('is accepted for loans only, and no other token is', async () => {
    const bank = createBank()
    const applicant = new TestApplicant(bank)
    const others: string[] = ['unknown']
    for (const environment of ['sandbox', 'production'] as const) {
      const customer = new TestClient({ fetch: bank.fetch, environment })
      const { access_token, refresh_token } = await customer.obtainTokens()
      const payer = new TestPayer(bank, environment)
      others.push(access_token, refresh_token, await payer.token())
      expect((await customer.accounts(access_token)).status).toBe(200)
      expect((await customer.accounts(await applicant.token())).status).toBe(401)
      expect((await payer.call('ecomm/sba', payer.order(), await applicant.token())).status).toBe(401)
    }
    for (const token of others) {
      const response = await applicant.call('POST', 'v1/applications', {}, token)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ errorCode: 'TOKEN_UNKNOWN' })
    }
  })
})

describe('every operation of loans', () => {
  test.each([
    ['PUT', 'v1/applications/precalculation'],
    ['POST', 'v1/applications'],
    ['GET', 'v1/applications/x/status'],
    ['DELETE', 'v1/applications/x'],
    ['PUT', 'v1/applications/x/scenario'],
  ])('names the request, and wants a token: %s %s', async (method, path) => {
    const bank = createBank()
    const address = `http://bank.test/paylater/sandbox/${path}`
    const headers = { 'x-request-id': 'request-7' }
    const response = await bank.fetch(new Request(address, { method, headers }))
    expect(response.status).toBe(401)
    expect(response.headers.get('x-request-id')).toBe('request-7')
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
    const answered = await new TestApplicant(bank).call(method, path, method === 'GET' ? undefined : {})
    expect(answered.headers.get('x-request-id')).toBe('request-1')
    expect(answered.status).not.toBe(401)
  })
})

describe('a precalculation', () => {
  test.each([
    { loanAmount: 250 },
    { loanAmount: 1850 },
    { loanAmount: 250, capacityInfo: HOUSEHOLD },
    { loanAmount: 100 },
    { loanAmount: 2000 },
    { loanAmount: 1020, capacityInfo: HOUSEHOLD },
    { loanAmount: 100, capacityInfo: { monthlyIncome: 34, monthlyExpenses: 0, numberOfChildren: 0 } },
  ])('of %j brings offers', async (body) => {
    const response = await anApplicant().precalculate(body)
    expect(response.status).toBe(200)
    const offers = (await response.json()) as readonly Readonly<Record<string, unknown>>[]
    expect(offers.map(({ LoanDuration }) => LoanDuration)).toEqual([6, 12, 24])
    for (const offer of offers) {
      expect(Object.keys(offer)).toEqual(MEMBERS)
      expect(Number(offer['TotalAmount'])).toBeGreaterThan(body.loanAmount)
      expect(Number(offer['RPMN'])).toBeGreaterThan(Number(offer['LoanInterestRate']))
    }
  })

  test('is positive only for whole amounts from 100 to 2000 EUR', async () => {
    const applicant = anApplicant()
    const near = [100, 2000].flatMap((bound) => [bound - 1, bound, bound + 1])
    const amounts = fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.constantFrom(...near))
    await fc.assert(
      fc.asyncProperty(amounts, async (loanAmount) => {
        const { ok } = await applicant.precalculate({ loanAmount })
        expect(ok).toBe(100 <= loanAmount && loanAmount <= 2000)
      }),
    )
  })

  test.each([
    [{ loanAmount: 1850, capacityInfo: HOUSEHOLD }, 'INSUFFICIENT_CAPACITY'],
    [{ loanAmount: 1021, capacityInfo: HOUSEHOLD }, 'INSUFFICIENT_CAPACITY'],
    [{ loanAmount: 99 }, 'LOAN_AMNT_LOW'],
    [{ loanAmount: 0 }, 'LOAN_AMNT_LOW'],
    [{ loanAmount: 99, capacityInfo: { ...HOUSEHOLD, monthlyIncome: 0 } }, 'LOAN_AMNT_LOW'],
    [{ loanAmount: 2001 }, 'LOAN_AMNT_HIGH'],
    [{ loanAmount: 1e300 }, 'LOAN_AMNT_HIGH'],
    [{ loanAmount: -250 }, 'NEGATIVE_VALUE_NOT_ALLOWED'],
    [{ loanAmount: 250, capacityInfo: { ...HOUSEHOLD, monthlyIncome: -1 } }, 'NEGATIVE_VALUE_NOT_ALLOWED'],
    [{ loanAmount: 250, capacityInfo: { ...HOUSEHOLD, monthlyExpenses: -1 } }, 'NEGATIVE_VALUE_NOT_ALLOWED'],
    [{ loanAmount: 250, capacityInfo: { ...HOUSEHOLD, numberOfChildren: -1 } }, 'NEGATIVE_VALUE_NOT_ALLOWED'],
  ])('of %j is negative: %s', async (body, errorCode) => {
    const response = await anApplicant().precalculate(body)
    expect(response.status).toBe(422)
    expect(await response.json()).toEqual({ errorCode, errorDescription: expect.any(String) as string })
  })

  test.each([
    '{"loanAmount": ',
    '{"loanAmount": 1e400}',
    'null',
    [],
    {},
    { loanAmount: '250' },
    { loanAmount: 250.5 },
    { loanAmount: null },
    { loanAmount: 250, capacityInfo: null },
    { loanAmount: 250, capacityInfo: {} },
    { loanAmount: 250, capacityInfo: { ...HOUSEHOLD, numberOfChildren: 1.5 } },
    { loanAmount: 250, capacityInfo: { ...HOUSEHOLD, monthlyIncome: '1050' } },
  ])('cannot be asked for with %j', async (body) => {
    const response = await anApplicant().precalculate(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errorCode: 'INVALID_REQUEST' })
  })
})

describe('an application', () => {
  test('has its own id and page, and stays NEW', async () => {
    const bank = createBank()
    const applicant = new TestApplicant(bank)
    const [one, other] = [await applicant.submit(), await applicant.submit()]
    expect(one).toMatchObject({ http: 201, applicationStatus: 'NEW' })
    expect(one.applicationId).toMatch(/^[0-9a-f]{24}$/)
    expect(other.applicationId).not.toBe(one.applicationId)
    expect(new URL(one.applicationProcessUrl).pathname).toMatch(/^\/paylater\/sandbox\/process\/.{64,}$/)
    expect(other.applicationProcessUrl).not.toBe(one.applicationProcessUrl)
    await bank.clock.advance(DAY - SECOND)
    const status = await applicant.status(one)
    expect(status).toEqual({ http: 200, resultCode: 'OK', applicationStatus: 'NEW' })
  })

  test.each([100, 2000, 249.9, 1999.99])('is accepted for %d EUR', async (totalAmount) => {
    expect(await anApplicant().submit({ totalAmount })).toMatchObject({ http: 201 })
  })

  test.each([
    [99, 'TOT_AMNT_LOW'],
    [99.99, 'TOT_AMNT_LOW'],
    [-250, 'TOT_AMNT_LOW'],
    [2000.01, 'TOT_AMNT_HIGH'],
    [2001, 'TOT_AMNT_HIGH'],
  ])('is not taken for %d EUR: %s', async (totalAmount, errorCode) => {
    const answer = await anApplicant().submit({ totalAmount })
    expect(answer).toMatchObject({ http: 422, errorCode })
    expect(answer).not.toHaveProperty('applicationId')
  })

  test.each([
    [{ totalAmount: '250' }, {}],
    [{ totalAmount: 250.123 }, {}],
    [{ totalAmount: undefined }, {}],
    [{ orderNo: undefined }, {}],
    [{ orderNo: '' }, {}],
    [{ orderItems: 'a bicycle' }, {}],
    [{}, { scenario: 'DISBURSED' }],
    [{}, { financeApplication: undefined }],
  ])('is not taken with %j and %j', async (changes, members) => {
    expect(await anApplicant().submit(changes, members)).toMatchObject({
      http: 400,
      errorCode: 'INVALID_REQUEST',
    })
  })

  test('is accepted with all optional members', async () => {
    const orderItems = [{ name: 'Bicycle', price: 250 }]
    const applicant = anApplicant()
    const financeApplication = {
      order: { orderNo: '1', totalAmount: 250, orderItems },
      applicant: { firstName: 'Anna', lastName: 'Nováková' },
    }
    expect(
      await applicant.submit({}, { financeApplication, redirectUrl: 'https://x.example' }),
    ).toMatchObject({
      http: 201,
    })
  })

  test('cannot be read or canceled by another client', async () => {
    const bank = createBank()
    const [own, otherClient] = [new TestApplicant(bank), new TestApplicant(bank, aClient('FAC', 1))]
    const application = await own.submit()
    const unknown = { http: 404, errorCode: 'APP_NOT_FOUND' }
    expect(await otherClient.status(application)).toMatchObject(unknown)
    expect(await otherClient.cancel(application)).toMatchObject(unknown)
    expect(await otherClient.select(application, 'CLIENT')).toMatchObject(unknown)
    for (const operation of [own.status.bind(own), own.cancel.bind(own)]) {
      expect(await operation({ applicationId: 'unknown' })).toMatchObject(unknown)
    }
    await bank.clock.advance(10 * MINUTE)
    expect(await own.status(application)).toMatchObject({ applicationStatus: 'NEW' })
  })

  test('is deleted after seven days in any status', async () => {
    const bank = createBank()
    const first = new TestApplicant(bank)
    const all = [await first.submit(), await first.start('CLIENT'), await first.start('EXPIRED')]
    await bank.clock.advance(7 * DAY - 1)
    const later = new TestApplicant(bank)
    for (const application of all) {
      expect((await later.status(application)).http).toBe(200)
      expect((await later.page(application)).http).toBe(200)
    }
    await bank.clock.advance(1)
    for (const application of all) {
      expect(await later.status(application)).toMatchObject({ http: 404, errorCode: 'APP_NOT_FOUND' })
      expect(await later.cancel(application)).toMatchObject({ http: 404, errorCode: 'APP_NOT_FOUND' })
      expect((await later.page(application)).http).toBe(404)
    }
    const { applicationId } = await later.submit()
    expect([...bank.world.ledgers.sandbox.applications.keys()]).toEqual([applicationId])
  })
})
