import { TRX } from './requirements.ts'
import { isNew, isOf, opening, showing } from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import type { Change, PageFacts, Transaction, Variant } from './defect-rules.ts'

/** What a bank can get wrong over new transactions, those of another account, and accounts that have none. */

type Bookings = ReturnType<Rules['bookingsSeen']>
type BookingFacts = Parameters<Rules['bookingsSeen']>[0]

/** Knows of other bookings than the lawful ones, when it shows the transactions of an account at the own bank. */
const knowing =
  (variant: Variant, known: (bookings: Bookings, facts: BookingFacts) => Bookings): Change =>
  (lawful) => ({
    bookingsSeen: (facts) => {
      const bookings = lawful.bookingsSeen(facts)
      const isMeant =
        isOf(variant)(facts) && facts.purpose === 'transactions' && facts.account.bankCode === '9801'
      return isMeant ? known(bookings, facts) : bookings
    },
  })

/** Knows of a booking so long after somebody could first have seen it, in ms. */
const knowingAfter =
  (variant: Variant, delay: number): Change =>
  (lawful) => {
    const since = new Map<Transaction, number>()
    const change = knowing(variant, (bookings, { now }) =>
      bookings.filter((booking) => {
        const first = since.get(booking) ?? now.getTime()
        since.set(booking, first)
        return now.getTime() - first >= delay
      }),
    )
    return change(lawful)
  }

/** Every account of the bank has the bookings of all that were looked at before. */
const sharingBookings = (variant: Variant): Change => {
  return (lawful) => {
    const seen = new Set<Transaction>()
    const change = knowing(variant, (bookings) => {
      for (const booking of bookings) seen.add(booking)
      return [...seen]
    })
    return change(lawful)
  }
}

/** The last place of a page has the newest transaction of the account that was looked at before. */
const mixingIn = (variant: Variant, applies: (facts: PageFacts, foreign: Transaction) => boolean): Change => {
  return (lawful) => {
    let current: PageFacts | undefined
    let other: Transaction | undefined
    const change = showing(variant, (facts, page) => {
      if (current && current.account !== facts.account) other = current.all[0] ?? other
      current = facts
      return other && page.length > 0 && applies(facts, other) ? [...page.slice(0, -1), other] : undefined
    })
    return change(lawful)
  }
}

/** A transaction that nobody has made. */
const OPENING: Transaction = {
  transactionId: 'opening',
  amount: 0,
  bookingDate: '2026-01-01',
  valueDate: '2026-01-01',
  counterparty: { name: 'Opening balance', iban: '' },
  remittanceInformation: 'Opening balance',
}

/** Shows an opening balance where there is nothing else. */
const opened = (variant: Variant): Change =>
  showing(variant, ({ all }) => (all.length === 0 ? [OPENING] : undefined))

const shutWhereEmpty = (variant: Variant): Change =>
  opening(variant, ({ account }) => (account.openingTransactions === 0 ? false : undefined))

const defectsOfOthers: readonly Defect[] = [
  {
    id: 'later-pages-have-bookings-of-another-account',
    story:
      'From the second page on a page ends with what was booked on the account that was asked for before.',
    breaks: [TRX.pageIsThatOfTheAccount],
    rules: mixingIn('first', ({ offset }, foreign) => offset > 0 && isNew(foreign)),
  },
  {
    id: 'later-pages-have-transactions-of-another-account',
    story: 'From the second page on a page ends with a transaction of the account that was asked for before.',
    breaks: [
      TRX.pageIsThatOfTheAccount,
      TRX.pagesLeaveNothingOut,
      TRX.pagesRepeatNothing,
      TRX.pagesAreTheSameForEverySize,
      TRX.pageIsTheSameWhenAskedForAgain,
    ],
    rules: mixingIn('first', ({ offset }) => offset > 0),
  },
  {
    id: 'bookings-are-shown-on-all-accounts',
    story: 'What is booked on one account is shown on all accounts of the customer.',
    breaks: [TRX.pageIsThatOfTheAccount],
    rules: sharingBookings('first'),
  },
  {
    id: 'bookings-are-shown-on-all-accounts-of-the-second-variant',
    story: 'What is booked on one account is shown on all accounts in the second variant.',
    breaks: [TRX.pageIsThatOfTheAccountInTheSecondVariant],
    rules: sharingBookings('second'),
  },
  {
    id: 'later-numbered-pages-have-bookings-of-another-account',
    story:
      'From the second page on a numbered page ends with what was booked on the account asked for before.',
    breaks: [TRX.pageIsThatOfTheAccountInTheSecondVariant, TRX.bookingLeavesNothingOutInTheSecondVariant],
    rules: mixingIn('second', ({ offset }, foreign) => offset > 0 && isNew(foreign)),
  },
]

const defectsOfTime: readonly Defect[] = [
  {
    id: 'bookings-wait-for-a-refresh',
    story: 'The transactions of the own bank are as old as those of other banks.',
    breaks: [TRX.transactionsOfTheOwnBankAreCurrent, { id: 'WEB-40' }],
    rules: knowing('first', () => []),
  },
  {
    id: 'bookings-are-late',
    story: 'A new transaction is shown two minutes after somebody has looked for it.',
    breaks: [TRX.transactionsOfTheOwnBankAreCurrent, { id: 'WEB-40' }],
    rules: knowingAfter('first', 120_000),
  },
  {
    id: 'bookings-wait-for-a-refresh-in-the-second-variant',
    story: 'The second variant shows no transaction that is newer than the bank.',
    breaks: [TRX.transactionsAreCurrentInTheSecondVariant],
    rules: knowing('second', () => []),
  },
  ...(['first', 'second'] as const).map((variant): Defect => ({
    id: `a-booking-replaces-the-transaction-before-in-the-${variant}-variant`,
    story: `In the ${variant} variant the oldest stand first, and a booking takes the place of the transaction before it.`,
    breaks: [
      variant === 'first' ? TRX.bookingLeavesNothingOut : TRX.bookingLeavesNothingOutInTheSecondVariant,
    ],
    rules: (lawful) => ({
      transactionsOf: (facts) => {
        const all = lawful.transactionsOf(facts)
        return isOf(variant)(facts) && facts.bookings.length > 0 ? all.toSpliced(1, 1) : all
      },
      transactionOrder: (facts) => {
        const ordered = lawful.transactionOrder(facts)
        return isOf(variant)(facts) ? ordered.toReversed() : ordered
      },
    }),
  })),
  {
    id: 'bookings-are-made-up-for-twice',
    story:
      'A link says how many transactions there were; for those that came since, twice as many are skipped.',
    breaks: [TRX.bookingLeavesNothingOut],
    rules: {
      cursorAt: ({ offset, all }) => `${offset}of${all.length}`,
      offsetOfCursor: ({ cursor, all }) => {
        const [offset = 0, length = 0] = cursor.split('of').map(Number)
        return offset + 2 * (all.length - length)
      },
    },
  },
  {
    id: 'bookings-move-numbered-pages-twice',
    story: 'A numbered page begins later by two for each transaction that came since the first page.',
    breaks: [TRX.bookingLeavesNothingOutInTheSecondVariant],
    rules: (lawful) => {
      const lengths = new Map<string, number>()
      return {
        offsetOfPage: (facts) => {
          const { account, all, number } = facts
          if (number === 1) lengths.set(account.accountId, all.length)
          const since = all.length - (lengths.get(account.accountId) ?? all.length)
          return lawful.offsetOfPage(facts) + 2 * since
        },
      }
    },
  },
]

const defectsOfNothing: readonly Defect[] = [
  {
    id: 'account-without-transactions-is-unknown',
    story: 'An account without transactions is answered as one that does not exist.',
    breaks: [TRX.accountWithoutTransactionsHasAnEmptyPage, TRX.pageIsAnswered],
    rules: shutWhereEmpty('first'),
  },
  {
    id: 'account-without-transactions-shows-one',
    story: 'Where there is no transaction, the opening balance is shown as one.',
    breaks: [TRX.accountWithoutTransactionsHasAnEmptyPage],
    rules: opened('first'),
  },
  {
    id: 'account-without-transactions-is-unknown-to-the-second-variant',
    story: 'The second variant answers an account without transactions as one that does not exist.',
    breaks: [
      TRX.accountWithoutTransactionsHasAnEmptyPageInTheSecondVariant,
      TRX.pageIsAnsweredInTheSecondVariant,
    ],
    rules: shutWhereEmpty('second'),
  },
  {
    id: 'account-without-transactions-shows-one-in-both-variants',
    story: 'Where there is no transaction, both variants show the opening balance as one.',
    breaks: [
      TRX.accountWithoutTransactionsHasAnEmptyPage,
      TRX.accountWithoutTransactionsHasAnEmptyPageInTheSecondVariant,
    ],
    rules: (lawful) => ({
      pageItems: (facts) => (facts.all.length === 0 ? [OPENING] : lawful.pageItems(facts)),
    }),
  },
]

export const defectsOfBookings: readonly Defect[] = [
  ...defectsOfOthers,
  ...defectsOfTime,
  ...defectsOfNothing,
]
