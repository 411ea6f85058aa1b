import { breaking, where } from '../../shared/defects.ts'
import { hasScopeOfATpp, perBank, readingRequests, rewordingAnswers } from '../../shared/defect-wires.ts'
import { isAuthorization } from './requests.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { AUT } from '../requirements.ts'

/** Unknown clients, and redirect URIs that are not registered. */

const RESULT_SCREEN = 'https://bank.example/result'

const isUnknown = (query: URLSearchParams): boolean => query.get('client_id')?.startsWith('nobody') === true
const isMissing = (query: URLSearchParams): boolean => !query.has('client_id')

/** Reads such a request as one of the client that asked last, and changes it further. */
const takingForTheLast = (
  applies: (query: URLSearchParams) => boolean,
  change: (query: URLSearchParams) => void,
): Wire =>
  perBank(() => {
    let last = ''
    return readingRequests(isAuthorization, ({ query }) => {
      if (applies(query)) {
        query.set('client_id', last)
        change(query)
      } else if (!isUnknown(query)) last = query.get('client_id') ?? last
    })
  })

/** Sends the error of a refused request to the redirect URI of the request. */
const reporting = (applies: (query: URLSearchParams) => boolean): Wire =>
  rewordingAnswers(isAuthorization, ({ status }, { query }) =>
    status === 400 && applies(query)
      ? { status: 302, headers: { location: `${query.get('redirect_uri') ?? ''}?error=invalid_request` } }
      : undefined,
  )

const onTheResultScreen = (query: URLSearchParams): void => query.set('redirect_uri', RESULT_SCREEN)
const unedited = (): void => undefined

const clients: readonly Defect[] = [
  ...breaking(AUT.unknownClientIsRefused, {
    'unknown-client-passes-for-the-last': {
      story: 'An unknown client_id is read as that of the client that asked last.',
      alsoBreaks: [AUT.unknownClientIsNotRedirected],
      wire: takingForTheLast(isUnknown, unedited),
    },
    'unknown-client-is-shown-a-code': {
      story: 'An unknown client gets a code on the result screen.',
      wire: takingForTheLast(isUnknown, onTheResultScreen),
    },
  }),
  ...breaking(AUT.unknownClientIsNotRedirected, {
    'unknown-client-is-redirected-to': {
      story: 'The error of an unknown client is sent to its redirect URI.',
      wire: reporting(isUnknown),
    },
    'unknown-client-with-a-consent-is-redirected-to': {
      story: 'The error of an unknown client whose scope has a consent is sent to its redirect URI.',
      wire: reporting((query) => isUnknown(query) && hasScopeOfATpp(query)),
    },
  }),
  ...breaking(AUT.missingClientIsRefused, {
    'missing-client-passes-for-the-last': {
      story: 'A request without a client_id is read as one of the client that asked last.',
      alsoBreaks: [AUT.missingClientIsNotRedirected],
      wire: takingForTheLast(isMissing, unedited),
    },
    'missing-client-is-shown-a-code-in-production': {
      story: 'In production a request without a client_id gets a code on the result screen.',
      environment: 'production',
      wire: takingForTheLast(isMissing, onTheResultScreen),
    },
  }),
  ...breaking(AUT.missingClientIsNotRedirected, {
    'missing-client-is-redirected-to': {
      story: 'The error of a request without a client_id is sent to its redirect URI.',
      wire: reporting(isMissing),
    },
  }),
]

type RedirectFacts = Parameters<Rules['redirectUriIsRegistered']>[0]

/** Accepts other redirect URIs too, by a comparison with the registered ones. */
const registering = (
  accepts: (uri: string, registered: string, facts: RedirectFacts) => boolean,
): RuleChange =>
  where(
    (facts) => facts.client.redirectUris.some((registered) => accepts(facts.redirectUri, registered, facts)),
    { redirectUriIsRegistered: () => true },
  )

const hostOf = (uri: string): string => new URL(uri).host
const withoutQuery = (uri: string): string => uri.replace(/\?.*$/, '')

/** Whether a redirect URI has another host than all registered ones. */
const isForeign = ({ client, redirectUri }: RedirectFacts): boolean =>
  !client.redirectUris.some((registered) => hostOf(registered) === hostOf(redirectUri))

const foreign: readonly Defect[] = [
  ...breaking(AUT.unregisteredRedirectUriIsRefused, {
    'redirect-uri-is-not-compared': {
      story: 'Any redirect URI is accepted.',
      alsoBreaks: [AUT.unregisteredRedirectUriIsNotRedirectedTo, AUT.redirectUriIsComparedToTheLetter],
      rules: { redirectUriIsRegistered: () => true },
    },
    'redirect-uri-of-a-tpp-is-compared-by-the-beginning-of-its-host': {
      story: 'A redirect URI of a TPP is accepted if it begins with the origin of the registered one.',
      alsoBreaks: [AUT.unregisteredRedirectUriIsNotRedirectedTo],
      rules: registering(
        (uri, registered, { client }) => client.kind === 'TPP' && uri.startsWith(new URL(registered).origin),
      ),
    },
    'redirect-uri-is-searched-for-the-registered-host': {
      story: 'A redirect URI with the registered host before an at sign is accepted.',
      alsoBreaks: [AUT.unregisteredRedirectUriIsNotRedirectedTo],
      rules: registering(
        (uri, registered) =>
          uri.includes(`${hostOf(registered)}@`) && uri.endsWith(new URL(registered).pathname),
      ),
    },
    'foreign-redirect-uri-is-shown-a-code': {
      story: 'A request with a redirect URI on a foreign host gets a code on the result screen.',
      rules: where(isForeign, { redirectUriIsRegistered: () => true, resultIsShown: () => true }),
    },
  }),
  ...breaking(AUT.unregisteredRedirectUriIsNotRedirectedTo, {
    'foreign-redirect-uri-is-told-of-its-fault': {
      story: 'The error of a redirect URI on a foreign host is sent there.',
      wire: reporting((query) => hostOf(query.get('redirect_uri') ?? RESULT_SCREEN).length > 40),
    },
    'foreign-redirect-uri-is-told-of-another-fault': {
      story: 'The error of a missing response_type is sent to a redirect URI that was not compared.',
      wire: reporting((query) => !query.has('response_type')),
    },
  }),
]

const similar: readonly Defect[] = [
  ...breaking(AUT.redirectUriIsComparedToTheLetter, {
    'redirect-uri-may-be-longer': {
      story: 'A redirect URI with more characters after the registered one is accepted.',
      rules: registering((uri, registered) => uri.startsWith(registered)),
    },
    'redirect-uri-may-be-shorter': {
      story: 'A redirect URI that lacks the last character is accepted.',
      rules: registering((uri, registered) => uri === registered.slice(0, -1)),
    },
    'redirect-uri-is-compared-without-its-case': {
      story: 'Redirect URIs are compared without regard to case.',
      rules: registering((uri, registered) => uri.toLowerCase() === registered.toLowerCase()),
    },
    'redirect-uri-may-end-with-a-slash': {
      story: 'A redirect URI with a slash at its end is accepted.',
      rules: registering((uri, registered) => uri === `${registered}/`),
    },
    'redirect-uri-is-compared-without-its-query-in-production': {
      story: 'In production the query of a redirect URI is not compared.',
      environment: 'production',
      rules: registering((uri, registered) => withoutQuery(uri) === withoutQuery(registered)),
    },
  }),
]

export const clientDefects: readonly Defect[] = [...clients, ...foreign, ...similar]
