import { isAtAnotherBank, leaveOutTheLastHour } from '../../shared/account-changes.ts'
import { alter, defectsOf, refuse, when, type FactsOf } from '../../shared/changes.ts'
import {
  isEmpty,
  isLater,
  isNew,
  ofEachVariant,
  ofLinkedPages,
  ofNumberedPages,
  type PageFacts,
  type Transaction,
} from './pages.ts'
import { TRX } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** New transactions that are late, lost or on the wrong account, and accounts without transactions. */

type SeenFacts = FactsOf<'bookingsSeen'>
type Bookings = SeenFacts['known']

const isOwnList = ({ purpose, account }: SeenFacts): boolean =>
  purpose === 'transactions' && !isAtAnotherBank(account)

/** Other bookings in the lists of accounts at the own bank; `earlier` are the earlier requests for such lists. */
const listed = (shown: (bookings: Bookings, facts: SeenFacts, earlier: readonly SeenFacts[]) => Bookings) =>
  when(
    isOwnList,
    alter({
      bookingsSeen: (bookings, facts, past) => {
        const before = past.of('bookingsSeen').map((call) => call.facts)
        const isMeant = (one: SeenFacts) => isOwnList(one) && one.variant === facts.variant
        return shown(bookings, facts, before.filter(isMeant))
      },
    }),
  )

const unlisted = listed(() => [])
const listedOnAll = listed((bookings, _, earlier) => [
  ...new Set([...earlier.flatMap(({ known }) => known), ...bookings]),
])

const TWO_DAYS = 2 * 24 * 60 * 60 * 1000

/** The newest transaction, at either end of the list. */
const newestOf = ({ all: [first, ...others] }: PageFacts): Transaction | undefined =>
  first && !isNew(first) ? (others.findLast(isNew) ?? first) : first

/** A later page ends with the newest transaction of the account that was asked for before. */
const mixedIn = (where: (other: Transaction) => boolean) =>
  when(
    isLater,
    alter({
      pageItems: (page, facts, past) => {
        const earlier = past.of('pageItems').map((call) => call.facts)
        const before = earlier.findLast(
          (one) => one.variant === facts.variant && one.account !== facts.account && !isEmpty(one),
        )
        const other = before && newestOf(before)
        return other && page.length > 0 && where(other) ? [...page.slice(0, -1), other] : page
      },
    }),
  )

const ofAnotherAccount: readonly Defect[] = [
  ...ofEachVariant([TRX.pageIsThatOfTheAccount], [TRX.pageIsThatOfTheAccountInTheSecondVariant], {
    'A booking on one account is listed on all accounts': listedOnAll,
  }),
  ...ofEachVariant(
    [TRX.pageIsThatOfTheAccount],
    [TRX.pageIsThatOfTheAccountInTheSecondVariant, TRX.bookingLeavesNothingOutInTheSecondVariant],
    { 'A later page ends with a booking on the account asked for before': mixedIn(isNew) },
  ),
  ...ofLinkedPages(
    [
      TRX.pageIsThatOfTheAccount,
      TRX.pagesLeaveNothingOut,
      TRX.pagesRepeatNothing,
      TRX.pagesAreTheSameForEverySize,
      TRX.pageIsTheSameWhenAskedForAgain,
    ],
    { 'A later page ends with a transaction of the account asked for before': mixedIn(() => true) },
  ),
]

const WEEK_MS = 7 * 24 * 3_600_000

const changing: readonly Defect[] = ofEachVariant(
  [TRX.pageIsTheSameWhenAskedForAgain],
  [TRX.pageIsTheSameWhenAskedForAgainInTheSecondVariant],
  {
    'A week after a transaction was shown, its amount is a euro more': alter({
      transactionBody: (usual, facts, past) => {
        const { transaction, now } = facts
        const shown = past
          .of('transactionBody')
          .find((call) => call.facts.transaction.transactionId === transaction.transactionId)
        return shown === undefined || now.getTime() - shown.facts.now.getTime() < WEEK_MS
          ? usual
          : past.rules.transactionBody({
              ...facts,
              transaction: { ...transaction, amount: transaction.amount + 100 },
            })
      },
    }),
    'The second transaction of a later page has the text of the first': alter({
      pageItems: (page, { offset }) =>
        page.map((one, at) =>
          offset > 0 && at === 1
            ? { ...one, remittanceInformation: page[0]?.remittanceInformation ?? '' }
            : one,
        ),
    }),
  },
)

const CURRENT = TRX.transactionsOfTheOwnBankAreCurrent
const CURRENT_IN_THE_SECOND = TRX.transactionsAreCurrentInTheSecondVariant

const notCurrent: readonly Defect[] = [
  ...ofEachVariant([CURRENT, 'WEB-40'], [CURRENT_IN_THE_SECOND], {
    'Bookings at the own bank are not listed without a refresh': unlisted,
  }),
  ...ofEachVariant([CURRENT, 'WEB-40', 'REF-17'], [CURRENT_IN_THE_SECOND, 'REF-17'], {
    'The transactions are an hour old': leaveOutTheLastHour,
  }),
  ...ofLinkedPages([CURRENT, 'WEB-40'], {
    'A booking is listed two days after the first request for it': listed((bookings, { now }, earlier) =>
      bookings.filter((booking) => {
        const first = earlier.find(({ known }) => known.includes(booking))
        return first !== undefined && now.getTime() - first.now.getTime() >= TWO_DAYS
      }),
    ),
  }),
  ...defectsOf([CURRENT, CURRENT_IN_THE_SECOND, 'WEB-40'], {
    'The transactions of an account are read once, and kept': alter({
      transactionsOf: (all, { environment, account }, past) => {
        const earlier = past.of('transactionsOf').filter(({ facts }) => facts.environment === environment)
        const first = earlier.find(({ facts }) => facts.account === account)
        return first === undefined || isAtAnotherBank(account) ? all : first.answer
      },
    }),
  }),
  ...defectsOf([CURRENT, CURRENT_IN_THE_SECOND], {
    'New credits are listed, and new debits are not': listed((bookings) =>
      bookings.filter((booking) => !isNew(booking) || booking.amount >= 0),
    ),
  }),
]

const bookingsIn = ({ all }: Pick<PageFacts, 'all'>): number => all.filter(isNew).length

const lost: readonly Defect[] = [
  ...ofEachVariant([TRX.bookingLeavesNothingOut], [TRX.bookingLeavesNothingOutInTheSecondVariant], {
    'The oldest come first, and a booking replaces the transaction before it': alter({
      transactionsOf: (all, { bookings }) => (bookings.length > 0 ? all.toSpliced(1, 1) : all),
      transactionOrder: (all) => all.toReversed(),
    }),
  }),
  ...ofLinkedPages([TRX.bookingLeavesNothingOut], {
    'For each booking since its link was made, a later page skips two transactions': alter({
      cursorAt: (_, { offset, all }) => `${offset}of${all.length}`,
      offsetOfCursor: (_, { cursor, all }) => {
        const [offset = 0, length = 0] = cursor.split('of').map(Number)
        return offset + 2 * (all.length - length)
      },
    }),
  }),
  ...ofNumberedPages([TRX.bookingLeavesNothingOutInTheSecondVariant], {
    'For each booking since the first page, a later page skips two transactions': when(
      ({ number }) => number > 1,
      alter({
        offsetOfPage: (offset, facts, past) => {
          const firsts = past.of('offsetOfPage').filter((call) => call.facts.number === 1)
          const first = firsts.findLast((call) => call.facts.account === facts.account)?.facts ?? facts
          return offset + 2 * (bookingsIn(facts) - bookingsIn(first))
        },
      }),
    ),
  }),
]

const OPENING: Transaction = {
  transactionId: 'opening',
  amount: 0,
  bookingDate: '2026-01-01',
  valueDate: '2026-01-01',
  counterparty: { name: 'Opening balance', iban: '' },
  remittanceInformation: 'Opening balance',
}
const openingListed = when(isEmpty, alter({ pageItems: [OPENING] }))

/** The bank answers what a rule throws with the status 500. */
const fail = (): never => {
  throw new Error('the account has no transactions')
}

const EMPTY_PAGE = TRX.accountWithoutTransactionsHasAnEmptyPage
const EMPTY_PAGE_IN_THE_SECOND = TRX.accountWithoutTransactionsHasAnEmptyPageInTheSecondVariant

const ofEmptyAccounts: readonly Defect[] = [
  ...ofEachVariant(
    [EMPTY_PAGE, TRX.pageIsAnswered],
    [EMPTY_PAGE_IN_THE_SECOND, TRX.pageIsAnsweredInTheSecondVariant],
    {
      'An account without transactions is refused as unknown': refuse(
        'accountIsOpen',
        ({ account }) => account.openingTransactions === 0,
      ),
      'An account without transactions has the status 500': when(isEmpty, alter({ pageItems: fail })),
    },
  ),
  ...ofLinkedPages([EMPTY_PAGE], {
    'For an account without transactions, the opening balance is listed as one': openingListed,
  }),
  ...defectsOf([EMPTY_PAGE, EMPTY_PAGE_IN_THE_SECOND], {
    'For an account without transactions, both variants list the opening balance': openingListed,
  }),
]

export const bookingDefects: readonly Defect[] = [
  ...ofAnotherAccount,
  ...changing,
  ...notCurrent,
  ...lost,
  ...ofEmptyAccounts,
]
