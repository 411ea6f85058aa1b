/** Transactions with other fields and in another order, on pages of other sizes with other links. */
import { accept, alter, type AnswerOf, type FactsOf } from '../changes/alter.ts'
import { body, membersOf, without, type Members } from '../changes/answer.ts'
import { both, when } from '../changes/change.ts'
import { variationsOf } from '../changes/named.ts'
import type { Variation } from '../defect.ts'
import { day } from '../rules/account-rules.ts'
import { DAY } from '../rules/facts.ts'

const isOlderThan80Days = (bookingDate: string | undefined, now: Date): boolean =>
  bookingDate !== undefined && now.getTime() - Date.parse(bookingDate) > 80 * DAY

export const historyVariations: readonly Variation[] = variationsOf({
  'An account shows only its latest transactions': alter({
    transactionsOf: (_, { account, history, bookings }) =>
      [...bookings, ...history].slice(0, account.openingTransactions),
  }),
  'Transactions are left out after 80 days': alter({
    transactionsOf: (_, { history, bookings, now }) =>
      isOlderThan80Days(history[0]?.bookingDate, now) ? bookings : [...bookings, ...history],
  }),
})

const encode = (offset: number): string => Buffer.from(`{"behind": ${offset}, "v":1}>>>?`).toString('base64')

const decode = (cursor: string): number | undefined => {
  const [, offset] = /^\{"behind": (\d+),/.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  return offset === undefined ? undefined : Number(offset)
}

const wholeNumber = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined)

const isFirstVariant = ({ variant }: Pick<FactsOf<'pageSizeFloor'>, 'variant'>): boolean =>
  variant === 'first'

const links = (form: (facts: FactsOf<'nextLink'>) => string) => alter({ nextLink: (_, facts) => form(facts) })

/** Another page of the first variant; the second one has no links. */
const pages = (change: (page: Members, next: string | undefined) => Members) =>
  when(isFirstVariant, alter({ transactionPageBody: (page, { next }) => change(membersOf(page), next) }))

const linkVariations = variationsOf({
  'The link to the next page is absolute': links(({ origin, path, query }) => `${origin}${path}?${query}`),
  'The link to the next page is a query': links(({ query }) => `?${query}`),
  'The link to the next page is relative to the page': links(({ query }) => `./transactions?${query}`),
  'The link to the next page has escapes and default values': links(
    ({ path, query }) => `${path}?${query.replaceAll('pageSize', 'page%53ize')}&order=%64esc&x`,
  ),
  'The link to the next page has an opaque cursor': alter({
    cursorParameter: 'cursor',
    cursorAt: (_, { offset }) => encode(offset),
    offsetOfCursor: (_, { cursor }) => decode(cursor),
  }),
  'The link to the next page has an offset': alter({
    cursorParameter: 'offset',
    cursorAt: (_, { offset }) => String(offset),
    offsetOfCursor: (_, { cursor }) => wholeNumber(cursor),
  }),
  'The link to the next page has its number, from 0': alter({
    cursorParameter: 'page',
    cursorAt: (_, { offset, size }) => String(Math.floor(offset / size)),
    offsetOfCursor: (_, { cursor, size }) => {
      const number = wholeNumber(cursor)
      return number === undefined ? undefined : number * size
    },
  }),
  'The link to the next page is valid once': alter({
    cursorAt: (cursor, _, { calls }) => `${cursor}.${calls}`,
    offsetOfCursor: (_, facts, { of, rules }) =>
      of('offsetOfCursor').some((used) => used.facts.cursor === facts.cursor)
        ? undefined
        : rules.offsetOfCursor({ ...facts, cursor: facts.cursor.replace(/\.\d+$/, '') }),
  }),
  'A full page is followed by another one, which may be empty': alter({
    hasNextPage: (_, { all, offset, size }) => offset + size <= all.length,
    pageCount: (_, { all, size }) => Math.floor(all.length / size) + 1,
  }),
  'The last page has no member for links': pages((page, next) =>
    next === undefined ? without(page, '_links') : page,
  ),
  'The link to the next page is null on the last page': pages((page, next) =>
    next === undefined ? { ...page, _links: { next: null } } : page,
  ),
  'Every page of the first variant has a next one, and an empty page ends them': when(
    isFirstVariant,
    accept('hasNextPage'),
  ),
  'A page has further links and a total': pages((page, next) => ({
    ...page,
    total: null,
    _links: {
      self: { href: '?' },
      first: { href: '?' },
      account: { href: '..' },
      ...(next === undefined ? {} : { next: { href: next, title: 'older' } }),
    },
  })),
})

const sizeVariations = variationsOf({
  'A page has ten transactions by default': alter({ defaultPageSize: 10 }),
  'A page has a hundred transactions by default': alter({ defaultPageSize: 100 }),
  'A pageSize out of bounds counts as the nearest bound': alter({
    pageSizeBeyond: 'clamped',
    pageSizeMalformed: 'left out',
  }),
  'A pageSize in a text counts as its number, and as the nearest bound beyond it': alter({
    pageSizeAskedFor: (usual, { pageSize }) => usual ?? (Number(pageSize) || undefined),
    pageSizeBeyond: 'clamped',
  }),
  'A pageSize out of bounds is refused': alter({ pageSizeBeyond: 'refused' }),
  'The first variant has pages of up to 500 transactions': when(
    isFirstVariant,
    alter({ pageSizeCeiling: 500 }),
  ),
  'The first variant has the page sizes of the second': alter({
    pageSizeFloor: 10,
    pageSizeBeyond: 'refused',
  }),
  'In the first variant a pageSize below 20 counts as 20': when(
    isFirstVariant,
    alter({ pageSizeFloor: 20, pageSizeBeyond: 'clamped' }),
  ),
  'The first variant refuses a pageSize below 20 or above 100': both(
    when(isFirstVariant, alter({ pageSizeFloor: 20 })),
    alter({ pageSizeBeyond: 'refused' }),
  ),
  'The first variant refuses a pageSize above 50': both(
    when(isFirstVariant, alter({ pageSizeCeiling: 50 })),
    alter({ pageSizeBeyond: 'refused' }),
  ),
  'An account without transactions has one page': alter({ pageCount: (count) => Math.max(1, count) }),
  'The number of pages is a text': body('listTransactions', ({ pageCount, ...page }) =>
    typeof pageCount === 'number' ? { ...page, pageCount: `${pageCount}` } : page,
  ),
  'A page number after the last page is refused': alter({ pageBehindTheLast: 'refused' }),
})

/** Other members of the transactions. */
const records = (
  change: (record: AnswerOf<'transactionBody'>, facts: FactsOf<'transactionBody'>) => Members,
) => alter({ transactionBody: change })

/** Then it is not known which transaction is shown again. */
const withoutIds = variationsOf(
  { 'No transaction has an id': records((record) => without(record, 'transactionId')) },
  { neverOccurs: ['TRX-30', 'TRX-38'] },
)

const recordVariations = variationsOf({
  'The oldest transaction comes first': alter({ transactionOrder: (listed) => listed.toReversed() }),
  'A transaction has only its id': records((_, { transaction: { transactionId } }) => ({ transactionId })),
  // Those of today, and some of the older ones.
  'Pending transactions have no id': records((record, { transaction, now }) =>
    transaction.bookingDate === day(now) || /[37]$/.test(transaction.transactionId)
      ? { ...without(record, 'transactionId'), status: 'PDNG', transactionState: 'pending' }
      : record,
  ),
  'Transaction ids are numbers that are counted in each account': records((record, { transaction }) => {
    const number = wholeNumber(transaction.transactionId.replace(/^\d{6}-/, ''))
    return number === undefined ? record : { ...record, transactionId: number }
  }),
  'The variants have different ids of a transaction': records((record, { variant, transaction }) => ({
    ...record,
    transactionId: `${variant}:${transaction.transactionId}`,
  })),
  'The amount of a transaction is a text with its sign': records((record, { account, transaction }) => {
    const amount = (transaction.amount / 100).toFixed(2)
    return { ...record, transactionAmount: { currency: account.currency, amount }, amount }
  }),
  'Transactions have texts with emoji and several scripts': alter({
    transactionBody: (_, { transaction, ...facts }, { rules }) =>
      rules.transactionBody({
        ...facts,
        transaction: {
          ...transaction,
          counterparty: { ...transaction.counterparty, name: 'Ĝoan-Ōm «Ș» 株式会社 \u202eevil\u202c 🏦' },
          remittanceInformation: `"${transaction.remittanceInformation}" \u2028 </script> ďakujem \\u0000`,
        },
      }),
  }),
  'A transaction has a time with an offset instead of its dates': records((record, { transaction }) => ({
    ...without(record, 'bookingDate', 'valueDate'),
    bookingDateTime: `${transaction.bookingDate}T12:00:00.000+01:00`,
  })),
})

export const transactionVariations: readonly Variation[] = [
  ...linkVariations,
  ...sizeVariations,
  ...withoutIds,
  ...recordVariations,
]
