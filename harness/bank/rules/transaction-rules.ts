/** The formats of transactions and their pages, in each of the two variants. The interface does not define them. */
import { type Account, isAtOwnBank } from '../seed-data.ts'
import type { Bookings, Transaction } from '../state.ts'
import { units, type AccountFacts, type Body } from './account-rules.ts'
import type { Facts, Variant } from './facts.ts'

type PerVariant<Make> = Readonly<Record<Variant, Make>>

/** The members of a page in addition to its transactions. */
export interface Envelope {
  /** The link to the next page; undefined on the last page, and in the second variant. */
  readonly next: string | undefined
  /** The number of all pages of this size. */
  readonly pageCount: number
}

/** The counterparty of a transaction, under the name of its role. */
const parties = ({ amount, counterparty: { name, iban } }: Transaction): Body =>
  amount < 0
    ? { creditorName: name, creditorAccount: { iban } }
    : { debtorName: name, debtorAccount: { iban } }

export const transactionBody: PerVariant<(transaction: Transaction, account: Account) => Body> = {
  first: (transaction, { currency }) => ({
    transactionId: transaction.transactionId,
    transactionState: 'booked',
    bookingDate: transaction.bookingDate,
    valueDate: transaction.valueDate,
    transactionAmount: { currency, amount: units(transaction.amount) },
    ...parties(transaction),
    remittanceInformationUnstructured: transaction.remittanceInformation,
  }),
  second: (transaction, { currency }) => ({
    transactionId: transaction.transactionId,
    status: 'BOOK',
    bookingDate: transaction.bookingDate,
    valueDate: transaction.valueDate,
    amount: { value: units(Math.abs(transaction.amount)), currency },
    creditDebitIndicator: transaction.amount < 0 ? 'DBIT' : 'CRDT',
    ...parties(transaction),
    remittanceInformation: transaction.remittanceInformation,
  }),
}

type MakePage = (account: Account, items: readonly Body[], envelope: Envelope) => Body

export const transactionPageBody: PerVariant<MakePage> = {
  first: ({ iban, currency }, items, { next }) => ({
    account: { iban, currency },
    transactions: items,
    _links: next === undefined ? {} : { next: { href: next } },
  }),
  second: (_, items, { pageCount }) => ({ pageCount, transactions: items }),
}

/** All transactions of an account, in the order of the pages. */
interface AllFacts extends AccountFacts {
  readonly all: readonly Transaction[]
  readonly size: number
}

export interface PageFacts extends AllFacts {
  /** The number of transactions on the pages before. */
  readonly offset: number
  /** The number of the page, in the second variant. */
  readonly number?: number
}

export interface TransactionRules {
  /** Whether this bank knows a booking at once. */
  readonly bookingIsKnownAtOnce: (
    facts: Facts & { readonly account: Account; readonly transaction: Transaction },
  ) => boolean
  /** The transactions of an account; both lists have the newest first. */
  readonly transactionsOf: (
    facts: AccountFacts & { readonly history: readonly Transaction[]; readonly bookings: Bookings['known'] },
  ) => readonly Transaction[]
  /** The order of the pages, given the newest first. */
  readonly transactionOrder: (
    facts: AccountFacts & { readonly transactions: readonly Transaction[] },
  ) => readonly Transaction[]

  /** The pageSize of a request (text of the query, or value of the body); undefined if it is not an integer. */
  readonly pageSizeAskedFor: (facts: AccountFacts & { readonly pageSize: unknown }) => number | undefined
  /** The size of a page if the request has no pageSize. */
  readonly defaultPageSize: (facts: AccountFacts) => number
  readonly pageSizeFloor: (facts: AccountFacts) => number
  readonly pageSizeCeiling: (facts: AccountFacts) => number
  /** The treatment of a pageSize out of bounds. */
  readonly pageSizeBeyond: (
    facts: AccountFacts & { readonly asked: number; readonly bound: 'floor' | 'ceiling' },
  ) => 'refused' | 'clamped'
  /** The treatment of a pageSize that is not an integer. */
  readonly pageSizeMalformed: (facts: AccountFacts & { readonly pageSize: unknown }) => 'refused' | 'left out'

  /** The query parameter of the cursor. */
  readonly cursorParameter: (facts: AccountFacts) => string
  /** The cursor of the page after `offset` transactions, at least one. */
  readonly cursorAt: (facts: PageFacts) => string
  /** The offset of the page of a cursor; undefined if the bank has not issued the cursor. */
  readonly offsetOfCursor: (facts: AllFacts & { readonly cursor: string }) => number | undefined
  /** The page number of a request, counted from 1; undefined if it is invalid. */
  readonly pageNumber: (facts: AllFacts & { readonly page: unknown }) => number | undefined
  readonly offsetOfPage: (facts: AllFacts & { readonly number: number }) => number
  /** The answer to a page number after the last page. */
  readonly pageBehindTheLast: (facts: PageFacts) => 'empty' | 'refused'

  /** The transactions of one page. */
  readonly pageItems: (facts: PageFacts) => readonly Transaction[]
  /** Whether the answer has a link to another page after this one. */
  readonly hasNextPage: (facts: PageFacts) => boolean
  /** The offset of the next page. */
  readonly nextOffset: (facts: PageFacts & { readonly items: readonly Transaction[] }) => number
  /** The link to the next page; `path` leads to the transactions of the account. */
  readonly nextLink: (
    facts: PageFacts & { readonly origin: string; readonly path: string; readonly query: string },
  ) => string
  readonly pageCount: (facts: AllFacts) => number

  readonly transactionBody: (facts: AccountFacts & { readonly transaction: Transaction }) => Body
  readonly transactionPageBody: (facts: PageFacts & Envelope & { readonly items: readonly Body[] }) => unknown
}

const INTEGER = /^-?\d+$/

export const transactionRules: TransactionRules = {
  bookingIsKnownAtOnce: ({ account }) => isAtOwnBank(account),
  // The history is copied only if there are bookings, since it may be long.
  transactionsOf: ({ history, bookings }) => (bookings.length === 0 ? history : [...bookings, ...history]),
  transactionOrder: ({ transactions }) => transactions,

  pageSizeAskedFor: ({ variant, pageSize }) => {
    if (variant === 'second') return Number.isInteger(pageSize) ? Number(pageSize) : undefined
    return typeof pageSize === 'string' && INTEGER.test(pageSize) ? Number(pageSize) : undefined
  },
  defaultPageSize: () => 50,
  pageSizeFloor: ({ variant }) => (variant === 'second' ? 10 : 1),
  pageSizeCeiling: () => 100,
  pageSizeBeyond: ({ variant, bound }) =>
    variant === 'first' && bound === 'ceiling' ? 'clamped' : 'refused',
  pageSizeMalformed: () => 'refused',

  cursorParameter: () => 'entryReferenceFrom',
  // The cursor is the last transaction before the page, so that a booking in the meantime does not move the page.
  cursorAt: ({ all, offset }) => all[offset - 1]?.transactionId ?? '',
  offsetOfCursor: ({ all, cursor }) => {
    const place = all.findIndex(({ transactionId }) => transactionId === cursor)
    return place === -1 ? undefined : place + 1
  },
  pageNumber: ({ page }) => {
    if (page === undefined) return 1
    return Number.isSafeInteger(page) && Number(page) >= 1 ? Number(page) : undefined
  },
  offsetOfPage: ({ number, size }) => (number - 1) * size,
  pageBehindTheLast: () => 'empty',

  pageItems: ({ all, offset, size }) => all.slice(offset, offset + size),
  hasNextPage: ({ all, offset, size }) => offset + size < all.length,
  nextOffset: ({ offset, items }) => offset + items.length,
  nextLink: ({ path, query }) => `${path}?${query}`,
  pageCount: ({ all, size }) => Math.ceil(all.length / size),

  transactionBody: ({ variant, account, transaction }) => transactionBody[variant](transaction, account),
  transactionPageBody: ({ variant, account, items, next, pageCount }) =>
    transactionPageBody[variant](account, items, { next, pageCount }),
}
