/** The formats of transactions and their pages, in each of the two variants. The interface does not define them. */
import { type Account, isAtOwnBank } from '../seed-data.ts'
import type { Bookings, Transaction } from '../state.ts'
import { units, type AccountFacts, type Body, type PerVariant } from './account-rules.ts'
import { type Facts, rule } from './facts.ts'

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
export interface AllFacts extends AccountFacts {
  readonly all: readonly Transaction[]
  readonly size: number
}

export interface PageFacts extends AllFacts {
  /** The number of transactions on the pages before. */
  readonly offset: number
  /** The number of the page, in the second variant. */
  readonly number?: number
}

const INTEGER = /^-?\d+$/

export const transactionRules = {
  /** Whether this bank knows a booking at once. */
  bookingIsKnownAtOnce: rule<Facts & { readonly account: Account; readonly transaction: Transaction }>(
    ({ account }) => isAtOwnBank(account),
  ),
  /** The transactions of an account; both lists have the newest first. */
  // The history is copied only if there are bookings, since it may be long.
  transactionsOf: rule<
    AccountFacts & { readonly history: readonly Transaction[]; readonly bookings: Bookings['known'] },
    readonly Transaction[]
  >(({ history, bookings }) => (bookings.length === 0 ? history : [...bookings, ...history])),
  /** The order of the pages, given the newest first. */
  transactionOrder: rule<
    AccountFacts & { readonly transactions: readonly Transaction[] },
    readonly Transaction[]
  >(({ transactions }) => transactions),

  /** The pageSize of a request (text of the query, or value of the body); undefined if it is not an integer. */
  pageSizeAskedFor: rule<AccountFacts & { readonly pageSize: unknown }, number | undefined>(
    ({ variant, pageSize }) => {
      if (variant === 'second') return Number.isInteger(pageSize) ? Number(pageSize) : undefined
      return typeof pageSize === 'string' && INTEGER.test(pageSize) ? Number(pageSize) : undefined
    },
  ),
  /** The size of a page if the request has no pageSize. */
  defaultPageSize: rule<AccountFacts, number>(() => 50),
  pageSizeFloor: rule<AccountFacts, number>(({ variant }) => (variant === 'second' ? 10 : 1)),
  pageSizeCeiling: rule<AccountFacts, number>(() => 100),
  /** The treatment of a pageSize out of bounds. */
  pageSizeBeyond: rule<
    AccountFacts & { readonly asked: number; readonly bound: 'floor' | 'ceiling' },
    'refused' | 'clamped'
  >(({ variant, bound }) => (variant === 'first' && bound === 'ceiling' ? 'clamped' : 'refused')),
  /** The treatment of a pageSize that is not an integer. */
  pageSizeMalformed: rule<AccountFacts & { readonly pageSize: unknown }, 'refused' | 'left out'>(
    () => 'refused',
  ),

  cursorParameter: rule<AccountFacts, string>(() => 'entryReferenceFrom'),
  /** The cursor of the page after `offset` transactions, at least one. */
  // The cursor is the last transaction before the page, so that a booking in the meantime does not move the page.
  cursorAt: rule<PageFacts, string>(({ all, offset }) => all[offset - 1]?.transactionId ?? ''),
  /** The offset of the page of a cursor; undefined if the bank has not issued the cursor. */
  offsetOfCursor: rule<AllFacts & { readonly cursor: string }, number | undefined>(({ all, cursor }) => {
    const place = all.findIndex(({ transactionId }) => transactionId === cursor)
    return place === -1 ? undefined : place + 1
  }),
  /** The page number of a request, counted from 1; undefined if it is invalid. */
  pageNumber: rule<AllFacts & { readonly page: unknown }, number | undefined>(({ page }) => {
    if (page === undefined) return 1
    return Number.isSafeInteger(page) && Number(page) >= 1 ? Number(page) : undefined
  }),
  offsetOfPage: rule<AllFacts & { readonly number: number }, number>(
    ({ number, size }) => (number - 1) * size,
  ),
  /** The answer to a page number after the last page. */
  pageBehindTheLast: rule<PageFacts, 'empty' | 'refused'>(() => 'empty'),

  pageItems: rule<PageFacts, readonly Transaction[]>(({ all, offset, size }) =>
    all.slice(offset, offset + size),
  ),
  /** Whether the answer has a link to another page after this one. */
  hasNextPage: rule<PageFacts>(({ all, offset, size }) => offset + size < all.length),
  nextOffset: rule<PageFacts & { readonly items: readonly Transaction[] }, number>(
    ({ offset, items }) => offset + items.length,
  ),
  /** The link to the next page; `path` leads to the transactions of the account. */
  nextLink: rule<
    PageFacts & { readonly origin: string; readonly path: string; readonly query: string },
    string
  >(({ path, query }) => `${path}?${query}`),
  pageCount: rule<AllFacts, number>(({ all, size }) => Math.ceil(all.length / size)),

  transactionBody: rule<AccountFacts & { readonly transaction: Transaction }, Body>(
    ({ variant, account, transaction }) => transactionBody[variant](transaction, account),
  ),
  transactionPageBody: rule<PageFacts & Envelope & { readonly items: readonly Body[] }, unknown>(
    ({ variant, account, items, next, pageCount }) =>
      transactionPageBody[variant](account, items, { next, pageCount }),
  ),
}
