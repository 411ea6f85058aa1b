/** Clients and their credentials, consents, and the authorization by the customer. */
import { randomUUID } from 'node:crypto'
import { type Account, type Client, type Customer, RESULT_SCREEN } from '../seed-data.ts'
import type { Consent, ConsentStatus, Grant, Step } from '../state.ts'
import type { Awaitable, ClientFacts, Endpoint, Facts } from './facts.ts'

export interface Credentials {
  readonly clientId: string
  readonly secret: string
}

export interface ClientRules {
  /** What an Authorization header says about the client; nothing if it is not Basic credentials. */
  readonly basicCredentials: (
    facts: Facts & { readonly header: string; readonly endpoint: Endpoint },
  ) => Credentials | undefined
  /** Which client carries this client_id. */
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
  /** Whom a request without an Authorization header is taken for. */
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
  /** Whether the X-Request-ID (nothing if it is absent) lets the request pass. */
  readonly requestIdIsAccepted: (facts: ClientFacts & { readonly requestId: string | undefined }) => boolean
  /** What the response carries as X-Request-ID. */
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
  /** Whether a consent that its client has ended is no longer known. */
  readonly endedConsentIsForgotten: (facts: ConsentFacts) => boolean
  /** Whether a consent opens an authorization to this client. */
  readonly consentBelongsTo: (facts: ConsentFacts) => boolean
  /** Whether a consent in this status opens an authorization. */
  readonly consentIsUsable: (facts: ConsentFacts) => boolean
  /** The status once the customer has decided. */
  readonly consentAfterDecision: (
    facts: Facts & { readonly client: Client; readonly consent: Consent; readonly granted: boolean },
  ) => ConsentStatus
  /** Whether the tokens of a consent die with it. */
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
  // A valid consent opens further authorizations: a new code grant after 90 days uses the existing consent.
  consentIsUsable: ({ consent }) => consent.status === 'received' || consent.status === 'valid',
  // A customer who says no to a renewal leaves standing what was granted before.
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
