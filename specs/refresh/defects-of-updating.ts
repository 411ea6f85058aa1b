import { REF } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** Data that a refresh should have brought, and has not. */

const NEIGHBOUR_BANK = '9802'
const RIVER_BANK = '9803'

const MINUTE = 60_000

const NOTHING_IS_UPDATED = [
  REF.refreshUpdatesTheBalances,
  REF.refreshUpdatesTheTransactions,
  REF.refreshUpdatesEveryAccountOfTheConsent,
  REF.otherBanksAreUpdatedByARefresh,
]

type Updated = Rules['accountsUpdated']

const ofBank =
  (code: string): Updated =>
  ({ share }) =>
    share.bankCode === code ? share.accounts : []

type SeenFacts = Parameters<Rules['bookingsSeen']>[0]

const isOfOtherBanks = (facts: SeenFacts, purpose: SeenFacts['purpose']): boolean =>
  [NEIGHBOUR_BANK, RIVER_BANK].includes(facts.account.bankCode) && facts.purpose === purpose

/** What was booked at other banks is not seen there for these purposes. */
const staleInTheSecondVariant =
  (purposes: readonly SeenFacts['purpose'][]): RuleChange =>
  (lawful) => ({
    bookingsSeen: (facts) => {
      const isStale = facts.variant === 'second' && purposes.some((one) => isOfOtherBanks(facts, one))
      return isStale ? [] : lawful.bookingsSeen(facts)
    },
  })

export const defectsOfUpdating: readonly Defect[] = [
  {
    id: 'refresh-updates-nothing',
    story: 'A refresh is FINISHED without anything having been updated.',
    breaks: NOTHING_IS_UPDATED,
    rules: { accountsUpdated: () => [] },
  },
  {
    id: 'refresh-updates-once',
    story: 'The first refresh of a consent updates its accounts, and no later one does.',
    breaks: NOTHING_IS_UPDATED,
    rules: (lawful) => {
      const first = new Map<string, string>()
      return {
        accountsUpdated: (facts) => {
          const { consentId, taskId } = facts.task
          first.set(consentId, first.get(consentId) ?? taskId)
          return first.get(consentId) === taskId ? lawful.accountsUpdated(facts) : []
        },
      }
    },
  },
  {
    id: 'finished-is-reported-before-the-data',
    story: 'FINISHED is reported when the data of the bank is asked for, and a while later it is there.',
    breaks: NOTHING_IS_UPDATED,
    rules: (lawful) => ({
      refreshStages: (facts) => [
        ...lawful.refreshStages(facts).map((stage) => ({ ...stage, updates: false })),
        { delay: 30 * MINUTE, status: undefined, updates: true },
      ],
    }),
  },
  {
    id: 'refresh-updates-one-bank-alone',
    story: 'Of the banks of a consent the first one alone is updated.',
    breaks: [REF.refreshUpdatesEveryAccountOfTheConsent],
    rules: { accountsUpdated: ofBank(NEIGHBOUR_BANK) },
  },
  {
    id: 'refresh-leaves-the-first-bank-out',
    story: 'Every bank of a consent is updated but the first one.',
    breaks: [REF.refreshUpdatesEveryAccountOfTheConsent],
    rules: { accountsUpdated: ofBank(RIVER_BANK) },
  },
  {
    id: 'refresh-leaves-the-balances-as-they-were',
    story: 'A refresh brings new transactions, and no new balances.',
    breaks: [REF.refreshUpdatesTheBalances],
    rules: (lawful) => ({
      bookingsSeen: (facts) => (isOfOtherBanks(facts, 'balances') ? [] : lawful.bookingsSeen(facts)),
    }),
  },
  {
    id: 'later-refresh-leaves-the-balances-as-they-were',
    story: 'The balances of an account at another bank are those after the first booking, for good.',
    breaks: [REF.refreshUpdatesTheBalances],
    rules: (lawful) => ({
      bookingsSeen: (facts) => {
        const seen = lawful.bookingsSeen(facts)
        return isOfOtherBanks(facts, 'balances') ? seen.slice(-1) : seen
      },
    }),
  },
  {
    id: 'refresh-leaves-the-transactions-as-they-were',
    story: 'A refresh brings new balances, and no new transactions.',
    breaks: [REF.refreshUpdatesTheTransactions],
    rules: (lawful) => ({
      bookingsSeen: (facts) => (isOfOtherBanks(facts, 'transactions') ? [] : lawful.bookingsSeen(facts)),
    }),
  },
  {
    id: 'refresh-brings-no-debits',
    story: 'A refresh brings transactions by which money came, and none by which it left.',
    breaks: [REF.refreshUpdatesTheTransactions],
    rules: (lawful) => ({
      bookingsSeen: (facts) =>
        isOfOtherBanks(facts, 'transactions')
          ? lawful.bookingsSeen(facts).filter(({ amount }) => amount >= 0)
          : lawful.bookingsSeen(facts),
    }),
  },
  {
    id: 'refresh-is-not-seen-in-the-second-variant',
    story: 'The first variant shows what a refresh has brought, and the second one what was there before.',
    breaks: [REF.refreshUpdatesEveryAccountOfTheConsent],
    rules: staleInTheSecondVariant(['balances', 'transactions']),
  },
  {
    id: 'refresh-leaves-the-balances-of-the-second-variant',
    story: 'In the second variant a refresh brings new transactions, and no new balances.',
    breaks: [REF.refreshUpdatesTheBalances],
    rules: staleInTheSecondVariant(['balances']),
  },
  {
    id: 'refresh-leaves-the-transactions-of-the-second-variant',
    story: 'In the second variant a refresh brings new balances, and no new transactions.',
    breaks: [REF.refreshUpdatesTheTransactions],
    rules: staleInTheSecondVariant(['transactions']),
  },
]
