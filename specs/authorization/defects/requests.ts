import {
  accept,
  alter,
  both,
  defectsOf,
  each,
  EVERYWHERE,
  forAFac,
  forATpp,
  hasScopeOfATpp,
  IN_PRODUCTION,
  inProduction,
  isFor,
  read,
  replaceRules,
  refuse,
  reply,
  when,
  without,
  type Defect,
  type FactsOf,
  type Incoming,
} from '../../shared/changes.ts'
import { isAuthorization, refuseRequest } from './messages.ts'
import { AUT } from '../requirements.ts'

/** Valid authorization requests that are refused, and invalid ones that are granted. */

const CHALLENGE = ['code_challenge', 'code_challenge_method']
const KNOWN = ['client_id', 'response_type', 'redirect_uri', 'scope', 'state', ...CHALLENGE]

const hasUnrecognized = ({ query }: Incoming): boolean =>
  [...query.keys()].some((name) => !KNOWN.includes(name))

/** Reads another scope in the place of the requested one. */
const readScope = (other: (scope: string) => string) =>
  alter({
    requestedScope: (_, facts, { rules }) => rules.requestedScope({ ...facts, scope: other(facts.scope) }),
  })

const readFirstWord = readScope((scope) => scope.split(' ')[0] ?? '')

/** Reads another name of a scope as that of account access. */
const readName = (isKnown: (name: string) => boolean) =>
  readScope((scope) => scope.replace(/^[^:]*/, (name) => (isKnown(name) ? 'PREMIUM_AIS' : name)))

/** Serves the implicit grant. @param part what follows a redirect URI that has no query, with the token */
const implicitGrant = (part: (token: string) => string, type = 'token') =>
  when(
    ({ query }: Incoming) => query.get('response_type') === type,
    reply(isAuthorization, ({ query }) => {
      const address = query.get('redirect_uri') ?? ''
      const added = part(crypto.randomUUID())
      const location = address + (address.includes('?') ? added.replace(/^[?]/, '&') : added)
      return new Response(null, { status: 302, headers: { location } })
    }),
  )

const isUnsupported = ({ parameters }: FactsOf<'returnParameters'>): boolean =>
  parameters['error'] === 'unsupported_response_type'

const mayRepeat = (...names: readonly string[]) =>
  when(
    isFor('authorize'),
    accept('mayRepeat', ({ name }) => names.includes(name)),
  )

export const requestDefects: readonly Defect[] = [
  // No browser gets to a grant.
  ...defectsOf(
    [
      AUT.requestsByGetAreServed,
      AUT.finalApiConsumerScopeIsGranted,
      AUT.consentScopeIsGrantedToATpp,
      'CON-10',
      'PAY-09',
    ],
    { 'The authorization endpoint serves POST only': refuseRequest(() => true, 405) },
  ),
  // Over plain HTTP as well.
  ...defectsOf([AUT.requestsByGetAreServed, 'ENV-12'], {
    'An authorization request is refused unless client_id is its first parameter': refuseRequest(
      ({ query }) => query.has('client_id') && query.keys().next().value !== 'client_id',
    ),
  }),
  ...defectsOf([AUT.requestsByGetAreServed], {
    'A request of a TPP is refused if its scope comes after the code_challenge': refuseRequest(
      (asked) => hasScopeOfATpp(asked) && /[?&]code_challenge=.*&scope=/.test(asked.url.search),
    ),
  }),
  // An authorization of a payment has its order in another parameter.
  ...defectsOf([AUT.unrecognizedParameterIsIgnored, 'PAY-09'], {
    'An authorization request with an unrecognized parameter is refused': refuseRequest(hasUnrecognized),
  }),
  ...defectsOf([AUT.unrecognizedParameterIsIgnored], {
    'In production a request of a TPP with an unrecognized parameter is refused': inProduction(
      refuseRequest((asked) => hasScopeOfATpp(asked) && hasUnrecognized(asked)),
    ),
  }),
  ...defectsOf([AUT.finalApiConsumerScopeIsGranted], {
    'A FAC is refused the scope PREMIUM_AIS': forAFac(refuse('scopeFitsClient')),
    'In production a scope without a consent is refused': inProduction(
      refuse('scopeFitsClient', ({ requested }) => requested.consentId === undefined),
    ),
  }),
  ...defectsOf([AUT.consentScopeIsGrantedToATpp, 'CON-10'], {
    'A scope with a colon is refused': alter({
      requestedScope: (usual, { scope }) => (scope.includes(':') ? undefined : usual),
    }),
  }),
  ...defectsOf([AUT.consentScopeIsGrantedToATpp], {
    // The order of the calls of two rules matters here.
    'A consent is unknown to the first authorization request after its creation': replaceRules(
      ({ newConsentId, consentIsUsable }) => {
        let unknown: string | undefined
        return {
          newConsentId: (facts) => (unknown = newConsentId(facts)),
          consentIsUsable(facts) {
            const isUnknown = facts.consent.consentId === unknown
            unknown = undefined
            return !isUnknown && consentIsUsable(facts)
          },
        }
      },
    ),
  }),
  ...defectsOf([AUT.unknownScopeIsNotGranted], {
    'An unknown word of the scope is granted, and stated in the token answer': readFirstWord,
    'A TPP is granted an unknown word of the scope': forATpp(readFirstWord),
  }),
  ...defectsOf([AUT.unknownScopeIsNotGranted, 'TOK-10'], {
    'An unknown word of the scope is not granted, and the token answer has no scope': both(
      readFirstWord,
      alter({ statedScope: (usual, { scope }) => (scope.includes(' ') ? undefined : usual) }),
    ),
  }),
  ...defectsOf([AUT.otherScopeOpensNoAccount], {
    'The scope is compared without regard to case': readName((name) => name.toUpperCase() === 'PREMIUM_AIS'),
    'A scope of a TPP that begins with PREMIUM_AIS is read as PREMIUM_AIS': forATpp(
      readName((name) => /^PREMIUM_AIS\w+$/.test(name)),
    ),
    'The beginning of PREMIUM_AIS is read as the whole scope': readName(
      (name) => name.length > 4 && 'PREMIUM_AIS'.startsWith(name),
    ),
  }),
  ...defectsOf([AUT.missingResponseTypeIsRefused], {
    'A request without a response_type is granted a code': each(
      [EVERYWHERE, IN_PRODUCTION],
      when(
        ({ query }: Incoming) => !query.has('response_type'),
        read(isAuthorization, ({ query }) => query.set('response_type', 'code')),
      ),
    ),
  }),
  ...defectsOf([AUT.unknownResponseTypeIsRefused], {
    'A code is granted for any response_type': accept('responseTypeIsAccepted'),
    ...Object.fromEntries(
      ['code token', 'token', 'CODE'].map((other) => [
        `A code is granted for the response_type "${other}"`,
        accept('responseTypeIsAccepted', ({ responseType }) => responseType === other),
      ]),
    ),
  }),
  ...defectsOf([AUT.responseTypeTokenGivesNoToken], {
    'The implicit grant is served, with the token in the fragment': implicitGrant(
      (token) => `#access_token=${token}&token_type=Bearer`,
    ),
    'In production the implicit grant is served, with the token in the query': inProduction(
      implicitGrant((token) => `?access_token=${token}`),
    ),
    'For the response_type code token a token is sent as well': implicitGrant(
      (token) => `#code=${token}&access_token=${token}`,
      'code token',
    ),
  }),
  ...defectsOf([AUT.unknownResponseTypeIsNamed], {
    'An undefined response_type is reported as invalid_request': when(
      isUnsupported,
      alter({ returnParameters: (usual) => ({ ...usual, error: 'invalid_request' }) }),
    ),
    'An undefined response_type is reported without an error': when(
      isUnsupported,
      alter({ returnParameters: (usual) => without(usual, 'error') }),
    ),
  }),
  ...defectsOf([AUT.repeatedParameterIsRefused], {
    'The first value of a repeated parameter of an authorization request is read': mayRepeat(...KNOWN),
    'A repeated state is accepted, and the first one is sent back': mayRepeat('state'),
  }),
]
