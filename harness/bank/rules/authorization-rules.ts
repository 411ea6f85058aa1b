/** Clients and their credentials, consents, and the authorization by the customer. */
import { randomUUID } from '../random.ts'
import { type Account, type Client, type Customer, RESULT_SCREEN } from '../seed-data.ts'
import type { Consent, ConsentStatus, Grant, Step } from '../state.ts'
import { type Awaitable, type ClientFacts, type Endpoint, type Facts, rule } from './facts.ts'

export interface Credentials {
  readonly clientId: string
  readonly secret: string
}

/** One space, base64, no quotes; the scheme in any case (RFC 9110 §11.1). */
const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i

export const clientRules = {
  /** The Basic credentials of an Authorization header; undefined if it has none. */
  basicCredentials: rule<
    Facts & { readonly header: string; readonly endpoint: Endpoint },
    Credentials | undefined
  >(({ header }) => {
    const pair = Buffer.from(BASIC.exec(header)?.[1] ?? '', 'base64').toString()
    const colon = pair.indexOf(':')
    return colon < 1 ? undefined : { clientId: pair.slice(0, colon), secret: pair.slice(colon + 1) }
  }),
  clientOf: rule<
    Facts & {
      readonly clientId: string
      readonly clients: readonly Client[]
      readonly endpoint: Endpoint
    },
    Client | undefined
  >(({ clientId, clients }) => clients.find((client) => client.clientId === clientId)),
  secretMatches: rule<
    ClientFacts & { readonly secret: string; readonly endpoint: Endpoint },
    Awaitable<boolean>
  >(({ client, secret }) => client.secret === secret),
  /** The client of a request without an Authorization header. */
  clientWithoutBasic: rule<
    Facts & {
      readonly form: URLSearchParams
      readonly clients: readonly Client[]
      readonly endpoint: Endpoint
    },
    Client | undefined
  >(() => undefined),
}

export interface ConsentFacts extends ClientFacts {
  readonly consent: Consent
}

const isOwner = ({ consent, client }: ConsentFacts): boolean => consent.clientId === client.clientId

export const consentRules = {
  mayCreateConsents: rule<ClientFacts>(({ client }) => client.kind === 'TPP'),
  /** Whether a request with this X-Request-ID (undefined if absent) is accepted. */
  requestIdIsAccepted: rule<ClientFacts & { readonly requestId: string | undefined }>(
    ({ requestId }) => requestId !== undefined && requestId !== '',
  ),
  /** The X-Request-ID of the response. */
  requestIdEchoed: rule<
    Facts & { readonly requestId: string; readonly endpoint: Endpoint },
    string | undefined
  >(({ requestId }) => requestId),
  newConsentId: rule<ClientFacts, string>(() => randomUUID()),
  /** HTTP status of a creation that succeeded. */
  consentCreatedStatus: rule<ConsentFacts, number>(() => 201),
  consentBody: rule<ConsentFacts, Readonly<Record<string, unknown>>>(({ consent }) => ({
    consentId: consent.consentId,
    consentStatus: consent.status,
  })),
  mayReadConsent: rule<ConsentFacts>(isOwner),
  mayEndConsent: rule<ConsentFacts>(isOwner),
  /** HTTP status of a deletion that succeeded. */
  consentEndedStatus: rule<ConsentFacts, number>(() => 204),
  /** Whether a consent that its client has ended is deleted. */
  endedConsentIsForgotten: rule<ConsentFacts>(() => true),
  /** Whether this client can use the consent for an authorization. */
  consentBelongsTo: rule<ConsentFacts>(isOwner),
  /** Whether a consent in this status can be used for an authorization. */
  // A valid consent allows further authorizations: a new code grant after 90 days uses the existing consent.
  consentIsUsable: rule<ConsentFacts>(
    ({ consent }) => consent.status === 'received' || consent.status === 'valid',
  ),
  /** The status after the customer's decision. */
  // The denial of a renewal does not end the earlier grant.
  consentAfterDecision: rule<
    Facts & { readonly client: Client; readonly consent: Consent; readonly granted: boolean },
    ConsentStatus
  >(({ consent, granted }) => (granted || consent.status === 'valid' ? 'valid' : 'rejected')),
  /** Whether the tokens of a consent end with it. */
  endOfConsentRevokes: rule<Facts & { readonly consent: Consent; readonly by: 'client' | 'customer' }>(
    () => true,
  ),
}

export interface RequestedScope {
  readonly name: string
  readonly consentId: string | undefined
}

/** How an authorization request ended: granted or denied by the customer, or refused by the bank. */
export type Ending = 'granted' | 'denied' | 'refused'

export interface ReturnFacts extends ClientFacts {
  readonly redirectUri: string
  readonly ending: Ending
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

export const authorizationRules = {
  // Compared exactly (RFC 6749 §3.1.2.3).
  redirectUriIsRegistered: rule<ClientFacts & { readonly redirectUri: string }>(({ client, redirectUri }) =>
    client.redirectUris.includes(redirectUri),
  ),
  /** The redirect URI of a request without one. */
  omittedRedirectUri: rule<ClientFacts, string | undefined>(() => undefined),
  /** Whether a parameter may be repeated in a request (RFC 6749 §3.1, §3.2). */
  mayRepeat: rule<Facts & { readonly name: string; readonly endpoint: Endpoint }>(() => false),
  responseTypeIsAccepted: rule<ClientFacts & { readonly responseType: string }>(
    ({ responseType }) => responseType === 'code',
  ),
  challengeIsRequired: rule<ClientFacts>(() => true),
  challengeIsWellFormed: rule<
    ClientFacts & { readonly challenge: string; readonly method: string | undefined }
  >(({ challenge, method }) => (method === 'S256' ? S256_CHALLENGE : PLAIN_CHALLENGE).test(challenge)),
  // An absent method means "plain" (RFC 7636 §4.3), which is not accepted.
  challengeMethodIsAccepted: rule<ClientFacts & { readonly method: string | undefined }>(
    ({ method }) => method === 'S256',
  ),
  /** The parts of a scope; undefined if the bank does not know it. */
  requestedScope: rule<ClientFacts & { readonly scope: string }, RequestedScope | undefined>(({ scope }) => {
    const [, name, consentId] = SCOPE.exec(scope) ?? []
    return name === undefined ? undefined : { name, consentId }
  }),
  /** Whether the scope fits the kind of client: with a consent (TPP), without one (FAC). */
  scopeFitsClient: rule<ClientFacts & { readonly requested: RequestedScope }>(
    ({ client, requested }) => (client.kind === 'TPP') === (requested.consentId !== undefined),
  ),
  /** Whether an error is sent to the client by redirect, instead of shown in the browser. */
  errorIsRedirected: rule<ClientFacts & { readonly error: string; readonly redirectUri: string }>(() => true),
  /** The pages, in order. If none of them asks for a decision, access is granted after the last one. */
  steps: rule<ClientFacts, readonly Step[]>(() => ['login', 'decision']),
  /** Whether the browser is redirected to the next page, instead of receiving it as the answer to a form. */
  nextPageIsRedirectedTo: rule<ClientFacts>(() => false),
  /** The customer with this user name; undefined before the login. */
  customerOf: rule<
    ClientFacts & { readonly username: string | undefined; readonly customers: readonly Customer[] },
    Customer | undefined
  >(({ username, customers }) => customers.find((customer) => customer.username === username)),
  customerIsAuthenticated: rule<
    ClientFacts & { readonly customer: Customer | undefined; readonly password: string },
    Awaitable<boolean>
  >(({ customer, password }) => customer?.password === password),
  /** HTTP status of the login page when it is shown again. */
  wrongLoginStatus: rule<ClientFacts, number>(() => 403),
  /** Whether the customer's decision grants access; consentId is undefined for a FAC. */
  decisionGrants: rule<
    ClientFacts & { readonly decision: 'grant' | 'deny'; readonly consentId: string | undefined }
  >(({ decision }) => decision === 'grant'),
  /** The accounts that the decision page offers for access. */
  accountsOffered: rule<ClientFacts & { readonly customer: Customer }, readonly Account[]>(
    ({ customer }) => customer.accounts,
  ),
  /** Whether an account is preselected on the decision page. */
  accountIsTicked: rule<ClientFacts & { readonly account: Account }>(({ account }) => account.isTicked),
  /** The accounts of a grant; `ticked` are the offered accounts that the customer has selected. */
  grantedAccounts: rule<
    ClientFacts & {
      readonly customer: Customer
      readonly consent: Consent | undefined
      readonly ticked: readonly Account[]
    },
    readonly Account[]
  >(({ ticked }) => ticked),
  /** Whether the outcome is shown on the bank's result screen instead of sent to the redirect URI. */
  resultIsShown: rule<ReturnFacts>(({ redirectUri }) => redirectUri === RESULT_SCREEN),
  stateCarriedBack: rule<ReturnFacts & { readonly state: string | undefined }, string | undefined>(
    ({ state }) => state,
  ),
  /** All parameters that are sent to the client. */
  returnParameters: rule<
    ReturnFacts & { readonly parameters: Readonly<Record<string, string>> },
    Readonly<Record<string, string>>
  >(({ parameters }) => parameters),
  returnLocation: rule<ReturnFacts & { readonly parameters: Readonly<Record<string, string>> }, string>(
    ({ redirectUri, parameters }) => withParameters(redirectUri, parameters),
  ),
  returnStatus: rule<ReturnFacts, 302 | 303 | 307>(() => 302),
  /** The name of the cookie that identifies the browser of a login session. */
  cookieName: rule<Facts, string>(() => 'bank_session'),
  /** The address of the page at `path` in the page at `from`. */
  pageAddress: rule<
    Facts & { readonly origin: string; readonly from: string; readonly path: string },
    string
  >(({ path }) => path),
  grantedScope: rule<ClientFacts & { readonly scope: string }, string>(({ scope }) => scope),
  /** Whether a new grant ends an older one of the same client and customer. */
  newGrantRevokes: rule<ClientFacts & { readonly grant: Grant; readonly older: Grant }>(() => false),
}
