/** Transactions and their pages on the wire, in each of the two variants. The interface does not show them. */
import { type Account, isAtOwnBank } from '../seed-data.ts'
import type { Bookings, Transaction } from '../state.ts'
import { units, type AccountFacts, type Body } from './account-rules.ts'
import type { Facts, Variant } from './facts.ts'

type PerVariant<Make> = Readonly<Record<Variant, Make>>

/** What a page has around its transactions. */
export interface Envelope {
  /** How the next page is reached; nothing on the last page, and in the second variant. */
  readonly next: string | undefined
  /** Of all pages of this size. */
  readonly pageCount: number
}

/** The other side of a transaction, under the name of its role. */
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

interface PageFacts extends AllFacts {
  /** How many transactions stand on the pages before. */
  readonly offset: number
}

export interface TransactionRules {
  /** Whether this bank knows of a booking the moment it is made. */
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

  /** The pageSize of a request, as far as it is an integer: a text of the query, or a value of the body. */
  readonly pageSizeAskedFor: (facts: AccountFacts & { readonly pageSize: unknown }) => number | undefined
  /** The size of a page if the request names none. */
  readonly defaultPageSize: (facts: AccountFacts) => number
  readonly pageSizeFloor: (facts: AccountFacts) => number
  readonly pageSizeCeiling: (facts: AccountFacts) => number
  /** What becomes of a pageSize beyond one of the two. */
  readonly pageSizeBeyond: (
    facts: AccountFacts & { readonly asked: number; readonly bound: 'floor' | 'ceiling' },
  ) => 'refused' | 'clamped'
  /** What becomes of a pageSize that is no integer. */
  readonly pageSizeMalformed: (facts: AccountFacts & { readonly pageSize: unknown }) => 'refused' | 'left out'

  /** The parameter of the query that carries a cursor. */
  readonly cursorParameter: (facts: AccountFacts) => string
  /** The cursor of the page behind `offset` transactions, at least one. */
  readonly cursorAt: (facts: PageFacts) => string
  /** Where the page of a cursor begins; nothing if the bank has issued no such cursor. */
  readonly offsetOfCursor: (facts: AllFacts & { readonly cursor: string }) => number | undefined
  /** The page number of a request, counted from 1; nothing if it is none. */
  readonly pageNumber: (facts: AllFacts & { readonly page: unknown }) => number | undefined
  readonly offsetOfPage: (facts: AllFacts & { readonly number: number }) => number
  /** What answers a page number behind the last page. */
  readonly pageBehindTheLast: (facts: PageFacts) => 'empty' | 'refused'

  /** The transactions of one page. */
  readonly pageItems: (facts: PageFacts) => readonly Transaction[]
  /** Whether the answer names another page behind this one. */
  readonly hasNextPage: (facts: PageFacts) => boolean
  /** Where the next page begins. */
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
  // Nothing is copied where nothing was booked: an account may have a long history.
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
  // The last transaction before it: a booking in the meantime moves no page.
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
