import { expect, test } from 'vitest'
import { parsedProfile } from '../testing/samples/profile.ts'
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
