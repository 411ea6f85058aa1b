import type { Defect, RuleChange, Wire } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { AUT } from './requirements.ts'

/** Lawful requests that are refused, and scopes, response types and repetitions that are not. */

const isAuthorization = ({ method, url }: Request): boolean =>
  method === 'GET' && new URL(url).pathname.endsWith('/authorize')

const refusing =
  (status: number, applies: (query: URLSearchParams) => boolean): Wire =>
  (next) =>
  async (request) =>
    isAuthorization(request) && applies(new URL(request.url).searchParams)
      ? new Response('<!doctype html><title>No</title>', { status, headers: { 'content-type': 'text/html' } })
      : next(request)

/** Reads an authorization request as another one. */
const reading =
  (edit: (query: URLSearchParams) => void): Wire =>
  (next) =>
  async (request) => {
    if (!isAuthorization(request)) return next(request)
    const url = new URL(request.url)
    edit(url.searchParams)
    return next(new Request(url, request))
  }

const isOfATpp = (query: URLSearchParams): boolean => query.get('scope')?.includes(':') === true

const KNOWN = [
  'client_id',
  'response_type',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
]

const lawful: readonly Defect[] = [
  {
    id: 'authorization-takes-post-alone',
    story: 'The authorization endpoint serves POST and no GET.',
    // No browser gets as far as a grant.
    breaks: [
      AUT.requestsByGetAreServed,
      AUT.finalApiConsumerScopeIsGranted,
      AUT.consentScopeIsGrantedToATpp,
      { id: 'CON-10' },
      { id: 'PAY-09' },
    ],
    wire: refusing(405, () => true),
  },
  {
    id: 'parameters-have-an-order',
    story: 'An authorization request is refused unless client_id stands first in its query.',
    breaks: [AUT.requestsByGetAreServed],
    wire: refusing(400, (query) => query.keys().next().value !== 'client_id' && query.has('client_id')),
  },
  {
    id: 'parameters-of-a-tpp-have-an-order',
    story: 'An authorization request of a TPP is refused if its scope stands behind the code_challenge.',
    breaks: [AUT.requestsByGetAreServed],
    wire: refusing(400, (query) => {
      const names = [...query.keys()]
      return (
        isOfATpp(query) &&
        names.indexOf('code_challenge') < names.indexOf('scope') &&
        query.has('code_challenge')
      )
    }),
  },
  {
    id: 'unrecognized-parameter-is-refused',
    story: 'An authorization request with a parameter beside the usual ones is refused.',
    // An authorization of a payment names its order in a parameter of its own.
    breaks: [AUT.unrecognizedParameterIsIgnored, { id: 'PAY-09' }],
    wire: refusing(400, (query) => [...query.keys()].some((name) => !KNOWN.includes(name))),
  },
  {
    id: 'unrecognized-parameter-of-a-tpp-is-refused-in-production',
    story:
      'In production an authorization request of a TPP may have no other parameters than the usual ones.',
    breaks: [AUT.unrecognizedParameterIsIgnored],
    environment: 'production',
    wire: refusing(
      400,
      (query) => isOfATpp(query) && [...query.keys()].some((name) => !KNOWN.includes(name)),
    ),
  },
  {
    id: 'scope-of-a-fac-is-refused',
    story: 'A FAC is refused the scope PREMIUM_AIS.',
    breaks: [AUT.finalApiConsumerScopeIsGranted],
    rules: (rules) => ({
      scopeFitsClient: (facts) => facts.client.kind === 'TPP' && rules.scopeFitsClient(facts),
    }),
  },
  {
    id: 'scope-of-a-fac-is-refused-in-production',
    story: 'In production a FAC has to name a consent.',
    breaks: [AUT.finalApiConsumerScopeIsGranted],
    environment: 'production',
    rules: { scopeFitsClient: ({ requested }) => requested.consentId !== undefined },
  },
  {
    id: 'scope-of-a-tpp-is-refused',
    story: 'A scope with a colon is refused.',
    // It is the scope of every consent.
    breaks: [AUT.consentScopeIsGrantedToATpp, { id: 'CON-10' }],
    rules: (rules) => ({
      requestedScope: (facts) => (facts.scope.includes(':') ? undefined : rules.requestedScope(facts)),
    }),
  },
  {
    id: 'consent-is-filed-late',
    story:
      'A consent is filed by the next request for a consent or an authorization, so that an authorization which follows its creation does not find it.',
    breaks: [AUT.consentScopeIsGrantedToATpp],
    rules: (rules) => {
      let unfiled: string | undefined
      return {
        newConsentId: (facts) => {
          unfiled = rules.newConsentId(facts)
          return unfiled
        },
        consentIsUsable: (facts) => {
          const isUnfiled = facts.consent.consentId === unfiled
          unfiled = undefined
          return !isUnfiled && rules.consentIsUsable(facts)
        },
      }
    },
  },
]

/** Reads the first word of a scope, and overlooks the others. */
const overlookingWords =
  (overlooks: (facts: Parameters<Rules['requestedScope']>[0]) => boolean): RuleChange =>
  (rules) => ({
    requestedScope: (facts) =>
      rules.requestedScope(overlooks(facts) ? { ...facts, scope: facts.scope.split(' ')[0] ?? '' } : facts),
  })

const scopes: readonly Defect[] = [
  {
    id: 'unknown-scope-is-granted',
    story: 'A word of the scope that nobody knows is granted with the rest, and named in the token answer.',
    breaks: [AUT.unknownScopeIsNotGranted],
    rules: overlookingWords(() => true),
  },
  {
    id: 'unknown-scope-of-a-tpp-is-granted',
    story: 'A TPP is granted each word behind its consent.',
    breaks: [AUT.unknownScopeIsNotGranted],
    rules: overlookingWords(({ client }) => client.kind === 'TPP'),
  },
  {
    id: 'unknown-scope-is-granted-in-silence',
    story: 'A word that nobody knows is left out of the granted scope, and no answer says so.',
    // The token answer is where it would be said.
    breaks: [AUT.unknownScopeIsNotGranted, { id: 'TOK-10' }],
    rules: (rules) => ({
      requestedScope: (facts) => rules.requestedScope({ ...facts, scope: facts.scope.split(' ')[0] ?? '' }),
      statedScope: (facts) => (facts.scope.includes(' ') ? undefined : rules.statedScope(facts)),
    }),
  },
]

const responseTypes: readonly Defect[] = [
  {
    id: 'missing-response-type-means-code',
    story: 'A request without a response_type is granted a code.',
    breaks: [AUT.missingResponseTypeIsRefused],
    wire: reading((query) => {
      if (!query.has('response_type')) query.set('response_type', 'code')
    }),
  },
  {
    id: 'missing-response-type-means-code-in-production',
    story: 'In production a request without a response_type is granted a code.',
    breaks: [AUT.missingResponseTypeIsRefused],
    environment: 'production',
    wire: reading((query) => {
      if (!query.has('response_type')) query.set('response_type', 'code')
    }),
  },
  {
    id: 'every-response-type-means-code',
    story: 'Whatever the response_type says, a code is granted.',
    breaks: [AUT.unknownResponseTypeIsRefused],
    rules: { responseTypeIsAccepted: () => true },
  },
  {
    id: 'response-type-token-gives-a-token',
    story: 'The implicit grant is served: the token comes in the fragment.',
    breaks: [AUT.responseTypeTokenGivesNoToken],
    wire: (next) => async (request) => {
      const query = new URL(request.url).searchParams
      if (!isAuthorization(request) || query.get('response_type') !== 'token') return next(request)
      const fragment = new URLSearchParams({ access_token: crypto.randomUUID(), token_type: 'Bearer' })
      return Response.redirect(`${query.get('redirect_uri') ?? ''}#${fragment.toString()}`, 302)
    },
  },
  {
    id: 'response-type-token-gives-a-token-in-the-query',
    story: 'The implicit grant is served in production: the token comes in the query.',
    breaks: [AUT.responseTypeTokenGivesNoToken],
    environment: 'production',
    wire: (next) => async (request) => {
      const query = new URL(request.url).searchParams
      if (!isAuthorization(request) || query.get('response_type') !== 'token') return next(request)
      return Response.redirect(`${query.get('redirect_uri') ?? ''}?access_token=${crypto.randomUUID()}`, 302)
    },
  },
  {
    id: 'unknown-response-type-is-an-invalid-request',
    story: 'A response_type that nobody has defined is reported as invalid_request.',
    breaks: [AUT.unknownResponseTypeIsNamed],
    rules: (rules) => ({
      returnParameters: (facts) => {
        const parameters = rules.returnParameters(facts)
        return parameters['error'] === 'unsupported_response_type'
          ? { ...parameters, error: 'invalid_request' }
          : parameters
      },
    }),
  },
  {
    id: 'unknown-response-type-is-nameless',
    story: 'A response_type that nobody has defined is reported by a description, and no error.',
    breaks: [AUT.unknownResponseTypeIsNamed],
    rules: (rules) => ({
      returnParameters: (facts) => {
        const { error = '', ...others } = rules.returnParameters(facts)
        return error === '' || error === 'unsupported_response_type' ? others : { ...others, error }
      },
    }),
  },
]

const repeating =
  (names: readonly string[]): RuleChange =>
  (rules) => ({
    mayRepeat: (facts) =>
      (facts.endpoint === 'authorize' && names.includes(facts.name)) || rules.mayRepeat(facts),
  })

const repetitions: readonly Defect[] = [
  {
    id: 'authorization-parameters-may-repeat',
    story: 'Of a parameter that stands twice in an authorization request the first is read.',
    breaks: [AUT.repeatedParameterIsRefused],
    rules: repeating(KNOWN),
  },
  {
    id: 'state-may-repeat',
    story: 'Of two states the first is sent back.',
    breaks: [AUT.repeatedParameterIsRefused],
    rules: repeating(['state']),
  },
  {
    id: 'challenge-method-may-repeat',
    story: 'A code_challenge_method may stand twice in an authorization request.',
    breaks: [AUT.repeatedParameterIsRefused],
    rules: repeating(['code_challenge_method']),
  },
  {
    id: 'redirect-uri-may-repeat',
    story: 'Of two redirect URIs the first is used.',
    breaks: [AUT.repeatedParameterIsRefused],
    rules: repeating(['redirect_uri']),
  },
]

export const defectsOfAsking: readonly Defect[] = [...lawful, ...scopes, ...responseTypes, ...repetitions]
