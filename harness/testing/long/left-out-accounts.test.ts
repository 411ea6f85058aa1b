import { expect, test } from 'vitest'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { runTrial } from '../../proof/trial.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import type { CheckResult } from '../../check/result.ts'

/** Checks of bookings name the accounts on which nothing was booked. */

const catalogue = await loadCatalogue()
const { customers = [] } = referenceProfile()
const [first, ...others] = customers
if (first === undefined) throw new Error('the reference bank has customers')

/** @param kept how many own accounts are not declared to be empty. */
const judged = (kept: number): Promise<readonly CheckResult[]> => {
  let left = kept
  const accounts = (first.accounts ?? []).map((account) =>
    account.bank === 'own' && account.consented !== false && (left -= 1) < 0
      ? { ...account, transactions: 0 }
      : account,
  )
  return runTrial(catalogue, () => ({}), {
    profile: { customers: [{ ...first, accounts }, ...others] },
    only: ['TRX-02', 'TRX-31', 'ACC-07'],
    socket: false,
    seed: 42,
    runsOf: () => 2,
  })
}

test.each([
  [0, ['ACC-07', 'TRX-02', 'TRX-31'], 'no account at the service'],
  [1, ['ACC-07', 'TRX-02'], 'one account'],
])('where %i own accounts are left, these say which are left out: %j', async (kept, ids, reason) => {
  const results = await judged(kept)
  expect(results.filter(({ violation }) => violation !== undefined)).toEqual([])
  const unreached = results.filter(({ because = '' }) => because.includes(reason))
  expect([...new Set(unreached.map(({ requirement }) => requirement))].sort()).toEqual(ids)
  for (const { because } of unreached) {
    expect(because).toMatch(/nothing is booked on (SK|\[account)/)
    expect(because).toContain('customers[].accounts: transactions 0')
  }
})
