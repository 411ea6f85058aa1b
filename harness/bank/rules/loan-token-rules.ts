import { clientRules, type Credentials } from './authorization-rules.ts'
import {
  bearerIn,
  newSecret,
  DAY,
  SECOND,
  type Facts,
  type Endpoint,
  type ClientFacts,
  type Awaitable,
  type Variant,
  rule,
} from './facts.ts'
import type { LoanToken } from './loan.ts'
import type { PaymentToken } from './payment.ts'
import type { Client } from '../seed-data.ts'
import type { AccessToken, Grant } from '../state.ts'

/** The tokens of the loan operations: their clients, their lifetime, and other accepted tokens. */

export interface CarryingFacts extends Facts {
  readonly endpoint: Endpoint
}

export interface LoanTokenFacts extends CarryingFacts {
  readonly token: LoanToken
}

export const LOAN_SCOPE = 'PAY_LATER'

/** RFC 6749 §2.3.1, in the request body. */
const credentialsIn = (form: URLSearchParams): Credentials | undefined => {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
  return clientId === null || secret === null ? undefined : { clientId, secret }
}

export const loanTokenRules = {
  /** The client credentials of a token request: from the header, or else from the form. */
  loanCredentials: rule<
    Facts & { readonly header: string | undefined; readonly form: URLSearchParams },
    Credentials | undefined
  >(({ header, form, environment, now }) =>
    header === undefined
      ? credentialsIn(form)
      : clientRules.basicCredentials({ environment, now, header, endpoint: 'loan-token' }),
  ),
  loanSecretMatches: rule<ClientFacts & { readonly secret: string }, Awaitable<boolean>>(
    ({ client, secret }) => client.secret === secret,
  ),
  loanGrantTypeIsAccepted: rule<ClientFacts & { readonly grantType: string }>(
    ({ grantType }) => grantType === 'client_credentials',
  ),
  /** Whether this scope is granted; undefined if the request has none. */
  loanScopeIsAccepted: rule<ClientFacts & { readonly scope: string | undefined }>(
    ({ scope }) => scope === LOAN_SCOPE,
  ),
  /** `tokens` are all tokens: one that is issued again gets a new lifetime. */
  newLoanToken: rule<ClientFacts & { readonly tokens: ReadonlyMap<string, LoanToken> }, string>(newSecret),
  /** In ms. */
  loanTokenLifetime: rule<ClientFacts, number>(() => DAY),
  newLoanTokenEnds: rule<ClientFacts & { readonly older: LoanToken }>(() => false),
  /** The token response, member by member, in order; `lifetime` is in ms. */
  loanTokenBody: rule<
    ClientFacts & { readonly value: string; readonly lifetime: number; readonly scope: string },
    Readonly<Record<string, unknown>>
  >(({ value, lifetime, scope }) => ({
    access_token: value,
    token_type: 'Bearer',
    expires_in: Math.floor(lifetime / SECOND),
    scope,
  })),

  /** The token in the Authorization header; undefined if there is none. */
  loanTokenCarried: rule<CarryingFacts & { readonly header: string | undefined }, string | undefined>(
    bearerIn,
  ),
  loanTokenNamed: rule<
    CarryingFacts & { readonly value: string; readonly tokens: ReadonlyMap<string, LoanToken> },
    LoanToken | undefined
  >(({ value, tokens }) => tokens.get(value)),
  loanTokenIsFresh: rule<LoanTokenFacts>(({ token, now }) => now < token.expiresAt),
  loanTokenIsRevoked: rule<LoanTokenFacts & { readonly revokedAt: Date | undefined }>(
    ({ revokedAt }) => revokedAt !== undefined,
  ),
  /** The client of an operation without a token or with an unknown one; undefined if it is refused. */
  loanCallerOtherwise: rule<
    CarryingFacts & { readonly value: string | undefined; readonly clients: readonly Client[] },
    Client | undefined
  >(() => undefined),
  /** Whether a token for accounts or payments, of any environment, is accepted. */
  foreignTokenOpensLoans: rule<
    CarryingFacts & {
      readonly token: AccessToken | PaymentToken
      readonly kind: 'accounts' | 'payments'
    }
  >(() => false),
  /** The customer's grant that an account operation takes a loan token for. */
  grantOfLoanToken: rule<
    LoanTokenFacts & { readonly variant: Variant; readonly grants: ReadonlyMap<string, Grant> },
    Grant | undefined
  >(() => undefined),
}
