import { expect, test } from 'vitest'
import { parsedProfile } from '../testing/samples/profile.ts'
import { createRedactor } from '../evidence/redaction.ts'
import { sampleExchange } from '../testing/samples/exchange.ts'
import { createTokenOwners } from './token-owners.ts'

const customersOf = (...flags: readonly (boolean | undefined)[]) => {
  const customers = flags.map((hasAccounts, at) => ({ name: `customer ${at}`, hasAccounts }))
  return parsedProfile({ customers })
}

test('a token opens the accounts of the customer who granted it, also after a refresh', () => {
  const profile = customersOf(true, false)
  const [rich, bare] = profile.customers
  const owners = createTokenOwners(profile)
  owners.note('code of one', rich)
  owners.note('code of other', bare)
  owners.follow('code of one', ['access 1', 'refresh 1'])
  owners.follow('code of other', ['access 2', 'refresh 2'])
  owners.follow('refresh 2', ['access 3', undefined])
  expect(['access 1', 'access 2', 'access 3'].map((token) => owners.hasNoAccount(token))).toEqual([
    false,
    true,
    true,
  ])
})

test.each([
  [[true, false], false],
  [[undefined], false],
  [[], false],
  [[false], true],
  [[false, false], true],
])('a token of an unknown owner, where the customers have accounts: %j', (flags, expected) => {
  expect(createTokenOwners(customersOf(...flags)).hasNoAccount('unknown')).toBe(expected)
})

test('a request has the number of the customer who gave its access token, and not the name', async () => {
  const profile = customersOf(true, true)
  const owners = createTokenOwners({ customers: profile.customers.toReversed() })
  owners.note('access 2', profile.customers[1])
  const sent: unknown[] = []
  const http = owners.named({
    origins: [],
    redactor: createRedactor([]),
    send: async ({ customer }) => {
      sent.push(customer)
      return sampleExchange()
    },
  })
  const request = { operation: 'listAccounts', sender: 'scenario', method: 'GET', url: 'https://x' } as const
  for (const token of ['access 2', 'unknown'])
    await http.send({ ...request, headers: [['authorization', `Bearer ${token}`]] })
  expect(sent).toEqual([1, undefined])
})
