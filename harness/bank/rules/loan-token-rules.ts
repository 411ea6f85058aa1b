/** The tokens of the loan operations: who gets them, how long they live, and what else opens what. */
import type { LoanToken } from '../loans/loan.ts'
import type { PaymentToken } from '../payments/payment.ts'
import type { Client } from '../seed-data.ts'
import type { AccessToken, Grant } from '../state.ts'
import { clientRules, type Credentials } from './authorization-rules.ts'
import {
  type Awaitable,
  type ClientFacts,
  DAY,
  type Endpoint,
  type Facts,
  newSecret,
  SECOND,
  type Variant,
} from './facts.ts'

interface CarryingFacts extends Facts {
  readonly endpoint: Endpoint
}

interface LoanTokenFacts extends CarryingFacts {
  readonly token: LoanToken
}

export interface LoanTokenRules {
  /** What a request for a token says about its client: in the header, or else in the form. */
  readonly loanCredentials: (
    facts: Facts & { readonly header: string | undefined; readonly form: URLSearchParams },
  ) => Credentials | undefined
  readonly loanSecretMatches: (facts: ClientFacts & { readonly secret: string }) => Awaitable<boolean>
  readonly loanGrantTypeIsAccepted: (facts: ClientFacts & { readonly grantType: string }) => boolean
  /** Whether loans can be asked for under this scope; nothing if the request names none. */
  readonly loanScopeIsAccepted: (facts: ClientFacts & { readonly scope: string | undefined }) => boolean
  /** Given all tokens there are: one that is issued again lives anew. */
  readonly newLoanToken: (facts: ClientFacts & { readonly tokens: ReadonlyMap<string, LoanToken> }) => string
  /** In ms. */
  readonly loanTokenLifetime: (facts: ClientFacts) => number
  /** Whether an older token of the client dies when it gets a new one. */
  readonly newLoanTokenEnds: (facts: ClientFacts & { readonly older: LoanToken }) => boolean
  /** The token response, member by member, in order; `lifetime` is in ms. */
  readonly loanTokenBody: (
    facts: ClientFacts & { readonly value: string; readonly lifetime: number; readonly scope: string },
  ) => Readonly<Record<string, unknown>>

  /** The token that a loan operation carries; nothing if it carries none in the Authorization header. */
  readonly loanTokenCarried: (
    facts: CarryingFacts & { readonly header: string | undefined },
  ) => string | undefined
  /** Which token carries this value. */
  readonly loanTokenNamed: (
    facts: CarryingFacts & { readonly value: string; readonly tokens: ReadonlyMap<string, LoanToken> },
  ) => LoanToken | undefined
  readonly loanTokenIsFresh: (facts: LoanTokenFacts) => boolean
  readonly loanTokenIsRevoked: (facts: LoanTokenFacts & { readonly revokedAt: Date | undefined }) => boolean
  /** Whom a loan operation is taken for that carries no token, or one that nobody knows. */
  readonly loanCallerOtherwise: (
    facts: CarryingFacts & { readonly value: string | undefined; readonly clients: readonly Client[] },
  ) => Client | undefined
  /** Whether a token that was issued for accounts or payments, in whichever environment, opens loans. */
  readonly foreignTokenOpensLoans: (
    facts: CarryingFacts & {
      readonly token: AccessToken | PaymentToken
      readonly kind: 'accounts' | 'payments'
    },
  ) => boolean
  /** The customer's grant that a loan token is taken for by an operation of accounts. */
  readonly grantOfLoanToken: (
    facts: LoanTokenFacts & { readonly variant: Variant; readonly grants: ReadonlyMap<string, Grant> },
  ) => Grant | undefined
}

const LOAN_SCOPE = 'PAY_LATER'

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
