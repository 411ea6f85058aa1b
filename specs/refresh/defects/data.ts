import { isAtAnotherBank } from '../../shared/account-defects.ts'
import { breaking, where } from '../../shared/defects.ts'
import { REF } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { FactsOf } from '../../shared/defects.ts'

/** Data that a refresh does not update, or too late. */

const FIRST_OTHER_BANK = '9802'

const MINUTE = 60_000

/** What else is broken where no account is updated. */
const NOTHING_IS_UPDATED = [
  REF.refreshUpdatesTheTransactions,
  REF.refreshUpdatesEveryAccountOfTheConsent,
  REF.otherBanksAreUpdatedByARefresh,
]

type SeenFacts = FactsOf<'bookingsSeen'>
type Purpose = SeenFacts['purpose']

/** Knows other bookings at other banks. */
const knowing = (
  applies: (facts: SeenFacts) => boolean,
  known: (bookings: SeenFacts['known']) => SeenFacts['known'],
): RuleChange =>
  where<'bookingsSeen'>(
    (facts) => isAtAnotherBank(facts.account) && applies(facts),
    (lawful) => ({ bookingsSeen: (facts) => known(lawful.bookingsSeen(facts)) }),
  )

const isFor =
  (purpose: Purpose) =>
  (facts: SeenFacts): boolean =>
    facts.purpose === purpose

const isForSecondVariant =
  (...purposes: readonly Purpose[]) =>
  (facts: SeenFacts): boolean =>
    facts.variant === 'second' && purposes.includes(facts.purpose)

const nothing = (): SeenFacts['known'] => []

export const dataDefects: readonly Defect[] = [
  ...breaking(REF.refreshUpdatesTheBalances, {
    'refresh-updates-nothing': {
      story: 'A refresh is FINISHED, and nothing was updated.',
      alsoBreaks: NOTHING_IS_UPDATED,
      rules: { accountsUpdated: () => [] },
    },
    'refresh-updates-once': {
      story: 'Only the first refresh of a consent updates its accounts.',
      alsoBreaks: NOTHING_IS_UPDATED,
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
    'finished-is-reported-before-the-data': {
      story: 'The data are there half an hour after FINISHED.',
      alsoBreaks: NOTHING_IS_UPDATED,
      rules: (lawful) => ({
        refreshStages: (facts) => [
          ...lawful.refreshStages(facts).map((stage) => ({ ...stage, updates: false })),
          { delay: 30 * MINUTE, status: undefined, updates: true },
        ],
      }),
    },
    'refresh-leaves-the-balances-as-they-were': {
      story: 'A refresh updates the transactions, and not the balances.',
      rules: knowing(isFor('balances'), nothing),
    },
    'later-refresh-leaves-the-balances-as-they-were': {
      story: 'Only the first booking at another bank changes the balances.',
      rules: knowing(isFor('balances'), (bookings) => bookings.slice(-1)),
    },
    'refresh-leaves-the-balances-of-the-second-variant': {
      story: 'In the second variant, a refresh updates the transactions, and not the balances.',
      rules: knowing(isForSecondVariant('balances'), nothing),
    },
  }),
  ...breaking(REF.refreshUpdatesTheTransactions, {
    'refresh-leaves-the-transactions-as-they-were': {
      story: 'A refresh updates the balances, and not the transactions.',
      rules: knowing(isFor('transactions'), nothing),
    },
    'refresh-brings-no-debits': {
      story: 'After a refresh, new credits are listed, and new debits are not.',
      rules: knowing(isFor('transactions'), (bookings) => bookings.filter(({ amount }) => amount >= 0)),
    },
    'refresh-leaves-the-transactions-of-the-second-variant': {
      story: 'In the second variant, a refresh updates the balances, and not the transactions.',
      rules: knowing(isForSecondVariant('transactions'), nothing),
    },
  }),
  ...breaking(REF.refreshUpdatesEveryAccountOfTheConsent, {
    'refresh-updates-one-bank-alone': {
      story: 'Only the first bank of a consent is updated.',
      rules: where(({ share }) => share.bankCode !== FIRST_OTHER_BANK, { accountsUpdated: () => [] }),
    },
    'refresh-leaves-the-first-bank-out': {
      story: 'Every bank of a consent except the first is updated.',
      rules: where(({ share }) => share.bankCode === FIRST_OTHER_BANK, { accountsUpdated: () => [] }),
    },
    'refresh-is-not-seen-in-the-second-variant': {
      story: 'A refresh updates the first variant only.',
      rules: knowing(isForSecondVariant('balances', 'transactions'), nothing),
    },
  }),
]
