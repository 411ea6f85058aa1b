/** Accounts and balances on the wire, in each of the two variants. The interface does not show them. */
import type { Account } from '../world.ts'
import type { Variant } from './facts.ts'
import type { Balance } from './account-rules.ts'

export type Body = Readonly<Record<string, unknown>>

type PerVariant<Make> = Readonly<Record<Variant, Make>>

/** Amounts are numbers on the wire, in whole units of the currency. */
export const units = (hundredths: number): number => hundredths / 100

export const day = (instant: Date): string => instant.toISOString().slice(0, 10)

const BALANCE_TYPES = { booked: 'interimBooked', available: 'interimAvailable' } as const
const BALANCE_CODES = { booked: 'ITBD', available: 'ITAV' } as const

export const balanceBody: PerVariant<(balance: Balance, now: Date) => Body> = {
  first: ({ kind, amount, currency }, now) => ({
    balanceAmount: { currency, amount: units(amount) },
    balanceType: BALANCE_TYPES[kind],
    referenceDate: day(now),
  }),
  second: ({ kind, amount, currency }) => ({
    typeCodeOrProprietary: BALANCE_CODES[kind],
    amount: { value: units(Math.abs(amount)), currency },
    creditDebitIndicator: amount < 0 ? 'DBIT' : 'CRDT',
  }),
}

export const accountBody: PerVariant<(account: Account, accountId: string) => Body> = {
  first: ({ iban, currency, name, product, usage, bankCode, bankName, bic }, accountId) => ({
    accountId,
    accountReference: { iban, currency },
    name,
    product,
    cashAccountType: 'CACC',
    usage,
    status: 'enabled',
    bankCode,
    bankName,
    bic,
  }),
  second: ({ iban, name, product, currency }, accountId) => ({
    identification: accountId,
    iban,
    name,
    productName: product,
    type: 'CACC',
    baseCurrency: currency,
    consent: true,
  }),
}

export const accountListBody: PerVariant<(items: readonly Body[]) => Body> = {
  first: (items) => ({ accounts: items }),
  second: (items) => ({ accounts: items, pageCount: 1 }),
}

export const detailBody: PerVariant<(account: Account, item: Body, balances: readonly Body[]) => Body> = {
  first: (_, item, balances) => ({ account: { ...item, balances } }),
  second: ({ iban, name, product, currency }, _, balances) => ({
    account: { iban, name, productName: product, baseCurrency: currency, type: 'CACC' },
    balances,
  }),
}
