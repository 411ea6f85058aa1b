import {
  bearerIn,
  type Awaitable,
  type BearerFacts,
  type Endpoint,
  type Facts,
  type Variant,
  rule,
} from './facts.ts'
import type { Account, Customer } from '../seed-data.ts'
import type { Bookings, Grant } from '../state.ts'

/** The accounts of a Bearer token, and the formats of accounts and balances in each of the two variants. */

export type Body = Readonly<Record<string, unknown>>

export type PerVariant<Make> = Readonly<Record<Variant, Make>>

/** Amounts are numbers on the wire, in whole units of the currency. */
export const units = (hundredths: number): number => hundredths / 100

export const day = (instant: Date): string => instant.toISOString().slice(0, 10)

const BALANCE_TYPES = { booked: 'interimBooked', available: 'interimAvailable' } as const
const BALANCE_CODES = { booked: 'ITBD', available: 'ITAV' } as const

const balanceBody: PerVariant<(balance: Balance, now: Date) => Body> = {
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

const accountBody: PerVariant<(account: Account, accountId: string) => Body> = {
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

const accountListBody: PerVariant<(items: readonly Body[]) => Body> = {
  first: (items) => ({ accounts: items }),
  second: (items) => ({ accounts: items, pageCount: 1 }),
}

const detailBody: PerVariant<(account: Account, item: Body, balances: readonly Body[]) => Body> = {
  first: (_, item, balances) => ({ account: { ...item, balances } }),
  second: ({ iban, name, product, currency }, _, balances) => ({
    account: { iban, name, productName: product, baseCurrency: currency, type: 'CACC' },
    balances,
  }),
}

/** How a request names an account: by the id of the list, or by an IBAN that the customer has typed. */
export type Naming = 'id' | 'iban'

export interface CustomerFacts extends BearerFacts {
  /** The customer who has granted the access. */
  readonly customer: Customer
  readonly customers: readonly Customer[]
}

export interface AccountFacts extends CustomerFacts {
  readonly account: Account
}

/** An amount in hundredths of the currency. */
export interface Balance {
  readonly kind: 'booked' | 'available'
  readonly amount: number
  readonly currency: string
}

/** The first matching account of any customer. */
export const accountWhere = (
  customers: readonly Customer[],
  fits: (account: Account) => boolean,
): Account | undefined => customers.flatMap(({ accounts }) => accounts).find(fits)

export const accountRules = {
  /** The token in the Authorization header; undefined if there is none. */
  bearerToken: rule<
    Facts & {
      readonly header: string | undefined
      readonly query: URLSearchParams
      readonly endpoint: Endpoint
      readonly variant: Variant
    },
    string | undefined
  >(bearerIn),
  accessIsFresh: rule<BearerFacts>(({ token, now }) => now < token.expiresAt),
  accessIsRevoked: rule<BearerFacts & { readonly revokedAt: Date | undefined }>(
    ({ revokedAt }) => revokedAt !== undefined,
  ),

  /** The accounts that a grant lists, of all accounts. */
  accountsSeen: rule<CustomerFacts, Awaitable<readonly Account[]>>(({ grant, customer }) =>
    customer.accounts.filter((account) => grant.accountIds.includes(account.accountId)),
  ),
  /** The id of an account that the client sees, in lists and in notifications. */
  accountIdOf: rule<
    Facts & { readonly variant: Variant; readonly grant: Grant; readonly account: Account },
    string
  >(({ account }) => account.accountId),
  /** The account for an id that the bank has not issued; a conforming bank: undefined. */
  accountOfUnknownId: rule<CustomerFacts & { readonly accountId: string }, Account | undefined>(
    () => undefined,
  ),
  /** The account with the IBAN of the request. */
  // The electronic form, compared exactly.
  accountOfIban: rule<CustomerFacts & { readonly iban: string }, Account | undefined>(({ customers, iban }) =>
    accountWhere(customers, (account) => account.iban === iban),
  ),
  /** Whether the grant allows this operation on the account, identified in this way. */
  accountIsOpen: rule<AccountFacts & { readonly naming: Naming }, Awaitable<boolean>>(({ grant, account }) =>
    grant.accountIds.includes(account.accountId),
  ),
  /** How a JSON body identifies an account; undefined if it does not, or does so twice. */
  accountInBody: rule<
    CustomerFacts & { readonly body: Readonly<Record<string, unknown>> },
    { readonly naming: Naming; readonly name: string } | undefined
  >(({ body: { accountId, iban } }) => {
    if (typeof accountId === 'string' && iban === undefined) return { naming: 'id', name: accountId }
    if (typeof iban === 'string' && accountId === undefined) return { naming: 'iban', name: iban }
    return undefined
  }),

  /** The bookings since the opening that an answer includes. */
  bookingsSeen: rule<
    AccountFacts & Bookings & { readonly purpose: 'balances' | 'transactions' },
    Bookings['known']
  >(({ known }) => known),
  /** In hundredths of the currency. */
  bookedAmount: rule<AccountFacts & { readonly bookings: Bookings['known'] }, number>(
    ({ account, bookings }) => bookings.reduce((sum, { amount }) => sum + amount, account.openingBalance),
  ),
  /** In hundredths of the currency. */
  // No account has an overdraft or a pending payment.
  availableAmount: rule<AccountFacts & { readonly booked: number }, number>(({ booked }) => booked),
  /** The balances that are shown, in order. */
  balancesShown: rule<
    AccountFacts & { readonly booked: number; readonly available: number },
    readonly Balance[]
  >(({ account: { currency }, booked, available }) => [
    { kind: 'booked', amount: booked, currency },
    { kind: 'available', amount: available, currency },
  ]),

  balanceBody: rule<AccountFacts & { readonly balance: Balance }, Body>(({ variant, now, balance }) =>
    balanceBody[variant](balance, now),
  ),
  accountBody: rule<AccountFacts & { readonly accountId: string }, Body>(({ variant, account, accountId }) =>
    accountBody[variant](account, accountId),
  ),
  accountListBody: rule<CustomerFacts & { readonly items: readonly Body[] }, unknown>(({ variant, items }) =>
    accountListBody[variant](items),
  ),
  /** Account detail and balances, given the account object of the list. */
  accountDetailBody: rule<
    AccountFacts & { readonly item: Body; readonly balances: readonly Body[] },
    unknown
  >(({ variant, account, item, balances }) => detailBody[variant](account, item, balances)),
}
