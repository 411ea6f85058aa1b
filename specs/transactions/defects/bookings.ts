import { closing, isAtAnotherBank } from '../../shared/account-defects.ts'
import { breaking, changedRules, where, type FactsOf } from '../../shared/defects.ts'
import {
  isNew,
  LINKED_PAGES,
  NUMBERED_PAGES,
  showing,
  type PageFacts,
  type Transaction,
} from './linked-pages.ts'
import { TRX } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Operation } from '../../shared/account-defects.ts'

/** New transactions that are late, lost or on the wrong account, and accounts without transactions. */

type Bookings = readonly Transaction[]
type SeenFacts = FactsOf<'bookingsSeen'>

/** Knows other bookings when it lists the transactions of an account at the own bank. */
const knowing = (
  operation: Operation,
  known: (bookings: Bookings, facts: SeenFacts) => Bookings,
): RuleChange =>
  where<'bookingsSeen'>(
    (facts) => operation(facts) && facts.purpose === 'transactions' && !isAtAnotherBank(facts.account),
    (lawful) => ({ bookingsSeen: (facts) => known(lawful.bookingsSeen(facts), facts) }),
  )

/** Lists a booking so long after the first request that could have shown it, in ms. */
const delaying =
  (operation: Operation, delay: number): RuleChange =>
  (lawful) => {
    const firstAsked = new Map<Transaction, number>()
    const change = knowing(operation, (bookings, { now }) =>
      bookings.filter((booking) => {
        const since = firstAsked.get(booking) ?? now.getTime()
        firstAsked.set(booking, since)
        return now.getTime() - since >= delay
      }),
    )
    return changedRules(change, lawful)
  }

/** Lists on every account the bookings on all accounts that were asked for before. */
const sharingBookings =
  (operation: Operation): RuleChange =>
  (lawful) => {
    const seen = new Set<Transaction>()
    const change = knowing(operation, (bookings) => {
      for (const booking of bookings) seen.add(booking)
      return [...seen]
    })
    return changedRules(change, lawful)
  }

/** The newest transaction, at either end of the list. */
const newestOf = ({ all: [first, ...others] }: PageFacts): Transaction | undefined =>
  first && !isNew(first) ? (others.findLast(isNew) ?? first) : first

/** Replaces the last transaction of a page with the newest one of the account that was asked for before. */
const mixingIn =
  (operation: Operation, applies: (facts: PageFacts, foreign: Transaction) => boolean): RuleChange =>
  (lawful) => {
    let current: PageFacts | undefined
    let foreign: Transaction | undefined
    const change = showing(operation, (facts, page) => {
      if (current && current.account !== facts.account) foreign = newestOf(current) ?? foreign
      current = facts
      return foreign && page.length > 0 && applies(facts, foreign)
        ? [...page.slice(0, -1), foreign]
        : undefined
    })
    return changedRules(change, lawful)
  }

const ofAnotherAccount: readonly Defect[] = [
  ...breaking(TRX.pageIsThatOfTheAccount, {
    'later-pages-have-bookings-of-another-account': {
      story: 'A later page ends with a booking on the account that was asked for before.',
      rules: mixingIn(LINKED_PAGES, ({ offset }, foreign) => offset > 0 && isNew(foreign)),
    },
    'later-pages-have-transactions-of-another-account': {
      story: 'A later page ends with a transaction of the account that was asked for before.',
      alsoBreaks: [
        TRX.pagesLeaveNothingOut,
        TRX.pagesRepeatNothing,
        TRX.pagesAreTheSameForEverySize,
        TRX.pageIsTheSameWhenAskedForAgain,
      ],
      rules: mixingIn(LINKED_PAGES, ({ offset }) => offset > 0),
    },
    'bookings-are-shown-on-all-accounts': {
      story: 'A booking on one account is listed on all accounts of the customer.',
      rules: sharingBookings(LINKED_PAGES),
    },
  }),
  ...breaking(TRX.pageIsThatOfTheAccountInTheSecondVariant, {
    'bookings-are-shown-on-all-accounts-of-the-second-variant': {
      story: 'The second variant lists a booking on one account on all accounts of the customer.',
      rules: sharingBookings(NUMBERED_PAGES),
    },
    'later-numbered-pages-have-bookings-of-another-account': {
      story: 'A later numbered page ends with a booking on the account that was asked for before.',
      alsoBreaks: [TRX.bookingLeavesNothingOutInTheSecondVariant],
      rules: mixingIn(NUMBERED_PAGES, ({ offset }, foreign) => offset > 0 && isNew(foreign)),
    },
  }),
]

const notCurrent: readonly Defect[] = [
  ...breaking(TRX.transactionsOfTheOwnBankAreCurrent, {
    'bookings-wait-for-a-refresh': {
      story: 'Bookings at the own bank are not listed without a refresh.',
      alsoBreaks: ['WEB-40'],
      rules: knowing(LINKED_PAGES, () => []),
    },
    'bookings-are-two-days-late': {
      story: 'A booking is listed two days late.',
      alsoBreaks: ['WEB-40'],
      rules: delaying(LINKED_PAGES, 2 * 24 * 60 * 60 * 1000),
    },
    'transactions-are-those-of-the-first-request': {
      story: 'The transactions of an account are kept once they were read, and never read again.',
      alsoBreaks: [TRX.transactionsAreCurrentInTheSecondVariant, 'WEB-40'],
      rules: (lawful) => {
        const kept = new Map<string, readonly Transaction[]>()
        return {
          transactionsOf: (facts) => {
            const key = `${facts.environment} ${facts.account.accountId}`
            const all = kept.get(key) ?? lawful.transactionsOf(facts)
            if (!isAtAnotherBank(facts.account)) kept.set(key, all)
            return all
          },
        }
      },
    },
    'debits-are-not-listed': {
      story: 'New credits are listed, and new debits are not.',
      alsoBreaks: [TRX.transactionsAreCurrentInTheSecondVariant],
      rules: knowing(
        () => true,
        (bookings) => bookings.filter((booking) => !isNew(booking) || booking.amount >= 0),
      ),
    },
  }),
  ...breaking(TRX.transactionsAreCurrentInTheSecondVariant, {
    'bookings-wait-for-a-refresh-in-the-second-variant': {
      story: 'The second variant lists no bookings.',
      rules: knowing(NUMBERED_PAGES, () => []),
    },
  }),
]

/** Lists the oldest transactions first, and puts a booking in the place of the transaction before it. */
const replacingOnBooking = (operation: Operation): RuleChange =>
  where(operation, (lawful) => ({
    transactionsOf: (facts) => {
      const all = lawful.transactionsOf(facts)
      return facts.bookings.length > 0 ? all.toSpliced(1, 1) : all
    },
    transactionOrder: (facts) => lawful.transactionOrder(facts).toReversed(),
  }))

const lost: readonly Defect[] = [
  ...breaking(TRX.bookingLeavesNothingOut, {
    'a-booking-replaces-the-transaction-before-in-the-first-variant': {
      story: 'In the first variant the oldest come first, and a booking replaces the transaction before it.',
      rules: replacingOnBooking(LINKED_PAGES),
    },
    'bookings-are-made-up-for-twice': {
      story: 'For each booking since its link was made, a later page skips two transactions.',
      rules: {
        cursorAt: ({ offset, all }) => `${offset}of${all.length}`,
        offsetOfCursor: ({ cursor, all }) => {
          const [offset = 0, length = 0] = cursor.split('of').map(Number)
          return offset + 2 * (all.length - length)
        },
      },
    },
  }),
  ...breaking(TRX.bookingLeavesNothingOutInTheSecondVariant, {
    'a-booking-replaces-the-transaction-before-in-the-second-variant': {
      story: 'In the second variant the oldest come first, and a booking replaces the transaction before it.',
      rules: replacingOnBooking(NUMBERED_PAGES),
    },
    'bookings-move-numbered-pages-twice': {
      story: 'For each booking since the first page, a later page skips two transactions.',
      rules: (lawful) => {
        const counts = new Map<string, number>()
        return {
          offsetOfPage: (facts) => {
            const { account, all, number } = facts
            const bookings = all.filter(isNew).length
            if (number === 1) counts.set(account.accountId, bookings)
            const since = bookings - (counts.get(account.accountId) ?? bookings)
            return lawful.offsetOfPage(facts) + 2 * since
          },
        }
      },
    },
  }),
]

/** A transaction that nobody has made. */
const OPENING: Transaction = {
  transactionId: 'opening',
  amount: 0,
  bookingDate: '2026-01-01',
  valueDate: '2026-01-01',
  counterparty: { name: 'Opening balance', iban: '' },
  remittanceInformation: 'Opening balance',
}

/** Lists an opening balance where there is no transaction. */
const showingTheOpening = (operation: Operation): RuleChange =>
  showing(operation, ({ all }) => (all.length === 0 ? [OPENING] : undefined))

const closingEmptyAccounts = (operation: Operation): RuleChange =>
  closing(operation, ({ account }) => account.openingTransactions === 0)

/** The bank answers what a rule throws with the status 500. */
const breakingOnEmptyAccounts = (operation: Operation): RuleChange =>
  showing(operation, ({ all }, lawful) => {
    if (all.length === 0) throw new Error('the account has no transactions')
    return lawful
  })

const ofEmptyAccounts: readonly Defect[] = [
  ...breaking(TRX.accountWithoutTransactionsHasAnEmptyPage, {
    'account-without-transactions-is-unknown': {
      story: 'An account without transactions is refused as unknown.',
      alsoBreaks: [TRX.pageIsAnswered],
      rules: closingEmptyAccounts(LINKED_PAGES),
    },
    'account-without-transactions-breaks-the-bank': {
      story: 'The transactions of an account without any are always answered with the status 500.',
      alsoBreaks: [TRX.pageIsAnswered],
      rules: breakingOnEmptyAccounts(LINKED_PAGES),
    },
    'account-without-transactions-shows-one': {
      story: 'For an account without transactions, the opening balance is listed as one.',
      rules: showingTheOpening(LINKED_PAGES),
    },
    'account-without-transactions-shows-one-in-both-variants': {
      story: 'For an account without transactions, both variants list the opening balance as one.',
      alsoBreaks: [TRX.accountWithoutTransactionsHasAnEmptyPageInTheSecondVariant],
      rules: showingTheOpening(() => true),
    },
  }),
  ...breaking(TRX.accountWithoutTransactionsHasAnEmptyPageInTheSecondVariant, {
    'account-without-transactions-is-unknown-to-the-second-variant': {
      story: 'The second variant refuses an account without transactions as unknown.',
      alsoBreaks: [TRX.pageIsAnsweredInTheSecondVariant],
      rules: closingEmptyAccounts(NUMBERED_PAGES),
    },
    'account-without-transactions-breaks-the-second-variant': {
      story: 'The second variant always answers the status 500 to an account without transactions.',
      alsoBreaks: [TRX.pageIsAnsweredInTheSecondVariant],
      rules: breakingOnEmptyAccounts(NUMBERED_PAGES),
    },
  }),
]

export const bookingDefects: readonly Defect[] = [
  ...ofAnotherAccount,
  ...notCurrent,
  ...lost,
  ...ofEmptyAccounts,
]
