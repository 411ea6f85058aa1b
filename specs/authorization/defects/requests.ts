import { AUT } from '../requirements.ts'
import {
  answering,
  breaking,
  hasScopeOfATpp,
  isFor,
  isOfATpp,
  on,
  perBank,
  readingRequests,
  rewordingAnswers,
  where,
} from '../../shared/defects.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** Valid authorization requests that are refused, and invalid ones that are granted. */

export const isAuthorization = on('GET', /\/authorize$/)

/** A refusal as a page of the bank. */
export const refusalPage = (status: number): Response =>
  new Response('<!doctype html><title>No</title>', { status, headers: { 'content-type': 'text/html' } })

const refusing = (status: number, applies: (query: URLSearchParams) => boolean): Wire =>
  answering(isAuthorization, ({ query }) => (applies(query) ? refusalPage(status) : undefined))

/** Reads an authorization request as another one. */
const reading = (change: (query: URLSearchParams) => void): Wire =>
  readingRequests(isAuthorization, ({ query }) => change(query))

const KNOWN = [
  'client_id',
  'response_type',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
]

const accepted: readonly Defect[] = [
  ...breaking(AUT.requestsByGetAreServed, {
    'authorization-takes-post-alone': {
      story: 'The authorization endpoint serves POST only.',
      // No browser gets to a grant.
      alsoBreaks: [AUT.finalApiConsumerScopeIsGranted, AUT.consentScopeIsGrantedToATpp, 'CON-10', 'PAY-09'],
      wire: refusing(405, () => true),
    },
    'parameters-have-an-order': {
      story: 'An authorization request is refused unless client_id is its first parameter.',
      // Over plain HTTP as well.
      alsoBreaks: ['ENV-12'],
      wire: refusing(400, (query) => query.keys().next().value !== 'client_id' && query.has('client_id')),
    },
    'parameters-of-a-tpp-have-an-order': {
      story: 'An authorization request of a TPP is refused if its scope comes after the code_challenge.',
      wire: refusing(400, (query) => {
        const names = [...query.keys()]
        return (
          hasScopeOfATpp(query) &&
          names.indexOf('code_challenge') < names.indexOf('scope') &&
          query.has('code_challenge')
        )
      }),
    },
  }),
  ...breaking(AUT.unrecognizedParameterIsIgnored, {
    'unrecognized-parameter-is-refused': {
      story: 'An authorization request with an unrecognized parameter is refused.',
      // An authorization of a payment names its order in a parameter of its own.
      alsoBreaks: ['PAY-09'],
      wire: refusing(400, (query) => [...query.keys()].some((name) => !KNOWN.includes(name))),
    },
    'unrecognized-parameter-of-a-tpp-is-refused-in-production': {
      story: 'In production an authorization request of a TPP with an unrecognized parameter is refused.',
      environment: 'production',
      wire: refusing(
        400,
        (query) => hasScopeOfATpp(query) && [...query.keys()].some((name) => !KNOWN.includes(name)),
      ),
    },
  }),
  ...breaking(AUT.finalApiConsumerScopeIsGranted, {
    'scope-of-a-fac-is-refused': {
      story: 'A FAC is refused the scope PREMIUM_AIS.',
      rules: (lawful) => ({
        scopeFitsClient: (facts) => facts.client.kind === 'TPP' && lawful.scopeFitsClient(facts),
      }),
    },
    'scope-of-a-fac-is-refused-in-production': {
      story: 'In production a scope without a consent is refused.',
      environment: 'production',
      rules: { scopeFitsClient: ({ requested }) => requested.consentId !== undefined },
    },
  }),
  ...breaking(AUT.consentScopeIsGrantedToATpp, {
    'scope-of-a-tpp-is-refused': {
      story: 'A scope with a colon is refused.',
      // The scope of every consent has one.
      alsoBreaks: ['CON-10'],
      rules: (lawful) => ({
        requestedScope: (facts) => (facts.scope.includes(':') ? undefined : lawful.requestedScope(facts)),
      }),
    },
    'consent-is-filed-late': {
      story: 'A consent is unknown to the first authorization request after its creation.',
      rules: (lawful) => {
        let unfiled: string | undefined
        return {
          newConsentId: (facts) => {
            unfiled = lawful.newConsentId(facts)
            return unfiled
          },
          consentIsUsable: (facts) => {
            const isUnfiled = facts.consent.consentId === unfiled
            unfiled = undefined
            return !isUnfiled && lawful.consentIsUsable(facts)
          },
        }
      },
    },
  }),
]

/** Reads the first word of a scope only. */
const overlookingWords =
  (overlooks: (facts: Parameters<Rules['requestedScope']>[0]) => boolean): RuleChange =>
  (lawful) => ({
    requestedScope: (facts) =>
      lawful.requestedScope(overlooks(facts) ? { ...facts, scope: facts.scope.split(' ')[0] ?? '' } : facts),
  })

const scopes: readonly Defect[] = [
  ...breaking(AUT.unknownScopeIsNotGranted, {
    'unknown-scope-is-granted': {
      story: 'An unknown word of the scope is granted, and is in the scope of the token answer.',
      rules: overlookingWords(() => true),
    },
    'unknown-scope-of-a-tpp-is-granted': {
      story: 'A TPP is granted an unknown word of the scope.',
      rules: overlookingWords(isOfATpp),
    },
    'unknown-scope-is-granted-in-silence': {
      story: 'An unknown word of the scope is not granted, and the token answer does not say so.',
      // The token answer would have to say so.
      alsoBreaks: ['TOK-10'],
      rules: (lawful) => ({
        requestedScope: (facts) =>
          lawful.requestedScope({ ...facts, scope: facts.scope.split(' ')[0] ?? '' }),
        statedScope: (facts) => (facts.scope.includes(' ') ? undefined : lawful.statedScope(facts)),
      }),
    },
  }),
]

/** Reads another name in the scope as that of account access. */
const knowingScopes =
  (isKnown: (name: string, facts: Parameters<Rules['requestedScope']>[0]) => boolean): RuleChange =>
  (lawful) => ({
    requestedScope: (facts) => {
      const [name = '', ...consent] = facts.scope.split(':')
      return lawful.requestedScope(
        isKnown(name, facts) ? { ...facts, scope: ['PREMIUM_AIS', ...consent].join(':') } : facts,
      )
    },
  })

const otherScopes: readonly Defect[] = breaking(AUT.otherScopeOpensNoAccount, {
  'scope-is-compared-without-its-case': {
    story: 'The scope is compared without regard to case.',
    rules: knowingScopes((name) => name.toUpperCase() === 'PREMIUM_AIS'),
  },
  'scope-of-a-tpp-is-known-by-its-beginning': {
    story: 'A scope of a TPP that begins with PREMIUM_AIS is read as PREMIUM_AIS.',
    rules: knowingScopes((name, facts) => isOfATpp(facts) && /^PREMIUM_AIS\w+$/.test(name)),
  },
  'scope-may-be-cut-short': {
    story: 'The beginning of PREMIUM_AIS is read as the whole scope.',
    rules: knowingScopes((name) => name.length > 4 && 'PREMIUM_AIS'.startsWith(name)),
  },
})

/** Serves the implicit grant, with the token in this part of the address. */
const implicitly = (part: (token: string) => string): Wire =>
  answering(isAuthorization, ({ query }) =>
    query.get('response_type') === 'token'
      ? new Response(null, {
          status: 302,
          headers: { location: `${query.get('redirect_uri') ?? ''}${part(crypto.randomUUID())}` },
        })
      : undefined,
  )

const responseTypes: readonly Defect[] = [
  ...breaking(AUT.missingResponseTypeIsRefused, {
    'missing-response-type-means-code': {
      story: 'A request without a response_type is granted a code.',
      wire: reading((query) => {
        if (!query.has('response_type')) query.set('response_type', 'code')
      }),
      inProduction: 'missing-response-type-means-code-in-production',
    },
  }),
  ...breaking(AUT.unknownResponseTypeIsRefused, {
    'every-response-type-means-code': {
      story: 'A code is granted for any response_type.',
      rules: { responseTypeIsAccepted: () => true },
    },
  }),
  ...breaking(AUT.responseTypeTokenGivesNoToken, {
    'response-type-token-gives-a-token': {
      story: 'The implicit grant is served, with the token in the fragment.',
      wire: implicitly((token) => `#access_token=${token}&token_type=Bearer`),
    },
    'response-type-token-gives-a-token-in-the-query': {
      story: 'In production the implicit grant is served, with the token in the query.',
      environment: 'production',
      wire: implicitly((token) => `?access_token=${token}`),
    },
  }),
  ...breaking(AUT.unknownResponseTypeIsNamed, {
    'unknown-response-type-is-an-invalid-request': {
      story: 'An undefined response_type is reported as invalid_request.',
      rules: (lawful) => ({
        returnParameters: (facts) => {
          const parameters = lawful.returnParameters(facts)
          return parameters['error'] === 'unsupported_response_type'
            ? { ...parameters, error: 'invalid_request' }
            : parameters
        },
      }),
    },
    'unknown-response-type-is-nameless': {
      story: 'An undefined response_type is reported without an error.',
      rules: (lawful) => ({
        returnParameters: (facts) => {
          const { error = '', ...others } = lawful.returnParameters(facts)
          return error === '' || error === 'unsupported_response_type' ? others : { ...others, error }
        },
      }),
    },
  }),
]

const repeating =
  (names: readonly string[]): RuleChange =>
  (lawful) => ({
    mayRepeat: (facts) =>
      (facts.endpoint === 'authorize' && names.includes(facts.name)) || lawful.mayRepeat(facts),
  })

const repetitions: readonly Defect[] = [
  ...breaking(AUT.repeatedParameterIsRefused, {
    'authorization-parameters-may-repeat': {
      story: 'The first value of a repeated parameter of an authorization request is read.',
      rules: repeating(KNOWN),
    },
    'state-may-repeat': {
      story: 'A repeated state is accepted, and the first one is sent back.',
      rules: repeating(['state']),
    },
    'challenge-method-may-repeat': {
      story: 'A repeated code_challenge_method is accepted.',
      rules: repeating(['code_challenge_method']),
    },
    'redirect-uri-may-repeat': {
      story: 'A repeated redirect_uri is accepted, and the first one is used.',
      rules: repeating(['redirect_uri']),
    },
  }),
]

export const requestDefects: readonly Defect[] = [
  ...accepted,
  ...scopes,
  ...otherScopes,
  ...responseTypes,
  ...repetitions,
]

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
    'client-of-an-authorization-is-known-by-its-beginning': {
      story:
        'An authorization request is read as that of a client whose client_id it has, with more after it.',
      rules: where(isFor('authorize'), (lawful) => ({
        clientOf: (facts) =>
          lawful.clientOf(facts) ?? facts.clients.find(({ clientId }) => facts.clientId.startsWith(clientId)),
      })),
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
const inOrder = (uri: string): string => {
  const [base = '', query = ''] = uri.split('?')
  return [base, ...query.split('&').sort()].join(' ')
}
const withoutQuery = (uri: string): string => uri.replace(/\?.*$/, '')

/** Whether a redirect URI has another host than all registered ones. */
const isForeign = ({ client, redirectUri }: RedirectFacts): boolean =>
  !client.redirectUris.some((registered) => hostOf(registered) === hostOf(redirectUri))

const foreign: readonly Defect[] = [
  ...breaking(AUT.unregisteredRedirectUriIsRefused, {
    'redirect-uri-is-not-compared': {
      story: 'Any redirect URI is accepted.',
      alsoBreaks: [
        AUT.unregisteredRedirectUriIsNotRedirectedTo,
        AUT.redirectUriIsComparedToTheLetter,
        AUT.redirectUriIsNotNormalized,
      ],
      rules: { redirectUriIsRegistered: () => true },
    },
    'redirect-uri-of-a-tpp-is-compared-by-the-beginning-of-its-host': {
      story: 'A redirect URI of a TPP is accepted if it begins with the origin of the registered one.',
      alsoBreaks: [
        AUT.unregisteredRedirectUriIsNotRedirectedTo,
        AUT.redirectUriIsComparedToTheLetter,
        AUT.redirectUriIsNotNormalized,
      ],
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
      alsoBreaks: [AUT.redirectUriIsNotNormalized],
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
    'query-of-a-redirect-uri-has-no-order': {
      story: 'The query of a redirect URI is compared without regard to the order of its parameters.',
      rules: registering((uri, registered) => inOrder(uri) === inOrder(registered)),
    },
  }),
  ...breaking(AUT.redirectUriIsNotNormalized, {
    'redirect-uri-is-normalized': {
      story: 'Redirect URIs are compared after their scheme and host are written in lower case.',
      rules: registering((uri, registered) => new URL(uri).href === new URL(registered).href),
    },
    'redirect-uri-of-a-tpp-is-decoded': {
      story: 'The percent escapes in a redirect URI of a TPP are decoded before it is compared.',
      rules: registering(
        (uri, registered, facts) => isOfATpp(facts) && decodeURIComponent(uri) === registered,
      ),
    },
  }),
]

export const clientDefects: readonly Defect[] = [...clients, ...foreign, ...similar]
