import {
  alter,
  defectsOf,
  from,
  hasScopeOfATpp,
  isOfAFac,
  isOfATpp,
  production,
  when,
  type Answer,
  type Change,
  type FactsOf,
  type Members,
} from '../../shared/changes.ts'
import { exchangeAnswer, renewalAnswer } from './messages.ts'
import { TOK } from '../requirements.ts'

/** Faults in the form and the fields of token answers. */

/** The answer with one of its members twice. */
const twice = (name: string) =>
  exchangeAnswer(({ text, members }: Answer) => ({
    text: `{${JSON.stringify(name)}:${JSON.stringify(members[name])},${text.slice(1)}`,
  }))

const header = (name: string, value: string | undefined) => ({ headers: { [name]: value } })

const formOf = (members: Answer['members']): string =>
  new URLSearchParams(
    Object.entries(members).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()

const forms = [
  ...defectsOf([TOK.tokenAnswerIsAJsonObject], {
    'The token answer is an array with one object': exchangeAnswer(({ text }) => ({ text: `[${text}]` })),
    'The parameters of the token answer are in an object within the answer': exchangeAnswer(({ text }) => ({
      text: `{"data":${text}}`,
    })),
    'The token answer is a form, as drafts of OAuth 2.0 had it': exchangeAnswer(({ members }) => ({
      ...header('content-type', 'application/x-www-form-urlencoded'),
      text: formOf(members),
    })),
  }),
  ...defectsOf([TOK.tokenAnswerHasTheJsonMediaType], {
    'The media type of the token answer is text/plain': exchangeAnswer(
      header('content-type', 'text/plain;charset=UTF-8'),
    ),
    'The media type of the token answer is text/json for a TPP': when(
      hasScopeOfATpp,
      exchangeAnswer(header('content-type', 'text/json')),
    ),
  }),
  ...defectsOf([TOK.tokenAnswerHasStatus200], {
    'Tokens are issued with the status 201': exchangeAnswer({ status: 201 }),
    'A refresh is answered with the status 201': renewalAnswer({ status: 201 }),
  }),
  ...defectsOf([TOK.tokenAnswerNamesEachFieldOnce], {
    'The token answer has expires_in twice, with the same value': twice('expires_in'),
    'The token answer of a TPP has scope twice, with the same value': when(hasScopeOfATpp, twice('scope')),
  }),
  ...defectsOf([TOK.tokenAnswerIsNotStored], {
    'The Cache-Control header of the token answer says no-cache and not no-store': exchangeAnswer(
      header('cache-control', 'no-cache'),
    ),
    'The token answer of a TPP has no Cache-Control header': when(
      hasScopeOfATpp,
      exchangeAnswer(header('cache-control', undefined)),
    ),
    'In production the token answer may be stored by the application': when(
      production,
      exchangeAnswer(header('cache-control', 'private, max-age=0')),
    ),
    'The answer to a refresh has no Cache-Control header': renewalAnswer(header('cache-control', undefined)),
  }),
  ...defectsOf([TOK.tokenAnswerHasPragma], {
    'The token answer has no Pragma header': exchangeAnswer(header('pragma', undefined)),
    'The Pragma header of the token answer says no-store for a FAC': when(
      (asked) => !hasScopeOfATpp(asked),
      exchangeAnswer(header('pragma', 'no-store')),
    ),
  }),
]

type TokenFacts = FactsOf<'tokenBody'>
const isOfAnExchange = ({ grantType }: TokenFacts): boolean => grantType === 'authorization_code'
const isOfARefresh = ({ grantType }: TokenFacts): boolean => grantType === 'refresh_token'

/** Other members in the answers to code exchanges; those to refreshes stay as they are. */
const members = (change: (usual: Members, facts: TokenFacts) => Members): Change<TokenFacts> =>
  when(isOfAnExchange, alter({ tokenBody: change }))

const member = (name: string, value: unknown): Change<TokenFacts> =>
  members((usual) => ({ ...usual, [name]: value }))

/** The value within an object. */
const wrapped = (name: string): Change<TokenFacts> =>
  members((usual) => ({ ...usual, [name]: { value: usual[name] } }))

const tokens = [
  ...defectsOf([TOK.codeIsExchangedForAnAccessToken], {
    'The access token is called accessToken': members(({ access_token: accessToken, ...others }) => ({
      accessToken,
      ...others,
    })),
    'The access token of a code exchange is an empty string': member('access_token', ''),
    'In production the access token of a TPP is null': when(
      production,
      when(isOfATpp, member('access_token', null)),
    ),
  }),
  ...defectsOf([TOK.accessTokenIsAString], {
    'The access token is written without quotes, as a number': members((usual) => ({
      ...usual,
      access_token: Math.random(),
    })),
    'The access token of a FAC is an object that contains its value': when(isOfAFac, wrapped('access_token')),
  }),
  ...defectsOf([TOK.codeExchangeGivesARefreshToken], {
    'A FAC is given no refresh token': alter({ refreshTokenIsIssued: (_, facts) => isOfATpp(facts) }),
    'The refresh token of a code exchange is an empty string': member('refresh_token', ''),
    'Once a refresh token has been issued, further code exchanges are answered without one': when(
      ({ grantType }: FactsOf<'refreshTokenIsIssued'>) => grantType !== 'refresh_token',
      when(from(2), alter({ refreshTokenIsIssued: false })),
    ),
  }),
  ...defectsOf([TOK.refreshTokenIsAString], {
    'The refresh token is an object that contains its value': wrapped('refresh_token'),
    'The refresh token of a TPP is the only item of an array': when(
      isOfATpp,
      members((usual) => ({ ...usual, refresh_token: [usual.refresh_token] })),
    ),
  }),
]

const DAY_S = 24 * 60 * 60

type ScopeFacts = FactsOf<'statedScope'>
const isRenewed = ({ previous }: ScopeFacts): boolean => previous !== undefined

const stated = (scope: string | undefined) => alter({ statedScope: scope })

/** The first word of a scope. */
const knownPart = (scope: string): string => scope.split(' ')[0] ?? ''

/** Grants the known part of a scope, and states another scope in the answer. */
const grantKnownPart = (statedScope: (scope: string) => string | undefined) =>
  alter({
    requestedScope: (_, facts, { rules }) =>
      rules.requestedScope({ ...facts, scope: knownPart(facts.scope) }),
    grantedScope: (_, { scope }) => knownPart(scope),
    exchangeScopeIsAccepted: (_, { requested, granted }) =>
      requested === undefined || knownPart(requested) === granted,
    statedScope: (_, { scope }) => statedScope(scope),
  })

const otherFields = [
  ...defectsOf([TOK.tokenTypeIsBearer], {
    'The token_type of a FAC is MAC': when(isOfAFac, member('token_type', 'MAC')),
    'The answer to a TPP has no token_type': when(isOfATpp, member('token_type', undefined)),
    'The token_type is BearerToken': member('token_type', 'BearerToken'),
  }),
  ...defectsOf([TOK.expiresInIsGiven], {
    'The answer to a TPP has no expires_in': when(isOfATpp, member('expires_in', undefined)),
    'The answer to a refresh has no expires_in': when(
      isOfARefresh,
      alter({ tokenBody: (usual) => ({ ...usual, expires_in: undefined }) }),
    ),
    'The expires_in of a FAC is null': when(isOfAFac, member('expires_in', null)),
  }),
  ...defectsOf([TOK.expiresInIsAnInteger], {
    'The expires_in of a TPP is a string': when(isOfATpp, member('expires_in', String(90 * DAY_S))),
    'The expires_in of a FAC has a fraction': when(isOfAFac, member('expires_in', 90 * DAY_S - 0.25)),
  }),
  ...defectsOf([TOK.expiresInSaysNinetyDays], {
    'The expires_in of a FAC counts milliseconds': when(isOfAFac, member('expires_in', 90 * DAY_S * 1000)),
    'The expires_in of a TPP is that of the loan sandbox: a day': when(isOfATpp, member('expires_in', DAY_S)),
    'In production expires_in says 180 days': when(production, member('expires_in', 180 * DAY_S)),
  }),
  ...defectsOf([TOK.scopeIsAString], {
    'The granted scope is an array of its words': members((usual) => ({
      ...usual,
      scope: String(usual.scope).split(' '),
    })),
  }),
  ...defectsOf([TOK.scopeIsAString, TOK.scopeIsTheGrantedOne], {
    'The granted scope of a TPP is an object with name and consent': when(
      isOfATpp,
      members((usual, { grant: { consentId } }) => ({ ...usual, scope: { name: 'PREMIUM_AIS', consentId } })),
    ),
  }),
  ...defectsOf([TOK.scopeIsGiven], {
    'No token answer has a scope': stated(undefined),
    'The answer to a refresh has no scope': when(isRenewed, stated(undefined)),
  }),
  ...defectsOf([TOK.scopeIsGiven, TOK.scopeIsTheGrantedOne], {
    'The scope in the answer to a TPP is an empty string': when(isOfATpp, stated('')),
  }),
  ...defectsOf([TOK.scopeIsTheGrantedOne], {
    'The scope in the answer to a TPP has a consentId that is not the granted one': when(
      isOfATpp,
      alter({ statedScope: () => `PREMIUM_AIS:${crypto.randomUUID()}` }),
    ),
    'The scope in the answer to a FAC is PREMIUM_PIS': when(isOfAFac, stated('PREMIUM_PIS')),
    'The scope in the answer to a refresh has a second consentId': when(
      (facts: ScopeFacts) => isRenewed(facts) && isOfATpp(facts),
      alter({ statedScope: (usual) => `${usual ?? ''} PREMIUM_AIS:${crypto.randomUUID()}` }),
    ),
  }),
  // To leave the scope out is to say that the unknown word was granted as well.
  ...defectsOf([TOK.scopeIsNamedWhenItDiffers, 'AUT-14'], {
    'An undefined word of the scope is not granted, and the answer has no scope': grantKnownPart((scope) =>
      scope === knownPart(scope) ? scope : undefined,
    ),
  }),
  ...defectsOf([TOK.scopeIsNamedWhenItDiffers], {
    'An undefined word of the scope is not granted, and the scope of the answer is empty': grantKnownPart(
      (scope) => (scope === knownPart(scope) ? scope : ''),
    ),
  }),
]

export const answerDefects = [...forms, ...tokens, ...otherFields]
