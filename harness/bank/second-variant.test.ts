import { describe, expect, test } from 'vitest'
import { createBank } from './bank.ts'
import { aCustomer, TestClient } from './test-client.ts'
import type { EnvironmentName } from './world.ts'

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

  test('has no token of the other environment', async () => {
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

  test('refuses what is not JSON, and asks for the token first', async () => {
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
