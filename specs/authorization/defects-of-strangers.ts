import type { Defect, RuleChange, Wire } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { AUT } from './requirements.ts'

/** Clients that nobody knows, and redirect URIs that nobody has registered. */

const RESULT_SCREEN = 'https://bank.example/result'

const isAuthorization = ({ url }: Request): boolean => new URL(url).pathname.endsWith('/authorize')

const isUnknown = (query: URLSearchParams): boolean => query.get('client_id')?.startsWith('nobody') === true
const isMissing = (query: URLSearchParams): boolean => !query.has('client_id')

/** Takes a request of a stranger for one of the client that asked last, and edits it further. */
const takingForTheLast =
  (applies: (query: URLSearchParams) => boolean, edit: (query: URLSearchParams) => void): Wire =>
  (next) => {
    let last = ''
    return async (request) => {
      const url = new URL(request.url)
      if (!isAuthorization(request)) return next(request)
      if (!applies(url.searchParams)) {
        if (!isUnknown(url.searchParams)) last = url.searchParams.get('client_id') ?? last
        return next(request)
      }
      url.searchParams.set('client_id', last)
      edit(url.searchParams)
      return next(new Request(url, request))
    }
  }

/** Sends the error of a request to the redirect URI that it names. */
const reporting =
  (applies: (query: URLSearchParams, response: Response) => boolean): Wire =>
  (next) =>
  async (request) => {
    const response = await next(request)
    const query = new URL(request.url).searchParams
    if (!isAuthorization(request) || response.status !== 400 || !applies(query, response)) return response
    const location = `${query.get('redirect_uri') ?? ''}?error=invalid_request`
    return new Response(null, { status: 302, headers: { location } })
  }

const onTheResultScreen = (query: URLSearchParams): void => query.set('redirect_uri', RESULT_SCREEN)
const unedited = (): void => undefined

const clients: readonly Defect[] = [
  {
    id: 'unknown-client-passes-for-the-last',
    story: 'A client_id that nobody has is taken for that of the client which asked last.',
    breaks: [AUT.unknownClientIsRefused, AUT.unknownClientIsNotRedirected],
    wire: takingForTheLast(isUnknown, unedited),
  },
  {
    id: 'unknown-client-is-shown-a-code',
    story: 'The code for a client that nobody knows is shown on the result screen.',
    breaks: [AUT.unknownClientIsRefused],
    wire: takingForTheLast(isUnknown, onTheResultScreen),
  },
  {
    id: 'unknown-client-is-redirected-to',
    story: 'A client that nobody knows is told so at the redirect URI that it names.',
    breaks: [AUT.unknownClientIsNotRedirected],
    wire: reporting(isUnknown),
  },
  {
    id: 'unknown-client-with-a-consent-is-redirected-to',
    story:
      'A client that nobody knows is told so at the redirect URI that it names, if its scope has a consent.',
    breaks: [AUT.unknownClientIsNotRedirected],
    wire: reporting((query) => isUnknown(query) && query.get('scope')?.includes(':') === true),
  },
  {
    id: 'missing-client-passes-for-the-last',
    story: 'A request without a client_id is taken for one of the client which asked last.',
    breaks: [AUT.missingClientIsRefused, AUT.missingClientIsNotRedirected],
    wire: takingForTheLast(isMissing, unedited),
  },
  {
    id: 'missing-client-is-shown-a-code-in-production',
    story: 'In production the code for a request without a client_id is shown on the result screen.',
    breaks: [AUT.missingClientIsRefused],
    environment: 'production',
    wire: takingForTheLast(isMissing, onTheResultScreen),
  },
  {
    id: 'missing-client-is-redirected-to',
    story: 'A request without a client_id is sent back to the redirect URI that it names.',
    breaks: [AUT.missingClientIsNotRedirected],
    wire: reporting(isMissing),
  },
]

type RedirectFacts = Parameters<Rules['redirectUriIsRegistered']>[0]

const registering =
  (registers: (uri: string, registered: string, facts: RedirectFacts) => boolean): RuleChange =>
  (lawful) => ({
    redirectUriIsRegistered: (facts) =>
      facts.client.redirectUris.some((registered) => registers(facts.redirectUri, registered, facts)) ||
      lawful.redirectUriIsRegistered(facts),
  })

const hostOf = (uri: string): string => new URL(uri).host
const withoutQuery = (uri: string): string => uri.replace(/\?.*$/, '')

/** On a host of none of the registered ones. */
const isForeign = ({ client, redirectUri }: RedirectFacts): boolean =>
  !client.redirectUris.some((registered) => hostOf(registered) === hostOf(redirectUri))

const foreign: readonly Defect[] = [
  {
    id: 'redirect-uri-is-not-compared',
    story: 'Every redirect URI will do.',
    breaks: [
      AUT.unregisteredRedirectUriIsRefused,
      AUT.unregisteredRedirectUriIsNotRedirectedTo,
      AUT.redirectUriIsComparedToTheLetter,
    ],
    rules: { redirectUriIsRegistered: () => true },
  },
  {
    id: 'redirect-uri-of-a-tpp-is-compared-by-the-beginning-of-its-host',
    story: 'For a TPP a redirect URI that begins with the origin of the registered one will do.',
    breaks: [AUT.unregisteredRedirectUriIsRefused, AUT.unregisteredRedirectUriIsNotRedirectedTo],
    rules: registering(
      (uri, registered, { client }) => client.kind === 'TPP' && uri.startsWith(new URL(registered).origin),
    ),
  },
  {
    id: 'redirect-uri-is-searched-for-the-registered-host',
    story: 'A redirect URI in which the registered host stands anywhere, even before an at sign, will do.',
    breaks: [AUT.unregisteredRedirectUriIsRefused, AUT.unregisteredRedirectUriIsNotRedirectedTo],
    rules: registering(
      (uri, registered) =>
        uri.includes(`${hostOf(registered)}@`) && uri.endsWith(new URL(registered).pathname),
    ),
  },
  {
    id: 'foreign-redirect-uri-is-shown-a-code',
    story: 'Where the redirect URI is on a foreign host, the code is shown on the result screen.',
    breaks: [AUT.unregisteredRedirectUriIsRefused],
    rules: (lawful) => ({
      redirectUriIsRegistered: (facts) => isForeign(facts) || lawful.redirectUriIsRegistered(facts),
      resultIsShown: (facts) => isForeign(facts) || lawful.resultIsShown(facts),
    }),
  },
  {
    id: 'foreign-redirect-uri-is-told-of-its-fault',
    story: 'A redirect URI on a foreign host is refused, by a redirect to it.',
    breaks: [AUT.unregisteredRedirectUriIsNotRedirectedTo],
    wire: reporting((query) => hostOf(query.get('redirect_uri') ?? RESULT_SCREEN).length > 40),
  },
  {
    id: 'foreign-redirect-uri-is-told-of-another-fault',
    story: 'A request without a response_type is sent back before its redirect URI is compared.',
    breaks: [AUT.unregisteredRedirectUriIsNotRedirectedTo],
    wire: reporting((query) => !query.has('response_type')),
  },
]

const similar: readonly Defect[] = [
  {
    id: 'redirect-uri-may-be-longer',
    story: 'A redirect URI that begins with the registered one will do.',
    breaks: [AUT.redirectUriIsComparedToTheLetter],
    rules: registering((uri, registered) => uri.startsWith(registered)),
  },
  {
    id: 'redirect-uri-may-be-shorter',
    story: 'A redirect URI that lacks the last character of its path will do.',
    breaks: [AUT.redirectUriIsComparedToTheLetter],
    rules: registering((uri, registered) => uri === registered.slice(0, -1)),
  },
  {
    id: 'redirect-uri-is-compared-without-its-case',
    story: 'The letters of a redirect URI may have any case.',
    breaks: [AUT.redirectUriIsComparedToTheLetter],
    rules: registering((uri, registered) => uri.toLowerCase() === registered.toLowerCase()),
  },
  {
    id: 'redirect-uri-may-end-with-a-slash',
    story: 'A slash at the end of a redirect URI makes no difference.',
    breaks: [AUT.redirectUriIsComparedToTheLetter],
    rules: registering((uri, registered) => uri === `${registered}/`),
  },
  {
    id: 'redirect-uri-is-compared-without-its-query-in-production',
    story: 'In production a redirect URI may have any query.',
    breaks: [AUT.redirectUriIsComparedToTheLetter],
    environment: 'production',
    rules: registering((uri, registered) => withoutQuery(uri) === withoutQuery(registered)),
  },
]

export const defectsOfStrangers: readonly Defect[] = [...clients, ...foreign, ...similar]
