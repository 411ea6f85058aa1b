/** What a Bearer token opens. */
import type { AccessToken, Account, Customer, Grant } from '../world.ts'
import type { Awaitable, Endpoint, Facts } from './facts.ts'

interface BearerFacts extends Facts {
  readonly token: AccessToken
  readonly grant: Grant
}

export interface AccountRules {
  /** The token that a request carries; nothing if it carries none in the Authorization header. */
  readonly bearerToken: (
    facts: Facts & {
      readonly header: string | undefined
      readonly query: URLSearchParams
      readonly endpoint: Endpoint
    },
  ) => string | undefined
  readonly accessIsFresh: (facts: BearerFacts) => boolean
  readonly accessIsRevoked: (facts: BearerFacts & { readonly revokedAt: Date | undefined }) => boolean
  /** Which accounts of all that exist a grant shows. */
  readonly accountsSeen: (
    facts: BearerFacts & {
      readonly customer: Customer
      readonly customers: readonly Customer[]
    },
  ) => Awaitable<readonly Account[]>
  readonly accountBody: (
    facts: BearerFacts & { readonly account: Account },
  ) => Readonly<Record<string, unknown>>
  readonly accountListBody: (
    facts: BearerFacts & { readonly items: readonly Readonly<Record<string, unknown>>[] },
  ) => unknown
}

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i

export const accountRules: AccountRules = {
  bearerToken: ({ header }) => (header === undefined ? undefined : BEARER.exec(header)?.[1]),
  accessIsFresh: ({ token, now }) => now < token.expiresAt,
  accessIsRevoked: ({ revokedAt }) => revokedAt !== undefined,
  accountsSeen: ({ grant, customer }) =>
    customer.accounts.filter((account) => grant.accountIds.includes(account.accountId)),
  accountBody: ({ account }) => ({
    accountId: account.accountId,
    accountReference: { iban: account.iban, currency: account.currency },
    name: account.name,
    product: account.product,
    cashAccountType: 'CACC',
    usage: account.usage,
    status: 'enabled',
    bankCode: account.bankCode,
    bankName: account.bankName,
    bic: account.bic,
  }),
  accountListBody: ({ items }) => ({ accounts: items }),
}
