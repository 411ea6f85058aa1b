import { expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { runTrial } from '../../harness/proof/trial.ts'
import { referenceProfile } from '../../harness/connection/reference-bank/reference-profile.ts'
import { SLOW } from '../../harness/testing/slow.ts'
import type { RuleChange } from '../../harness/bank/defect.ts'
import type { ProfileInput } from '../../harness/profile/schema.ts'

/** Banks whose verdict depends on what their profile says. */

const catalogue = await loadCatalogue()

const verdictsOf = async (
  only: readonly string[],
  rules: RuleChange,
  profile: Partial<ProfileInput> = {},
): Promise<readonly string[]> => {
  const results = await runTrial(catalogue, () => ({ variation: { id: 'tried', title: 'tried', rules } }), {
    only,
    profile,
    socket: false,
    seed: 42,
    runsOf: () => 1,
  })
  return [...new Set(results.map(({ verdict }) => verdict))].sort()
}

const linkingToAGateway: RuleChange = {
  nextLink: ({ path, query }) => `https://gateway.example${path}?${query}`,
}

test('a link that names an origin of the profile is followed at the target', async () => {
  const ids = ['TRX-01', 'TRX-03', 'TRX-27', 'TRX-28']
  expect(await verdictsOf(ids, linkingToAGateway, { origins: ['https://gateway.example'] })).toEqual(['pass'])
})

test('a link that names another origin is a violation', async () => {
  expect(await verdictsOf(['TRX-27'], linkingToAGateway)).toEqual(['fail'])
})

/** Shows a booking two minutes after it was made. */
const showingBookingsLate: RuleChange = (conforming) => {
  const firstAsked = new Map<unknown, number>()
  return {
    bookingsSeen: (facts) =>
      conforming.bookingsSeen(facts).filter((booking) => {
        const now = facts.now.getTime()
        const since = firstAsked.get(booking) ?? now
        firstAsked.set(booking, since)
        return now - since >= 120_000
      }),
  }
}

/** Of balances and of transactions, in the first variant and in the second. */
const CURRENT = ['ACC-13', 'ACC-35', 'TRX-09', 'TRX-35']
const LATE = ['ACC-13', 'TRX-35']

test(
  'how late a booking may be shown is judged by the deadline of the profile, or by a minute',
  SLOW,
  async () => {
    const within = (currentMs: number) => ({ deadlines: { currentMs } })
    expect(await verdictsOf(LATE, showingBookingsLate)).toEqual(['fail'])
    expect(await verdictsOf(LATE, showingBookingsLate, within(300_000))).toEqual(['pass'])
  },
)

/** The customers of the reference bank, with nothing known of how many transactions an account has. */
const uncounted = (referenceProfile().customers ?? []).map((customer) => ({
  ...customer,
  accounts: (customer.accounts ?? []).map(({ iban, bank, consented }) => ({
    iban,
    ...(bank && { bank }),
    ...(consented !== undefined && { consented }),
  })),
}))

test('whether pages are complete is judged only where the profile counts transactions', async () => {
  const ids = ['TRX-05', 'TRX-22']
  expect(await verdictsOf(ids, {})).toEqual(['pass'])
  expect(await verdictsOf(ids, {}, { customers: uncounted })).toEqual([])
})

/** Ignores pageSize, and has only short accounts, so that every page is the last one. */
const ignoringSizesOfShortAccounts: RuleChange = (conforming) => ({
  pageSizeAskedFor: () => 50,
  transactionsOf: (facts) => conforming.transactionsOf(facts).slice(0, 8),
})

test('page sizes are judged only where a page is followed by another', async () => {
  const ids = ['TRX-03', 'TRX-04', 'TRX-16', 'TRX-18']
  expect(await verdictsOf(ids, ignoringSizesOfShortAccounts, { customers: uncounted })).toEqual([
    'not-reached',
  ])
})

test('nothing is booked on an account that is declared to have no transactions', async () => {
  const customers = (referenceProfile().customers ?? []).map((customer) => ({
    ...customer,
    accounts: (customer.accounts ?? []).map((account) => ({ ...account, transactions: 0 })),
  }))
  const bank: RuleChange = { transactionsOf: ({ bookings }) => bookings }
  expect(await verdictsOf(CURRENT, bank, { customers })).toEqual(['not-reached'])
})
