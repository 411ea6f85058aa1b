/** Transactions and their pages on the wire, in each of the two variants. The interface does not show them. */
import type { Account, Transaction } from '../world.ts'
import { units, type Body } from './account-bodies.ts'
import type { Variant } from './facts.ts'

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
