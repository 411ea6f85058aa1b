import { expect, test } from 'vitest'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { runTrial } from '../../proof/trial.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import type { Defect } from '../../bank/defect.ts'
import type { Rules } from '../../bank/rules.ts'
import type { CheckResult } from '../../check/result.ts'

/** The empty list of a customer who has no account is neither a violation nor a refusal. */

const catalogue = await loadCatalogue()
const { customers = [] } = referenceProfile()

const NOBODY: Partial<Rules> = { accountsSeen: () => [], accountIsOpen: () => false }

/** @param rules further ones of the bank, in which no customer has an account. */
const judged = (only: readonly string[], rules: Partial<Rules> = {}): Promise<readonly CheckResult[]> => {
  const defect: Defect = {
    id: 'customers-without-accounts',
    title: 'No customer has an account.',
    breaks: [],
    rules: { ...NOBODY, ...rules },
  }
  return runTrial(catalogue, () => ({ defect }), {
    profile: { customers: customers.map((customer) => ({ ...customer, accounts: [], hasAccounts: false })) },
    only,
    socket: false,
    seed: 42,
    runsOf: () => 2,
  })
}

const violations = (results: readonly CheckResult[]): readonly string[] =>
  results
    .filter(({ violation }) => violation !== undefined)
    .map(({ id, because }) => `${id} ${because ?? ''}`)

test('no check fails, and those that need an account say so', async () => {
  const results = await judged(['consent', 'authorization', 'tokens', 'accounts', 'transactions'])
  expect(violations(results)).toEqual([])
  const reasons = results.filter(({ requirement }) => requirement === 'ACC-07').map(({ because }) => because)
  expect(reasons.length).toBeGreaterThan(0)
  for (const because of reasons) expect(because).toContain('customers[].hasAccounts')
  // The valid list is a positive control, although it is empty.
  expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(50)
})

test('an empty list after the end of a token is not taken for an acceptance either', async () => {
  const results = await judged(['tokens'], { accessIsFresh: () => true, accessIsRevoked: () => false })
  expect(violations(results)).toEqual([])
  const reasons = results.flatMap(({ because }) => because ?? [])
  expect(reasons.some((because) => because.includes('answered an empty list of accounts'))).toBe(true)
})
