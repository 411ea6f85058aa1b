import { isAtAnotherBank, isCredit, isDebit, moveAgainst } from '../../shared/account-changes.ts'
import { alter, defectsOf, when, type AnswerOf, type Defect, type FactsOf } from '../../shared/changes.ts'
import { REF } from '../requirements.ts'

/** Data that a refresh does not update, or too late. */

const MINUTE = 60_000

type Seen = FactsOf<'bookingsSeen'>
type Bookings = AnswerOf<'bookingsSeen'>

/** Shows other bookings of accounts at other banks in these data. */
const show = (purposes: readonly Seen['purpose'][], change: (usual: Bookings) => Bookings) =>
  when(
    ({ account, purpose }: Seen) => isAtAnotherBank(account) && purposes.includes(purpose),
    alter({ bookingsSeen: change }),
  )

/** Shows no bookings of accounts at other banks in these data. */
const leave = (...purposes: readonly Seen['purpose'][]) => show(purposes, () => [])

const isOfTheSecondVariant = ({ variant }: Pick<Seen, 'variant'>): boolean => variant === 'second'

const isElsewhere = ({ account }: Pick<Seen, 'account'>): boolean => isAtAnotherBank(account)

/** Updates the accounts so many ms after the last stage. */
const updateLater = (ms: number) =>
  alter({
    refreshStages: (usual) => {
      const end = Math.max(...usual.map(({ delay }) => delay))
      const stages = usual.map((stage) => ({ ...stage, updates: false }))
      return [...stages, { delay: end + ms, status: undefined, updates: true }]
    },
  })

const updateNothing = alter({ accountsUpdated: [] })

const isAtTheFirst = ({ share }: FactsOf<'accountsUpdated'>): boolean => share.bankCode === '9802'

export const dataDefects: readonly Defect[] = [
  ...defectsOf(
    [
      REF.refreshUpdatesTheBalances,
      REF.refreshUpdatesTheTransactions,
      REF.refreshUpdatesEveryAccountOfTheConsent,
      REF.otherBanksAreUpdatedByARefresh,
    ],
    {
      'A refresh is FINISHED, and nothing was updated': updateNothing,
      'Only the first refresh of a consent updates its accounts': alter({
        accountsUpdated: (usual, { task }, { of }) => {
          const first = of('accountsUpdated').find(({ facts }) => facts.task.consentId === task.consentId)
          return first === undefined || first.facts.task.taskId === task.taskId ? usual : []
        },
      }),
    },
  ),
  ...defectsOf([REF.refreshUpdatesTheBalances], {
    'A refresh updates the transactions, and not the balances': leave('balances'),
    'Only the first booking at another bank changes the balances': show(['balances'], (usual) =>
      usual.slice(-1),
    ),
    'A credit at another bank lowers the balances': when(isElsewhere, moveAgainst(isCredit)),
    'In the second variant, a debit at another bank raises the balances': when(
      (facts) => isElsewhere(facts) && isOfTheSecondVariant(facts),
      moveAgainst(isDebit),
    ),
    'In the second variant, a refresh updates the transactions, and not the balances': when(
      isOfTheSecondVariant,
      leave('balances'),
    ),
  }),
  ...defectsOf([REF.dataIsCurrentWhenFinished], {
    'The data are there half an hour after FINISHED': updateLater(30 * MINUTE),
    'The data are there half a minute after FINISHED': updateLater(MINUTE / 2),
  }),
  ...defectsOf([REF.refreshUpdatesTheTransactions], {
    'A refresh updates the balances, and not the transactions': leave('transactions'),
    'After a refresh, new credits are listed, and new debits are not': show(['transactions'], (usual) =>
      usual.filter(({ amount }) => amount >= 0),
    ),
    'Of the debits at another bank, only the newest is listed': show(['transactions'], (usual) =>
      usual.filter((one) => one.amount >= 0 || one === usual.find(({ amount }) => amount < 0)),
    ),
    'In the second variant, a refresh updates the balances, and not the transactions': when(
      isOfTheSecondVariant,
      leave('transactions'),
    ),
  }),
  ...defectsOf([REF.refreshUpdatesEveryAccountOfTheConsent], {
    'Only the first bank of a consent is updated': when((facts) => !isAtTheFirst(facts), updateNothing),
    'Every bank of a consent except the first is updated': when(isAtTheFirst, updateNothing),
    'A refresh updates the first variant only': when(isOfTheSecondVariant, leave('balances', 'transactions')),
  }),
]
