import { expect, test } from 'vitest'
import { openConsents, stillOpen } from './open-consents.ts'
import { residents } from './residents.ts'
import type { Branch } from './parts.ts'

/** A map that tells how many of its values were read. */
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
const [customer] = residents.customers
const ids = Array.from({ length: MANY }, (_, place) => String(place))

const mapOf = <Value>(valueOf: (id: string) => Value): CountedMap<Value> =>
  new CountedMap(ids.map((id) => [id, valueOf(id)]))

const accountIds = customer?.accounts.slice(0, 1).map(({ accountId }) => accountId) ?? []
const consents = mapOf((consentId) => ({ consentId }))
const grants = mapOf((id) => ({ grantId: id, consentId: id, username: customer?.username, accountIds }))
const accessTokens = mapOf((id) => ({ accessToken: `t-${id}`, grantId: id }))

const branch = {
  ledger: { consents, grants, accessTokens, revocations: new Map() },
  world: { residents },
  clock: { now: () => new Date(0) },
  // Every second grant is over.
  rules: {
    grantCounts: ({ tokens }: { readonly tokens: readonly { readonly grantId: string }[] }) =>
      tokens.length === 1 && Number(tokens[0]?.grantId) % 2 === 0,
  },
} as unknown as Branch

test('the ledger is read once for all consents, however many it has', () => {
  const open = openConsents(branch)
  expect(open.map(({ consent }) => consent.consentId)).toEqual(ids.filter((id) => Number(id) % 2 === 0))
  expect([grants.reads, accessTokens.reads]).toEqual([MANY, MANY])
})

test('one consent is looked up as all of them are', () => {
  expect(stillOpen(branch, '2')?.accounts.map(({ accountId }) => accountId)).toEqual(accountIds)
  expect(stillOpen(branch, '3')).toBeUndefined()
  expect(stillOpen(branch, 'none')).toBeUndefined()
})
