import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import type { RuleChange } from '../defect.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../rules/facts.ts'
import { PAYMENT_ACCOUNTS } from '../seed-data.ts'
import { aClient, aCustomer } from '../../testing/bank-clients/test-client.ts'
import { TestPayer } from '../../testing/bank-clients/test-payer.ts'

const THURSDAY = '2026-01-08'

describe.each(['sandbox', 'production'] as const)('a payment in the %s', (environment) => {
  test('is initiated, authorized, submitted and settled', async () => {
    const bank = createBank()
    const payer = new TestPayer(bank, environment)
    const initiated = await payer.initiate()
    expect(initiated).toMatchObject({ http: 201, status: 'ACTC' })
    expect(initiated.orderId).toMatch(/^[0-9A-F]{32}$/)
    expect(initiated.statusDateTime).toBe('2026-01-05T10:00:00.000+01:00')
    const token = await payer.authorize(initiated)
    expect(await payer.status(initiated)).toEqual({ ...initiated, http: 200 })
    const { orderId } = initiated
    const submitted = await payer.submit(token)
    expect(submitted).toMatchObject({ http: 200, status: 'ACSP', orderId })
    await bank.clock.advance(30 * SECOND)
    const settled = await payer.status(initiated)
    expect(settled).toMatchObject({ status: 'ACSC', statusDateTime: '2026-01-05T10:00:30.000+01:00' })
    await bank.clock.advance(30 * DAY)
    expect(await new TestPayer(bank, environment).status(initiated)).toEqual(settled)
  })

  test('with a date is executed at six on that day', async () => {
    const bank = createBank()
    const submitted = await new TestPayer(bank, environment).pay(
      { requestedExecutionDate: THURSDAY },
      'standard',
    )
    expect(submitted.status).toBe('PDNG')
    const sixOnThursday = new Date(`${THURSDAY}T06:00:00+01:00`).getTime()
    await bank.clock.advance(sixOnThursday - bank.clock.now().getTime() - 1)
    expect(await new TestPayer(bank, environment).status(submitted)).toMatchObject({ status: 'PDNG' })
    await bank.clock.advance(1)
    expect(await new TestPayer(bank, environment).status(submitted)).toMatchObject({
      status: 'ACSC',
      statusDateTime: `${THURSDAY}T06:00:00.000+01:00`,
    })
  })

  test('is booked in this environment only, when it is settled', async () => {
    const bank = createBank()
    const creditor = aCustomer(2).accounts[0]
    const payer = new TestPayer(bank, environment)
    const { status } = await payer.pay({ creditor: { name: 'Cyril', iban: creditor?.iban } })
    expect(status).toBe('ACSP')
    const other = environment === 'sandbox' ? 'production' : 'sandbox'
    expect(bank.world.ledgers[environment].bookings.size).toBe(0)
    await bank.clock.advance(30 * SECOND)
    expect(bank.world.ledgers[other].bookings.size).toBe(0)
    const booked = [...bank.world.ledgers[environment].bookings.values()].map(({ known }) => known[0])
    expect(booked).toEqual([
      expect.objectContaining({ amount: -1234, counterparty: { name: 'Cyril', iban: creditor?.iban } }),
      expect.objectContaining({ amount: 1234, counterparty: PAYMENT_ACCOUNTS.debtor }),
    ])
  })
})

describe('a payment that waits for its day', () => {
  test('is rejected if the balance is insufficient by then', async () => {
    const bank = createBank()
    const submitted = await new TestPayer(bank).pay({ requestedExecutionDate: THURSDAY }, 'standard')
    const body = JSON.stringify({ iban: PAYMENT_ACCOUNTS.debtor.iban, amount: -2145 })
    await bank.fetch(new Request('http://bank.test/_test-hooks/bookings', { method: 'POST', body }))
    await bank.clock.advance(3 * DAY)
    expect(await new TestPayer(bank).status(submitted)).toMatchObject({
      status: 'RJCT',
      reasonCode: 'AM04',
      additionalInformation: expect.any(String) as string,
    })
  })
})

describe('a submission', () => {
  test('changes the status once, for sequential and concurrent requests', async () => {
    const payer = new TestPayer(createBank())
    const payment = await payer.initiate()
    const tokens = [await payer.authorize(payment), await payer.authorize(payment)]
    const answers = await Promise.all(tokens.map((token) => payer.submit(token)))
    expect(answers.map(({ http }) => http).toSorted()).toEqual([200, 409])
    expect((await payer.submit(tokens[0])).http).toBe(401)
    expect(await payer.status(payment)).toMatchObject({ status: 'ACSP' })
  })

  test('changes the status once for concurrent requests with one token', async () => {
    const payer = new TestPayer(createBank())
    const token = await payer.authorize(await payer.initiate())
    const answers = await Promise.all([payer.submit(token), payer.submit(token)])
    expect(answers.map(({ http }) => http).toSorted()).toEqual([200, 401])
  })

  test('needs the authorization of its customer', async () => {
    const payer = new TestPayer(createBank())
    const payment = await payer.initiate()
    expect(await payer.submit(undefined)).toMatchObject({ http: 403, errorCode: 'NO_AUTHORIZATION' })
    expect(await payer.authorize(payment, { decision: 'deny' })).toBeUndefined()
    expect(await payer.authorize(payment, { customer: aCustomer(1) })).toBeUndefined()
    expect(await payer.status(payment)).toMatchObject({ status: 'ACTC' })
  })

  test('is refused after five minutes', async () => {
    const bank = createBank()
    const payer = new TestPayer(bank)
    const token = await payer.authorize(await payer.initiate())
    await bank.clock.advance(5 * MINUTE)
    expect((await payer.submit(token)).http).toBe(401)
  })

  test.each([
    ['TM01', 12 * HOUR],
    ['DT01', 5 * DAY],
  ])('is rejected with %s once it is too late for it', async (reasonCode, ms) => {
    const bank = createBank()
    const payment = await new TestPayer(bank).initiate()
    await bank.clock.advance(ms)
    const payer = new TestPayer(bank)
    const submitted = await payer.submit(await payer.authorize(payment))
    expect(submitted).toMatchObject({ http: 200, status: 'RJCT', reasonCode })
    expect(await payer.authorize(payment)).toBeUndefined()
  })

  test('is rejected if another payment in process uses the balance', async () => {
    const payer = new TestPayer(createBank())
    const all = { instructedAmount: { value: 2145.3, currency: 'EUR' } }
    const [first, second] = [await payer.initiate(all), await payer.initiate(all)]
    expect(await payer.submit(await payer.authorize(first))).toMatchObject({ status: 'ACSP' })
    expect(await payer.submit(await payer.authorize(second))).toMatchObject({ reasonCode: 'AM04' })
  })
})

describe('another application', () => {
  test('cannot read a payment', async () => {
    const bank = createBank()
    const payment = await new TestPayer(bank).initiate()
    const otherClient = new TestPayer(bank, 'sandbox', aClient('TPP', 1))
    expect(await otherClient.status(payment)).toEqual(await otherClient.status({ orderId: 'UNKNOWN' }))
    expect(await otherClient.status(payment)).toMatchObject({ http: 404, errorCode: 'ORDER_UNKNOWN' })
    expect(await new TestPayer(bank, 'production').status(payment)).toMatchObject({ http: 404 })
    expect(await otherClient.authorize(payment)).toBeUndefined()
  })
})

describe('the tokens of payments and of accounts', () => {
  test('are not accepted for each other', async () => {
    const bank = createBank()
    const payer = new TestPayer(bank)
    expect((await payer.customer.accounts(await payer.token())).status).toBe(401)
    const granted = await payer.authorize(await payer.initiate())
    expect((await payer.customer.accounts(granted ?? '')).status).toBe(401)
    const { access_token } = await payer.customer.obtainTokens()
    expect((await payer.call('ecomm/sba', payer.order(), access_token)).status).toBe(401)
  })

  test('have their own scopes and token endpoints', async () => {
    const bank = createBank()
    const payer = new TestPayer(bank)
    const ask = async (scope: string) =>
      (await payer.askToken({ grant_type: 'client_credentials', scope })).status
    expect(await ask('PISP')).toBe(200)
    expect(await ask('PREMIUM_AIS')).toBe(400)
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope: 'PISP' })
    expect((await payer.customer.token(form)).status).toBe(400)
    expect((await payer.customer.authorize({ scope: 'PISP' })).parameters).toMatchObject({
      error: 'invalid_scope',
    })
    await payer.customer.createConsent()
    const { parameters } = await payer.customer.authorize()
    const exchange = await payer.askToken({
      grant_type: 'authorization_code',
      code: parameters['code'] ?? '',
      code_verifier: payer.customer.verifier,
      redirect_uri: payer.customer.redirectUri,
    })
    expect(exchange.status).toBe(400)
  })

  test('end by the test hook', async () => {
    const bank = createBank()
    const payer = new TestPayer(bank)
    const token = await payer.token()
    const body = JSON.stringify({ token })
    await bank.fetch(new Request('http://bank.test/_test-hooks/tokens/revoke', { method: 'POST', body }))
    expect((await payer.call('ecomm/sba', payer.order())).status).toBe(401)
  })
})

const wrong = (rules: RuleChange): Bank =>
  createBank({ defect: { id: 'wrong', story: 'A bank that is wrong.', breaks: [], rules } })

describe('a defect of payments', () => {
  test('can be in the orderIds of concurrent initiations only', async () => {
    const payer = new TestPayer(
      wrong({
        newOrderId: async ({ payments }) => {
          const next = String(payments.size + 1)
          await Promise.resolve()
          return next
        },
      }),
    )
    await payer.token()
    const together = await Promise.all([payer.initiate(), payer.initiate()])
    expect(new Set(together.map(({ orderId }) => orderId)).size).toBe(1)
    expect((await payer.initiate()).orderId).not.toBe(together[0].orderId)
  })

  test('can be a submission without an authorization', async () => {
    const payer = new TestPayer(
      wrong({ orderSubmitted: ({ token, payments }) => token.orderId ?? [...payments.keys()].at(-1) }),
    )
    await payer.initiate()
    expect(await payer.submit(undefined)).toMatchObject({ http: 200, status: 'ACSP' })
  })

  test('can be in concurrent submissions only', async () => {
    const payer = new TestPayer(
      wrong((lawful) => ({
        redeemsPaymentToken: () => true,
        mayBeSubmitted: async (facts) => {
          const answer = lawful.mayBeSubmitted(facts)
          await new Promise(setImmediate)
          return answer
        },
      })),
    )
    const token = await payer.authorize(await payer.initiate())
    const both = await Promise.all([payer.submit(token), payer.submit(token)])
    expect(both.map(({ http }) => http)).toEqual([200, 200])
    expect((await payer.submit(token)).http).toBe(409)
  })

  test('can be in the final status, a day later', async () => {
    const bank = wrong((lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'ACSC'
          ? { at: new Date(facts.now.getTime() + DAY), status: 'ACSP' }
          : lawful.nextMove(facts),
    }))
    const payment = await new TestPayer(bank).pay()
    await bank.clock.advance(DAY)
    expect(await new TestPayer(bank).status(payment)).toMatchObject({ status: 'ACSC' })
    await bank.clock.advance(30 * SECOND)
    expect(await new TestPayer(bank).status(payment)).toMatchObject({ status: 'ACSP' })
  })

  test('can be in one answer only', async () => {
    const payer = new TestPayer(
      wrong((lawful) => ({
        paymentBody: (facts) => ({
          ...lawful.paymentBody(facts),
          ...(facts.telling === 'status' && { reasonCode: undefined }),
        }),
      })),
    )
    const rejected = await payer.initiate({ debtor: { name: 'X', iban: 'SK00' } })
    expect(rejected).toHaveProperty('reasonCode', 'AC01')
    expect(await payer.status(rejected)).not.toHaveProperty('reasonCode')
  })

  test('can be in the check of the customer', async () => {
    const payer = new TestPayer(wrong({ mayAuthorize: () => true, decisionAuthorizes: () => true }))
    const token = await payer.authorize(await payer.initiate(), {
      customer: aCustomer(1),
      decision: 'deny',
    })
    expect(await payer.submit(token)).toMatchObject({ status: 'ACSP' })
  })
})
