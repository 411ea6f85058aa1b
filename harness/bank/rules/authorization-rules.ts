/** What an authorization request must bring, and how its answer travels back. */
import { RESULT_SCREEN } from '../residents.ts'
import type { Account, Consent, Customer, Grant, Step } from '../world.ts'
import type { Awaitable, ClientFacts, Endpoint, Facts } from './facts.ts'

export interface RequestedScope {
  readonly name: string
  readonly consentId: string | undefined
}

/** How an authorization request ended: granted or denied by the customer, or refused by the bank. */
export type Ending = 'granted' | 'denied' | 'refused'

interface ReturnFacts extends ClientFacts {
  readonly redirectUri: string
  readonly ending: Ending
}

export interface AuthorizationRules {
  readonly redirectUriIsRegistered: (facts: ClientFacts & { readonly redirectUri: string }) => boolean
  /** Which redirect URI counts if the request names none. */
  readonly omittedRedirectUri: (facts: ClientFacts) => string | undefined
  /** Whether a parameter may stand twice in a request (RFC 6749 §3.1, §3.2). */
  readonly mayRepeat: (facts: Facts & { readonly name: string; readonly endpoint: Endpoint }) => boolean
  readonly responseTypeIsAccepted: (facts: ClientFacts & { readonly responseType: string }) => boolean
  readonly challengeIsRequired: (facts: ClientFacts) => boolean
  readonly challengeIsWellFormed: (
    facts: ClientFacts & { readonly challenge: string; readonly method: string | undefined },
  ) => boolean
  readonly challengeMethodIsAccepted: (
    facts: ClientFacts & { readonly method: string | undefined },
  ) => boolean
  /** The words of a scope; nothing if it asks for what this bank does not know. */
  readonly requestedScope: (facts: ClientFacts & { readonly scope: string }) => RequestedScope | undefined
  /** Whether a client of this kind may ask so: with a consent (TPP), without one (FAC). */
  readonly scopeFitsClient: (facts: ClientFacts & { readonly requested: RequestedScope }) => boolean
  /** Whether an error goes back to the client by redirect, or is shown to the browser. */
  readonly errorIsRedirected: (
    facts: ClientFacts & { readonly error: string; readonly redirectUri: string },
  ) => boolean
  /** The pages a customer passes, in order; after the last one without a decision, access is granted. */
  readonly steps: (facts: ClientFacts) => readonly Step[]
  /** Whether the browser is sent to the next page, or shown it as the answer to the one before. */
  readonly nextPageIsRedirectedTo: (facts: ClientFacts) => boolean
  /** Who has this user name; nobody, while the visitor has not logged in. */
  readonly customerOf: (
    facts: ClientFacts & { readonly username: string | undefined; readonly customers: readonly Customer[] },
  ) => Customer | undefined
  readonly customerIsAuthenticated: (
    facts: ClientFacts & { readonly customer: Customer | undefined; readonly password: string },
  ) => Awaitable<boolean>
  /** HTTP status of the login page when it is shown again. */
  readonly wrongLoginStatus: (facts: ClientFacts) => number
  /** Whether the customer's answer opens the accounts; a FAC asks under no consent. */
  readonly decisionGrants: (
    facts: ClientFacts & { readonly decision: 'grant' | 'deny'; readonly consentId: string | undefined },
  ) => boolean
  /** The accounts that the decision page offers for access. */
  readonly accountsOffered: (facts: ClientFacts & { readonly customer: Customer }) => readonly Account[]
  /** Whether an account is ticked on the decision page before the customer has looked at it. */
  readonly accountIsTicked: (facts: ClientFacts & { readonly account: Account }) => boolean
  /** The accounts that a grant opens; `ticked` are those offered that the customer has left or made ticked. */
  readonly grantedAccounts: (
    facts: ClientFacts & {
      readonly customer: Customer
      readonly consent: Consent | undefined
      readonly ticked: readonly Account[]
    },
  ) => readonly Account[]
  /** Whether the outcome is shown on the bank's result screen rather than sent to the redirect URI. */
  readonly resultIsShown: (facts: ReturnFacts) => boolean
  readonly stateCarriedBack: (
    facts: ReturnFacts & { readonly state: string | undefined },
  ) => string | undefined
  /** All that is sent back to the client. */
  readonly returnParameters: (
    facts: ReturnFacts & { readonly parameters: Readonly<Record<string, string>> },
  ) => Readonly<Record<string, string>>
  readonly returnLocation: (
    facts: ReturnFacts & { readonly parameters: Readonly<Record<string, string>> },
  ) => string
  readonly returnStatus: (facts: ReturnFacts) => 302 | 303 | 307
  /** The name of the cookie that ties the pages of a visit to one browser. */
  readonly cookieName: (facts: Facts) => string
  /** How the page at the path `from` points at the page at `path`. */
  readonly pageAddress: (
    facts: Facts & { readonly origin: string; readonly from: string; readonly path: string },
  ) => string
  /** The scope of the grant that follows. */
  readonly grantedScope: (facts: ClientFacts & { readonly scope: string }) => string
  /** Whether a new grant ends an older one of the same client and customer. */
  readonly newGrantRevokes: (facts: ClientFacts & { readonly grant: Grant; readonly older: Grant }) => boolean
}

/** base64url of a SHA-256 digest, without padding (RFC 7636 §4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** RFC 7636 §4.2: a plain challenge is the verifier itself. */
const PLAIN_CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/

const SCOPE = /^(PREMIUM_AIS)(?::(\S+))?$/

const withParameters = (uri: string, parameters: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams(parameters).toString()
  // A query that the redirect URI already has is kept as it is (RFC 6749 §3.1.2).
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`
}

export const authorizationRules: AuthorizationRules = {
  // Compared letter by letter (RFC 6749 §3.1.2.3).
  redirectUriIsRegistered: ({ client, redirectUri }) => client.redirectUris.includes(redirectUri),
  omittedRedirectUri: () => undefined,
  mayRepeat: () => false,
  responseTypeIsAccepted: ({ responseType }) => responseType === 'code',
  challengeIsRequired: () => true,
  challengeIsWellFormed: ({ challenge, method }) =>
    (method === 'S256' ? S256_CHALLENGE : PLAIN_CHALLENGE).test(challenge),
  // A method left out means "plain" (RFC 7636 §4.3), which is not accepted.
  challengeMethodIsAccepted: ({ method }) => method === 'S256',
  requestedScope: ({ scope }) => {
    const [, name, consentId] = SCOPE.exec(scope) ?? []
    return name === undefined ? undefined : { name, consentId }
  },
  scopeFitsClient: ({ client, requested }) => (client.kind === 'TPP') === (requested.consentId !== undefined),
  errorIsRedirected: () => true,
  steps: () => ['login', 'decision'],
  nextPageIsRedirectedTo: () => false,
  customerOf: ({ username, customers }) => customers.find((customer) => customer.username === username),
  customerIsAuthenticated: ({ customer, password }) => customer?.password === password,
  wrongLoginStatus: () => 403,
  decisionGrants: ({ decision }) => decision === 'grant',
  accountsOffered: ({ customer }) => customer.accounts,
  accountIsTicked: ({ account }) => account.isTicked,
  grantedAccounts: ({ ticked }) => ticked,
  resultIsShown: ({ redirectUri }) => redirectUri === RESULT_SCREEN,
  stateCarriedBack: ({ state }) => state,
  returnParameters: ({ parameters }) => parameters,
  returnLocation: ({ redirectUri, parameters }) => withParameters(redirectUri, parameters),
  returnStatus: () => 302,
  cookieName: () => 'bank_session',
  pageAddress: ({ path }) => path,
  grantedScope: ({ scope }) => scope,
  newGrantRevokes: () => false,
}
