/** Accounts that show a part of their history alone: how far back it goes is not shown. */
import type { Variation } from '../defect.ts'
import { DAY } from '../rules/facts.ts'

/** In ms. */
const WINDOW = 80 * DAY

const isOlder = (bookingDate: string | undefined, now: Date): boolean =>
  bookingDate !== undefined && now.getTime() - Date.parse(bookingDate) > WINDOW

export const historyVariations: readonly Variation[] = [
  {
    id: 'latest-transactions-alone',
    story: 'An account shows as many transactions as it had at the opening, the latest ones.',
    rules: {
      transactionsOf: ({ account, history, bookings }) =>
        [...bookings, ...history].slice(0, account.openingTransactions),
    },
  },
  {
    id: 'old-transactions-are-left-out',
    story: 'What an account had at the opening is left out once all of it is older than 80 days.',
    rules: {
      transactionsOf: ({ history, bookings, now }) =>
        isOlder(history[0]?.bookingDate, now) ? bookings : [...bookings, ...history],
    },
  },
]
