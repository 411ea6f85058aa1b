import { clientRules, type Credentials } from './authorization-rules.ts'
import {
  newSecret,
  DAY,
  SECOND,
  type Facts,
  type Endpoint,
  type ClientFacts,
  type Awaitable,
  type Variant,
} from './facts.ts'
import type { LoanToken } from './loan.ts'
import type { PaymentToken } from './payment.ts'
import type { Client } from '../seed-data.ts'
import type { AccessToken, Grant } from '../state.ts'

/** The tokens of the loan operations: their clients, their lifetime, and other accepted tokens. */

interface CarryingFacts extends Facts {
  readonly endpoint: Endpoint
}

interface LoanTokenFacts extends CarryingFacts {
  readonly token: LoanToken
}

export interface LoanTokenRules {
  /** The client credentials of a token request: from the header, or else from the form. */
  readonly loanCredentials: (
    facts: Facts & { readonly header: string | undefined; readonly form: URLSearchParams },
  ) => Credentials | undefined
  readonly loanSecretMatches: (facts: ClientFacts & { readonly secret: string }) => Awaitable<boolean>
  readonly loanGrantTypeIsAccepted: (facts: ClientFacts & { readonly grantType: string }) => boolean
  /** Whether this scope is granted; undefined if the request has none. */
  readonly loanScopeIsAccepted: (facts: ClientFacts & { readonly scope: string | undefined }) => boolean
  /** `tokens` are all tokens: one that is issued again gets a new lifetime. */
  readonly newLoanToken: (facts: ClientFacts & { readonly tokens: ReadonlyMap<string, LoanToken> }) => string
  /** In ms. */
  readonly loanTokenLifetime: (facts: ClientFacts) => number
  /** Whether a new token ends an older one of the client. */
  readonly newLoanTokenEnds: (facts: ClientFacts & { readonly older: LoanToken }) => boolean
  /** The token response, member by member, in order; `lifetime` is in ms. */
  readonly loanTokenBody: (
    facts: ClientFacts & { readonly value: string; readonly lifetime: number; readonly scope: string },
  ) => Readonly<Record<string, unknown>>

  /** The token in the Authorization header; undefined if there is none. */
  readonly loanTokenCarried: (
    facts: CarryingFacts & { readonly header: string | undefined },
  ) => string | undefined
  /** The token with this value. */
  readonly loanTokenNamed: (
    facts: CarryingFacts & { readonly value: string; readonly tokens: ReadonlyMap<string, LoanToken> },
  ) => LoanToken | undefined
  readonly loanTokenIsFresh: (facts: LoanTokenFacts) => boolean
  readonly loanTokenIsRevoked: (facts: LoanTokenFacts & { readonly revokedAt: Date | undefined }) => boolean
  /** The client of an operation without a token or with an unknown one; undefined if it is refused. */
  readonly loanCallerOtherwise: (
    facts: CarryingFacts & { readonly value: string | undefined; readonly clients: readonly Client[] },
  ) => Client | undefined
  /** Whether a token for accounts or payments, of any environment, is accepted. */
  readonly foreignTokenOpensLoans: (
    facts: CarryingFacts & {
      readonly token: AccessToken | PaymentToken
      readonly kind: 'accounts' | 'payments'
    },
  ) => boolean
  /** The customer's grant that an account operation takes a loan token for. */
  readonly grantOfLoanToken: (
    facts: LoanTokenFacts & { readonly variant: Variant; readonly grants: ReadonlyMap<string, Grant> },
  ) => Grant | undefined
}

export const LOAN_SCOPE = 'PAY_LATER'

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i

/** RFC 6749 §2.3.1, in the request body. */
const credentialsIn = (form: URLSearchParams): Credentials | undefined => {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
  return clientId === null || secret === null ? undefined : { clientId, secret }
}

export const loanTokenRules: LoanTokenRules = {
  loanCredentials: ({ header, form, environment, now }) =>
    header === undefined
      ? credentialsIn(form)
      : clientRules.basicCredentials({ environment, now, header, endpoint: 'loan-token' }),
  loanSecretMatches: ({ client, secret }) => client.secret === secret,
  loanGrantTypeIsAccepted: ({ grantType }) => grantType === 'client_credentials',
  loanScopeIsAccepted: ({ scope }) => scope === LOAN_SCOPE,
  newLoanToken: newSecret,
  loanTokenLifetime: () => DAY,
  newLoanTokenEnds: () => false,
  loanTokenBody: ({ value, lifetime, scope }) => ({
    access_token: value,
    token_type: 'Bearer',
    expires_in: Math.floor(lifetime / SECOND),
    scope,
  }),

  loanTokenCarried: ({ header }) => (header === undefined ? undefined : BEARER.exec(header)?.[1]),
  loanTokenNamed: ({ value, tokens }) => tokens.get(value),
  loanTokenIsFresh: ({ token, now }) => now < token.expiresAt,
  loanTokenIsRevoked: ({ revokedAt }) => revokedAt !== undefined,
  loanCallerOtherwise: () => undefined,
  foreignTokenOpensLoans: () => false,
  grantOfLoanToken: () => undefined,
}
