import { describe, expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import type { EnvironmentName } from '../base-paths.ts'
import type { Exchange } from '../defect.ts'
import type { Customer } from '../seed-data.ts'
import { pageVariations } from '../variations/authorization-variations.ts'
import { aCustomer, TestClient } from '../../testing/bank-clients/test-client.ts'

const accountOf = ({ accounts }: Customer, isTicked = true): string =>
  accounts.find((account) => account.isTicked === isTicked)?.accountId ?? ''

/** An account of the first customer that the decision page does not preselect. */
const unticked = (): string => accountOf(aCustomer(), false)

describe('GET /v1/accounts', () => {
  test.each([0, 1, 2])('lists the accounts that customer %d has ticked, and no others', async (place) => {
    const customer = aCustomer(place)
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens({ customer })
    const response = await client.accounts(access_token)
    const { accounts } = (await response.json()) as { accounts: { accountId: string }[] }
    expect(accounts.map(({ accountId }) => accountId)).toEqual(
      customer.accounts.filter(({ isTicked }) => isTicked).map(({ accountId }) => accountId),
    )
  })

  test('describes the account with its IBAN and name', async () => {
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens()
    const { accounts } = (await (await client.accounts(access_token)).json()) as { accounts: unknown[] }
    expect(accounts[0]).toMatchObject({
      accountReference: { iban: 'SK2998010000002600001129', currency: 'EUR' },
      bankCode: '9801',
      usage: 'PRIV',
    })
  })

  test.each([
    ['nothing', {}, 'Bearer realm="bank"', 'TOKEN_INVALID'],
    ['Basic', { authorization: 'Basic YTpi' }, 'Bearer realm="bank"', 'TOKEN_INVALID'],
    ['an unknown token', { authorization: 'Bearer x' }, 'error="invalid_token"', 'TOKEN_UNKNOWN'],
  ])('asks for a Bearer token where %s is sent', async (_, headers, challenge, errorCode) => {
    const client = new TestClient({ fetch: createBank().fetch })
    const response = await client.send('v1/accounts', { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain(challenge)
    expect(await response.json()).toMatchObject({ errorCode })
  })

  test('accepts no token in the query', async () => {
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens()
    expect((await client.send(`v1/accounts?access_token=${access_token}`)).status).toBe(401)
  })
})

describe('GET /v1/accounts/{account-id}', () => {
  test('shows the account as the list has it, with its balances', async () => {
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens()
    const { accounts } = (await (await client.accounts(access_token)).json()) as {
      accounts: { accountId: string }[]
    }
    const [listed] = accounts
    const response = await client.get(access_token, `v1/accounts/${listed?.accountId ?? ''}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const amount = { currency: 'EUR', amount: 2145.3 }
    const referenceDate = '2026-01-05'
    expect(await response.json()).toEqual({
      account: {
        ...listed,
        balances: [
          { balanceAmount: amount, balanceType: 'interimBooked', referenceDate },
          { balanceAmount: amount, balanceType: 'interimAvailable', referenceDate },
        ],
      },
    })
  })

  test('answers an unknown account like one that was not granted', async () => {
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens()
    const answers = await Promise.all(
      [unticked(), accountOf(aCustomer(1)), 'nothing'].map(async (accountId) => {
        const response = await client.get(access_token, `v1/accounts/${accountId}`)
        return { status: response.status, text: await response.text() }
      }),
    )
    expect(answers[0]).toMatchObject({ status: 404, text: expect.stringContaining('NO_ACCOUNT') as string })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })
})

describe('the choice of accounts', () => {
  test('is what the customer leaves ticked', async () => {
    const ticks = [unticked(), accountOf(aCustomer())]
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens({ ticks })
    const { accounts } = (await (await client.accounts(access_token)).json()) as {
      accounts: { accountId: string }[]
    }
    expect(accounts.map(({ accountId }) => accountId).sort()).toEqual(ticks.sort())
    expect((await client.get(access_token, `v1/accounts/${unticked()}`)).status).toBe(200)
  })

  test('cannot be empty, and cannot contain an account that is not offered', async () => {
    const client = new TestClient({ fetch: createBank().fetch })
    expect((await client.authorize({}, { ticks: [] })).shown).toContain('Please tick an account')
    const otherAccount = accountOf(aCustomer(1))
    const variation = {
      id: 'hasty',
      story: 'The bank grants every account that the browser sends.',
      wire: (next: Exchange) => async (request: Request) =>
        request.method === 'POST' && request.url.includes('/visits/')
          ? next(new Request(request, { body: `${await request.text()}&account=${otherAccount}` }))
          : next(request),
    }
    const other = new TestClient({ fetch: createBank({ variation }).fetch })
    const { access_token } = await other.obtainTokens()
    expect((await other.get(access_token, `v1/accounts/${otherAccount}`)).status).toBe(404)
  })

  test('is the preselection if no page asks for it', async () => {
    const variation = pageVariations.find(({ id }) => id === 'login-and-decision-are-on-one-page')
    const client = new TestClient({ fetch: createBank(variation && { variation }).fetch })
    const { access_token } = await client.obtainTokens()
    expect((await client.get(access_token, `v1/accounts/${unticked()}`)).status).toBe(404)
    expect((await client.get(access_token, `v1/accounts/${accountOf(aCustomer())}`)).status).toBe(200)
  })
})

describe('the environments', () => {
  test('share neither tokens nor codes nor consents', async () => {
    const { fetch } = createBank()
    const sandbox = new TestClient({ fetch })
    const production = new TestClient({ fetch, environment: 'production' })
    const { access_token, refresh_token } = await sandbox.obtainTokens()
    expect((await production.accounts(access_token)).status).toBe(401)
    expect((await production.renew(refresh_token)).status).toBe(400)
    const { parameters } = await sandbox.authorize()
    const crossed = await production.exchange(parameters['code'], { code_verifier: sandbox.verifier })
    expect(crossed.status).toBe(400)
    expect((await sandbox.accounts(access_token)).status).toBe(200)
  })

  test('are two; a third one does not exist', async () => {
    const { fetch } = createBank()
    expect((await fetch(new Request('http://bank.test/premium/staging/v1/accounts'))).status).toBe(404)
  })
})

const [everyday] = aCustomer().accounts
const accountId = everyday?.accountId ?? ''
const iban = everyday?.iban ?? ''
const shut = aCustomer().accounts.find(({ isTicked }) => !isTicked)

const setup = async (
  environment: EnvironmentName = 'sandbox',
): Promise<{ client: TestClient; token: string }> => {
  const client = new TestClient({ fetch: createBank().fetch, environment })
  return { client, token: (await client.obtainTokens()).access_token }
}

describe('the second variant', () => {
  test.each(['sandbox', 'production'] as const)(
    'lists the accounts of a token of the %s',
    async (environment) => {
      const { client, token } = await setup(environment)
      const response = await client.ask(token, '')
      expect(response.status).toBe(200)
      expect(response.headers.get('request-id')).toBe('request-2')
      const body = (await response.json()) as { accounts: unknown[]; pageCount: number }
      expect(body.accounts).toHaveLength(aCustomer().accounts.length - 1)
      expect(body.accounts[0]).toEqual({
        identification: accountId,
        iban,
        name: 'Everyday account',
        productName: 'Current account',
        type: 'CACC',
        baseCurrency: 'EUR',
        consent: true,
      })
    },
  )

  test('accepts no token of the other environment', async () => {
    const { fetch } = createBank()
    const { access_token } = await new TestClient({ fetch }).obtainTokens()
    const production = new TestClient({ fetch, environment: 'production' })
    expect((await production.ask(access_token, '')).status).toBe(401)
  })

  test.each([
    ['id', { accountId }],
    ['IBAN', { iban }],
  ])('tells of an account by its %s', async (_, body) => {
    const { client, token } = await setup()
    expect(await (await client.ask(token, 'information', body)).json()).toEqual({
      account: {
        iban,
        name: 'Everyday account',
        productName: 'Current account',
        baseCurrency: 'EUR',
        type: 'CACC',
      },
      balances: [
        {
          typeCodeOrProprietary: 'ITBD',
          amount: { value: 2145.3, currency: 'EUR' },
          creditDebitIndicator: 'CRDT',
        },
        {
          typeCodeOrProprietary: 'ITAV',
          amount: { value: 2145.3, currency: 'EUR' },
          creditDebitIndicator: 'CRDT',
        },
      ],
    })
    expect((await client.ask(token, 'transactions', { ...body, pageSize: 10 })).status).toBe(200)
  })

  test.each([
    ['no account', {}, 400],
    ['two names', { accountId, iban }, 400],
    ['a number', { accountId: 1 }, 400],
    ['no object', [accountId], 400],
    ['an unknown id', { accountId: 'nothing' }, 404],
    ['an IBAN as an id', { accountId: iban }, 404],
    ['an id as an IBAN', { iban: accountId }, 404],
    ['an IBAN with blanks', { iban: iban.replace(/(.{4})/g, '$1 ') }, 404],
    ['a shut account', { accountId: shut?.accountId }, 404],
    ['the IBAN of a shut account', { iban: shut?.iban }, 404],
    ['the IBAN of somebody else', { iban: aCustomer(1).accounts[0]?.iban }, 404],
  ])('refuses %s', async (_, body, status) => {
    const { client, token } = await setup()
    for (const operation of ['information', 'transactions'] as const) {
      const response = await client.ask(token, operation, body)
      expect(response.status).toBe(status)
      expect(response.headers.get('request-id')).toBe('request-2')
    }
  })

  test('refuses a body that is not JSON, and checks the token first', async () => {
    const { client, token } = await setup()
    const post = (authorization: string): Promise<Response> =>
      client.send(`${client.secondBase}/api/v1/accounts/information`, {
        method: 'POST',
        headers: { authorization },
        body: '{"accountId":',
      })
    expect((await post(`Bearer ${token}`)).status).toBe(400)
    expect((await post('Bearer x')).status).toBe(401)
  })
})
