import type { Hiding } from './entry.ts'

/** What hides defects of transactions. */
export const HIDING_TRANSACTIONS: readonly Hiding[] = [
  {
    variations: ['old-transactions-are-left-out'],
    defects: [
      'expired-token-of-a-refresh-shows-transactions',
      'expired-token-shows-transactions*',
      'expired-token-of-a-tpp-shows-transactions',
    ],
    reason: 'All transactions have become too old to be shown: an empty page shows nothing of an account.',
  },
  {
    variations: ['first-variant-from-20-alone', 'first-variant-from-20'],
    defects: ['account-of-one-full-page-is-empty'],
    reason:
      'The accounts that fit into one page have fewer transactions than the smallest page of this bank.',
  },
  {
    variations: ['page-numbers-in-links'],
    defects: [
      'second-and-third-page-overlap',
      'second-and-third-page-of-a-*',
      'small-pages-of-a-tpp-skip-one',
      'small-pages-skip-one',
    ],
    reason: 'A page begins where its number says, and not where the page before it has ended.',
  },
  {
    variations: ['links-of-one-use'],
    defects: [
      'second-page-is-another-when-asked-for-again',
      'later-pages-have-transactions-of-another-account',
    ],
    reason: 'A later page is not answered again.',
  },
  {
    variations: ['empty-page-behind-a-full-one'],
    defects: ['small-pages-of-a-tpp-skip-one', 'account-of-one-full-page-is-empty'],
    reason:
      'The page behind the last one begins beyond the end, so that a walk has no end and is not judged.',
  },
  {
    variations: ['first-variant-*', 'oldest-transactions-first', 'transactions-numbered-per-account'],
    defects: ['later-pages-have-transactions-of-another-account'],
    reason:
      'Which of its requirements it breaks depends on the sizes, on the order, and on which account was asked for before.',
  },
  {
    variations: ['unknown-accounts-answered-with-null'],
    defects: ['unknown-transactions-have-status-200*', 'account-without-transactions-is-unknown*'],
    reason: 'A refusal has the status 200 and no data, like the answer for an account without transactions.',
  },
  {
    variations: ['oldest-transactions-first'],
    defects: ['later-numbered-pages-have-bookings-of-another-account'],
    reason: 'The transaction in whose place the booking stands is missing before and after, and is not lost.',
  },
  {
    variations: ['oldest-transactions-first'],
    defects: ['a-booking-replaces-the-transaction-before-*'],
    reason: 'The variation and the defect both reverse the order: the newest transactions come first.',
  },
  {
    variations: ['latest-transactions-alone'],
    defects: ['bookings-are-made-up-for-twice'],
    reason: 'The number of transactions, by which the defect counts the bookings, stays the same.',
  },
  {
    variations: ['generated-*'],
    defects: ['third-page-of-a-tpp-overlaps-in-the-second-variant', 'bookings-move-numbered-pages-twice'],
    reason:
      'A cursor names the page by its beginning: the page of the defect is refused, and the walk not judged.',
  },
  {
    variations: ['page-sizes-clamped'],
    defects: ['page-size-of-10-is-refused', 'strange-page-size-breaks-the-second-variant-down'],
    reason: 'No pageSize is refused.',
  },
]
