/** Transactions with other fields and in another order, on pages of other sizes with other links. */
import type { Variation } from '../defect.ts'
import type { Body } from '../rules/account-rules.ts'
import { DAY } from '../rules/facts.ts'
import { without } from './wires.ts'

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
    story: 'The transactions before the opening are left out once all of them are older than 80 days.',
    rules: {
      transactionsOf: ({ history, bookings, now }) =>
        isOlder(history[0]?.bookingDate, now) ? bookings : [...bookings, ...history],
    },
  },
]

const encode = (offset: number): string => Buffer.from(`{"behind": ${offset}, "v":1}>>>?`).toString('base64')

const decode = (cursor: string): number | undefined => {
  const [, offset] = /^\{"behind": (\d+),/.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  return offset === undefined ? undefined : Number(offset)
}

const wholeNumber = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined)

/** The default page of the first variant; the second one has no links. */
type PageChange = (page: Body, next: string | undefined) => unknown

const firstVariantPage =
  (change: PageChange): NonNullable<Variation['rules']> =>
  (lawful) => ({
    transactionPageBody: (facts) => {
      const page = lawful.transactionPageBody(facts) as Body
      return facts.variant === 'first' ? change(page, facts.next) : page
    },
  })

const linkVariations: readonly Variation[] = [
  {
    id: 'whole-next-links',
    story: 'The link to the next page is an absolute URL.',
    rules: { nextLink: ({ origin, path, query }) => `${origin}${path}?${query}` },
  },
  {
    id: 'next-links-of-a-query',
    story: 'The link to the next page is a query, relative to the address of the page itself.',
    rules: { nextLink: ({ query }) => `?${query}` },
  },
  {
    id: 'next-links-from-the-account',
    story: 'The link to the next page is relative to the page.',
    rules: { nextLink: ({ query }) => `./transactions?${query}` },
  },
  {
    id: 'escaped-next-links',
    story: 'The link to the next page has unnecessary escapes, and parameters with their default values.',
    rules: {
      nextLink: ({ path, query }) => `${path}?${query.replaceAll('pageSize', 'page%53ize')}&order=%64esc&x`,
    },
  },
  {
    id: 'opaque-cursors',
    story: 'The cursor of a page is base64, with plus signs, slashes and equals signs.',
    rules: {
      cursorParameter: () => 'cursor',
      cursorAt: ({ offset }) => encode(offset),
      offsetOfCursor: ({ cursor }) => decode(cursor),
    },
  },
  {
    id: 'offsets-in-links',
    story: 'A link contains the number of transactions before its page.',
    rules: {
      cursorParameter: () => 'offset',
      cursorAt: ({ offset }) => String(offset),
      offsetOfCursor: ({ cursor }) => wholeNumber(cursor),
    },
  },
  {
    id: 'page-numbers-in-links',
    story: 'A link contains the number of its page, counted from 0.',
    rules: {
      cursorParameter: () => 'page',
      cursorAt: ({ offset, size }) => String(Math.floor(offset / size)),
      offsetOfCursor: ({ cursor, size }) => {
        const number = wholeNumber(cursor)
        return number === undefined ? undefined : number * size
      },
    },
  },
  {
    id: 'links-of-one-use',
    story: 'A link to a page is valid for one use.',
    rules: (lawful) => {
      let links = 0
      const used = new Set<string>()
      return {
        cursorAt: (facts) => `${lawful.cursorAt(facts)}.${(links += 1)}`,
        offsetOfCursor: ({ cursor, ...facts }) => {
          if (used.has(cursor)) return undefined
          used.add(cursor)
          return lawful.offsetOfCursor({ ...facts, cursor: cursor.replace(/\.\d+$/, '') })
        },
      }
    },
  },
  {
    id: 'empty-page-behind-a-full-one',
    story: 'After a full page there is always another one, which may be empty.',
    rules: {
      hasNextPage: ({ all, offset, size }) => offset + size <= all.length,
      pageCount: ({ all, size }) => Math.floor(all.length / size) + 1,
    },
  },
  {
    id: 'last-page-without-links',
    story: 'The last page has no member for links.',
    rules: firstVariantPage((page, next) => (next === undefined ? without(page, '_links') : page)),
  },
  {
    id: 'null-for-the-next-link',
    story: 'On the last page the link to the next one is null.',
    rules: firstVariantPage((page, next) =>
      next === undefined ? { ...page, _links: { next: null } } : page,
    ),
  },
  {
    id: 'more-links',
    story: 'A page links to the next page, to itself, to the first page and to the account.',
    rules: firstVariantPage((page, next) => ({
      ...page,
      total: null,
      _links: {
        self: { href: '?' },
        first: { href: '?' },
        account: { href: '..' },
        ...(next === undefined ? {} : { next: { href: next, title: 'older' } }),
      },
    })),
  },
]

const sizeVariations: readonly Variation[] = [
  {
    id: 'small-default-page',
    story: 'A page has ten transactions if the request has no pageSize.',
    rules: { defaultPageSize: () => 10 },
  },
  {
    id: 'large-default-page',
    story: 'A page has a hundred transactions if the request has no pageSize.',
    rules: { defaultPageSize: () => 100 },
  },
  {
    id: 'page-sizes-clamped',
    story: 'A pageSize out of bounds counts as the nearest bound, and one that is not an integer is ignored.',
    rules: { pageSizeBeyond: () => 'clamped', pageSizeMalformed: () => 'left out' },
  },
  {
    id: 'page-sizes-refused',
    story: 'A pageSize out of bounds is refused, in both variants.',
    rules: { pageSizeBeyond: () => 'refused' },
  },
  {
    id: 'first-variant-to-500',
    story: 'The first variant has pages of 1 to 500 transactions.',
    rules: (lawful) => ({
      pageSizeCeiling: (facts) => (facts.variant === 'first' ? 500 : lawful.pageSizeCeiling(facts)),
    }),
  },
  {
    id: 'first-variant-from-10',
    story: 'The first variant has the bounds of the second.',
    rules: { pageSizeFloor: () => 10, pageSizeBeyond: () => 'refused' },
  },
  {
    id: 'first-variant-from-20',
    story: 'In the first variant a pageSize below 20 counts as 20.',
    rules: (lawful) => ({
      pageSizeFloor: (facts) => (facts.variant === 'first' ? 20 : lawful.pageSizeFloor(facts)),
      pageSizeBeyond: (facts) => (facts.variant === 'first' ? 'clamped' : lawful.pageSizeBeyond(facts)),
    }),
  },
  {
    id: 'first-variant-from-20-alone',
    story: 'The first variant refuses a pageSize that is not from 20 to 100.',
    rules: (lawful) => ({
      pageSizeFloor: (facts) => (facts.variant === 'first' ? 20 : lawful.pageSizeFloor(facts)),
      pageSizeBeyond: () => 'refused',
    }),
  },
  {
    id: 'first-variant-to-50-alone',
    story: 'The first variant refuses a pageSize that is not from 1 to 50.',
    rules: (lawful) => ({
      pageSizeCeiling: (facts) => (facts.variant === 'first' ? 50 : lawful.pageSizeCeiling(facts)),
      pageSizeBeyond: () => 'refused',
    }),
  },
  {
    id: 'empty-account-of-one-page',
    story: 'The second variant counts one page for an account without transactions.',
    rules: (lawful) => ({ pageCount: (facts) => Math.max(1, lawful.pageCount(facts)) }),
  },
  {
    id: 'no-page-behind-the-last',
    story: 'A page number after the last page is refused.',
    rules: { pageBehindTheLast: () => 'refused' },
  },
]

const recordVariations: readonly Variation[] = [
  {
    id: 'oldest-transactions-first',
    story: 'The pages start with the oldest transaction.',
    rules: { transactionOrder: ({ transactions }) => [...transactions].reverse() },
  },
  {
    id: 'transactions-of-one-member',
    story: 'A transaction has only its id.',
    rules: { transactionBody: ({ transaction: { transactionId } }) => ({ transactionId }) },
  },
  {
    id: 'transactions-numbered-per-account',
    story: 'Transactions before the opening have numbers for ids, counted from 1 in each account.',
    rules: (lawful) => ({
      transactionBody: (facts) => {
        const number = wholeNumber(facts.transaction.transactionId.replace(/^\d{6}-/, ''))
        const body = lawful.transactionBody(facts)
        return number === undefined ? body : { ...body, transactionId: number }
      },
    }),
  },
  {
    id: 'transaction-ids-per-variant',
    story: 'The two variants identify a transaction by different ids.',
    rules: (lawful) => ({
      transactionBody: (facts) => {
        const { transactionId } = facts.transaction
        return { ...lawful.transactionBody(facts), transactionId: `${facts.variant}:${transactionId}` }
      },
    }),
  },
  {
    id: 'transaction-amounts-as-text',
    story: 'The amount of a transaction is a text with its sign and two decimals.',
    rules: (lawful) => ({
      transactionBody: (facts) => {
        const { currency } = facts.account
        const amount = (facts.transaction.amount / 100).toFixed(2)
        return { ...lawful.transactionBody(facts), transactionAmount: { currency, amount }, amount }
      },
    }),
  },
  {
    id: 'transactions-with-words-of-the-world',
    story: 'Transactions have texts in every script, with emoji, quotes and line separators.',
    rules: (lawful) => ({
      transactionBody: ({ transaction, ...facts }) =>
        lawful.transactionBody({
          ...facts,
          transaction: {
            ...transaction,
            counterparty: { ...transaction.counterparty, name: 'Ĝoan-Ōm «Ș» 株式会社 \u202eevil\u202c 🏦' },
            remittanceInformation: `"${transaction.remittanceInformation}" \u2028 </script> ďakujem \\u0000`,
          },
        }),
    }),
  },
  {
    id: 'transactions-dated-otherwise',
    story: 'A transaction has the time at which it was booked, with an offset, instead of its dates.',
    rules: (lawful) => ({
      transactionBody: (facts) => {
        const bookingDateTime = `${facts.transaction.bookingDate}T12:00:00.000+01:00`
        return { ...without(lawful.transactionBody(facts), 'bookingDate', 'valueDate'), bookingDateTime }
      },
    }),
  },
]

export const transactionVariations: readonly Variation[] = [
  ...linkVariations,
  ...sizeVariations,
  ...recordVariations,
]
