/** Clients and their credentials, consents, and the authorization by the customer. */
import { randomUUID } from '../random.ts'
import { type Account, type Client, type Customer, RESULT_SCREEN } from '../seed-data.ts'
import type { Consent, ConsentStatus, Grant, Step } from '../state.ts'
import type { Awaitable, ClientFacts, Endpoint, Facts } from './facts.ts'

export interface Credentials {
  readonly clientId: string
  readonly secret: string
}

export interface ClientRules {
  /** The Basic credentials of an Authorization header; undefined if it has none. */
  readonly basicCredentials: (
    facts: Facts & { readonly header: string; readonly endpoint: Endpoint },
  ) => Credentials | undefined
  /** The client with this client_id. */
  readonly clientOf: (
    facts: Facts & {
      readonly clientId: string
      readonly clients: readonly Client[]
      readonly endpoint: Endpoint
    },
  ) => Client | undefined
  readonly secretMatches: (
    facts: ClientFacts & { readonly secret: string; readonly endpoint: Endpoint },
  ) => Awaitable<boolean>
  /** The client of a request without an Authorization header. */
  readonly clientWithoutBasic: (
    facts: Facts & {
      readonly form: URLSearchParams
      readonly clients: readonly Client[]
      readonly endpoint: Endpoint
    },
  ) => Client | undefined
}

/** One space, base64, no quotes; the scheme in any case (RFC 9110 §11.1). */
const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i

export const clientRules: ClientRules = {
  basicCredentials: ({ header }) => {
    const pair = Buffer.from(BASIC.exec(header)?.[1] ?? '', 'base64').toString()
    const colon = pair.indexOf(':')
    return colon < 1 ? undefined : { clientId: pair.slice(0, colon), secret: pair.slice(colon + 1) }
  },
  clientOf: ({ clientId, clients }) => clients.find((client) => client.clientId === clientId),
  secretMatches: ({ client, secret }) => client.secret === secret,
  clientWithoutBasic: () => undefined,
}

interface ConsentFacts extends ClientFacts {
  readonly consent: Consent
}

export interface ConsentRules {
  readonly mayCreateConsents: (facts: ClientFacts) => boolean
  /** Whether a request with this X-Request-ID (undefined if absent) is accepted. */
  readonly requestIdIsAccepted: (facts: ClientFacts & { readonly requestId: string | undefined }) => boolean
  /** The X-Request-ID of the response. */
  readonly requestIdEchoed: (
    facts: Facts & { readonly requestId: string; readonly endpoint: Endpoint },
  ) => string | undefined
  readonly newConsentId: (facts: ClientFacts) => string
  /** HTTP status of a creation that succeeded. */
  readonly consentCreatedStatus: (facts: ConsentFacts) => number
  readonly consentBody: (facts: ConsentFacts) => Readonly<Record<string, unknown>>
  readonly mayReadConsent: (facts: ConsentFacts) => boolean
  readonly mayEndConsent: (facts: ConsentFacts) => boolean
  /** HTTP status of a deletion that succeeded. */
  readonly consentEndedStatus: (facts: ConsentFacts) => number
  /** Whether a consent that its client has ended is deleted. */
  readonly endedConsentIsForgotten: (facts: ConsentFacts) => boolean
  /** Whether this client can use the consent for an authorization. */
  readonly consentBelongsTo: (facts: ConsentFacts) => boolean
  /** Whether a consent in this status can be used for an authorization. */
  readonly consentIsUsable: (facts: ConsentFacts) => boolean
  /** The status after the customer's decision. */
  readonly consentAfterDecision: (
    facts: Facts & { readonly client: Client; readonly consent: Consent; readonly granted: boolean },
  ) => ConsentStatus
  /** Whether the tokens of a consent end with it. */
  readonly endOfConsentRevokes: (
    facts: Facts & { readonly consent: Consent; readonly by: 'client' | 'customer' },
  ) => boolean
}

const isOwner = ({ consent, client }: ConsentFacts): boolean => consent.clientId === client.clientId

export const consentRules: ConsentRules = {
  mayCreateConsents: ({ client }) => client.kind === 'TPP',
  requestIdIsAccepted: ({ requestId }) => requestId !== undefined && requestId !== '',
  requestIdEchoed: ({ requestId }) => requestId,
  newConsentId: () => randomUUID(),
  consentCreatedStatus: () => 201,
  consentBody: ({ consent }) => ({ consentId: consent.consentId, consentStatus: consent.status }),
  mayReadConsent: isOwner,
  mayEndConsent: isOwner,
  consentEndedStatus: () => 204,
  endedConsentIsForgotten: () => true,
  consentBelongsTo: isOwner,
  // A valid consent allows further authorizations: a new code grant after 90 days uses the existing consent.
  consentIsUsable: ({ consent }) => consent.status === 'received' || consent.status === 'valid',
  // The denial of a renewal does not end the earlier grant.
  consentAfterDecision: ({ consent, granted }) =>
    granted || consent.status === 'valid' ? 'valid' : 'rejected',
  endOfConsentRevokes: () => true,
}

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
  /** The redirect URI of a request without one. */
  readonly omittedRedirectUri: (facts: ClientFacts) => string | undefined
  /** Whether a parameter may be repeated in a request (RFC 6749 §3.1, §3.2). */
  readonly mayRepeat: (facts: Facts & { readonly name: string; readonly endpoint: Endpoint }) => boolean
  readonly responseTypeIsAccepted: (facts: ClientFacts & { readonly responseType: string }) => boolean
  readonly challengeIsRequired: (facts: ClientFacts) => boolean
  readonly challengeIsWellFormed: (
    facts: ClientFacts & { readonly challenge: string; readonly method: string | undefined },
  ) => boolean
  readonly challengeMethodIsAccepted: (
    facts: ClientFacts & { readonly method: string | undefined },
  ) => boolean
  /** The parts of a scope; undefined if the bank does not know it. */
  readonly requestedScope: (facts: ClientFacts & { readonly scope: string }) => RequestedScope | undefined
  /** Whether the scope fits the kind of client: with a consent (TPP), without one (FAC). */
  readonly scopeFitsClient: (facts: ClientFacts & { readonly requested: RequestedScope }) => boolean
  /** Whether an error is sent to the client by redirect, instead of shown in the browser. */
  readonly errorIsRedirected: (
    facts: ClientFacts & { readonly error: string; readonly redirectUri: string },
  ) => boolean
  /** The pages, in order. If none of them asks for a decision, access is granted after the last one. */
  readonly steps: (facts: ClientFacts) => readonly Step[]
  /** Whether the browser is redirected to the next page, instead of receiving it as the answer to a form. */
  readonly nextPageIsRedirectedTo: (facts: ClientFacts) => boolean
  /** The customer with this user name; undefined before the login. */
  readonly customerOf: (
    facts: ClientFacts & { readonly username: string | undefined; readonly customers: readonly Customer[] },
  ) => Customer | undefined
  readonly customerIsAuthenticated: (
    facts: ClientFacts & { readonly customer: Customer | undefined; readonly password: string },
  ) => Awaitable<boolean>
  /** HTTP status of the login page when it is shown again. */
  readonly wrongLoginStatus: (facts: ClientFacts) => number
  /** Whether the customer's decision grants access; consentId is undefined for a FAC. */
  readonly decisionGrants: (
    facts: ClientFacts & { readonly decision: 'grant' | 'deny'; readonly consentId: string | undefined },
  ) => boolean
  /** The accounts that the decision page offers for access. */
  readonly accountsOffered: (facts: ClientFacts & { readonly customer: Customer }) => readonly Account[]
  /** Whether an account is preselected on the decision page. */
  readonly accountIsTicked: (facts: ClientFacts & { readonly account: Account }) => boolean
  /** The accounts of a grant; `ticked` are the offered accounts that the customer has selected. */
  readonly grantedAccounts: (
    facts: ClientFacts & {
      readonly customer: Customer
      readonly consent: Consent | undefined
      readonly ticked: readonly Account[]
    },
  ) => readonly Account[]
  /** Whether the outcome is shown on the bank's result screen instead of sent to the redirect URI. */
  readonly resultIsShown: (facts: ReturnFacts) => boolean
  readonly stateCarriedBack: (
    facts: ReturnFacts & { readonly state: string | undefined },
  ) => string | undefined
  /** All parameters that are sent to the client. */
  readonly returnParameters: (
    facts: ReturnFacts & { readonly parameters: Readonly<Record<string, string>> },
  ) => Readonly<Record<string, string>>
  readonly returnLocation: (
    facts: ReturnFacts & { readonly parameters: Readonly<Record<string, string>> },
  ) => string
  readonly returnStatus: (facts: ReturnFacts) => 302 | 303 | 307
  /** The name of the cookie that identifies the browser of a login session. */
  readonly cookieName: (facts: Facts) => string
  /** The address of the page at `path` in the page at `from`. */
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
  // Compared exactly (RFC 6749 §3.1.2.3).
  redirectUriIsRegistered: ({ client, redirectUri }) => client.redirectUris.includes(redirectUri),
  omittedRedirectUri: () => undefined,
  mayRepeat: () => false,
  responseTypeIsAccepted: ({ responseType }) => responseType === 'code',
  challengeIsRequired: () => true,
  challengeIsWellFormed: ({ challenge, method }) =>
    (method === 'S256' ? S256_CHALLENGE : PLAIN_CHALLENGE).test(challenge),
  // An absent method means "plain" (RFC 7636 §4.3), which is not accepted.
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
