import { describe, expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import type { BankContext } from '../call.ts'
import { seedData } from '../seed-data.ts'
import { aClient, basic, TestClient } from '../../testing/bank-clients/test-client.ts'
import { openConsents, stillOpen } from './consents.ts'

const tpp = aClient('TPP')
const otherTpp = aClient('TPP', 1)

const headers = (client = tpp): Record<string, string> => ({
  authorization: basic(client),
  'x-request-id': 'r-1',
})

const setup = (client = tpp): TestClient => new TestClient({ fetch: createBank().fetch, client })

describe('a consent', () => {
  test('is readable only by its owner', async () => {
    const { fetch } = createBank()
    const owner = new TestClient({ fetch, client: tpp })
    const otherClient = new TestClient({ fetch, client: otherTpp })
    const consentId = await owner.createConsent()
    const read = await owner.send(`v1/consents/${consentId}`, { headers: headers() })
    expect(await read.json()).toEqual({ consentId, consentStatus: 'received' })
    expect((await otherClient.send(`v1/consents/${consentId}`, { headers: headers(otherTpp) })).status).toBe(
      404,
    )
  })

  test('is deleted with its tokens', async () => {
    const client = setup()
    const { access_token } = await client.obtainTokens()
    const path = `v1/consents/${client.scope.slice('PREMIUM_AIS:'.length)}`
    expect((await client.send(path, { method: 'DELETE', headers: headers() })).status).toBe(204)
    expect((await client.send(path, { headers: headers() })).status).toBe(404)
    expect((await client.accounts(access_token)).status).toBe(401)
    expect((await client.authorize()).parameters).toMatchObject({ error: 'invalid_scope' })
  })

  test('that ends during the decision gives no code', async () => {
    const { fetch } = createBank()
    const quiet = new TestClient({ fetch, client: tpp })
    const consentId = await quiet.createConsent()
    const client = new TestClient({
      client: tpp,
      // The consent ends just before the bank receives the decision.
      fetch: async (request) => {
        const body = await request.clone().text()
        const end = { method: 'DELETE', headers: headers() }
        if (body.includes('decision=')) await quiet.send(`v1/consents/${consentId}`, end)
        return fetch(request)
      },
    })
    const { parameters } = await client.authorize({ scope: quiet.scope })
    expect(parameters).toMatchObject({ error: 'invalid_scope', state: 'state-1' })
  })
})

/** A map that counts reads of its values. */
class CountedMap<Value> extends Map<string, Value> {
  reads = 0;

  override *values(): MapIterator<Value> {
    for (const value of super.values()) {
      this.reads += 1
      yield value
    }
  }
}

const MANY = 500
const [customer] = seedData.customers
const ids = Array.from({ length: MANY }, (_, place) => String(place))

const mapOf = <Value>(valueOf: (id: string) => Value): CountedMap<Value> =>
  new CountedMap(ids.map((id) => [id, valueOf(id)]))

const accountIds = customer?.accounts.slice(0, 1).map(({ accountId }) => accountId) ?? []
const consents = mapOf((consentId) => ({ consentId }))
const grants = mapOf((id) => ({ grantId: id, consentId: id, username: customer?.username, accountIds }))
const accessTokens = mapOf((id) => ({ accessToken: `t-${id}`, grantId: id }))

const context = {
  ledger: { consents, grants, accessTokens, revocations: new Map() },
  world: { seedData },
  clock: { now: () => new Date(0) },
  // Every second grant has ended.
  rules: {
    grantCounts: ({ tokens }: { readonly tokens: readonly { readonly grantId: string }[] }) =>
      tokens.length === 1 && Number(tokens[0]?.grantId) % 2 === 0,
  },
} as unknown as BankContext

test('the ledger is read once for any number of consents', () => {
  const open = openConsents(context)
  expect(open.map(({ consent }) => consent.consentId)).toEqual(ids.filter((id) => Number(id) % 2 === 0))
  expect([grants.reads, accessTokens.reads]).toEqual([MANY, MANY])
})

test('a single lookup gives the same result as the lookup of all consents', () => {
  expect(stillOpen(context, '2')?.accounts.map(({ accountId }) => accountId)).toEqual(accountIds)
  expect(stillOpen(context, '3')).toBeUndefined()
  expect(stillOpen(context, 'none')).toBeUndefined()
})
