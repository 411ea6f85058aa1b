import {
  breaking,
  hasScopeOfATpp,
  isOfAFac,
  isOfATpp,
  where,
  type Answer,
  type Reworded,
} from '../../shared/defects.ts'
import { rewordingRenewals, rewordingTokens } from './requests.ts'
import { TOK } from '../requirements.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** Faults in the form and the fields of token answers. */

/** The answer with one of its members twice. */
const repeating = ({ text, members }: Answer, name: string): Reworded => ({
  text: `{${JSON.stringify(name)}:${JSON.stringify(members[name])},${text.slice(1)}`,
})

/** Changes the token answers to a TPP. */
const forATpp = (reword: (answer: Answer) => Reworded): Wire =>
  rewordingTokens((answer, { form }) => (hasScopeOfATpp(form) ? reword(answer) : undefined))

const forms: readonly Defect[] = [
  ...breaking(TOK.tokenAnswerIsAJsonObject, {
    'token-answer-is-an-array': {
      story: 'The token answer is an array with one object.',
      wire: rewordingTokens(({ text }) => ({ text: `[${text}]` })),
    },
    'token-answer-is-nested': {
      story: 'The parameters of the token answer are in an object within the answer.',
      wire: rewordingTokens(({ text }) => ({ text: `{"data":${text}}` })),
    },
    'token-answer-is-a-form': {
      story: 'The token answer is a form, as drafts of OAuth 2.0 had it.',
      wire: rewordingTokens(({ members }) => ({
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        text: new URLSearchParams(
          Object.entries(members).map(([name, value]): [string, string] => [name, String(value)]),
        ).toString(),
      })),
    },
  }),
  ...breaking(TOK.tokenAnswerHasTheJsonMediaType, {
    'token-answer-is-text': {
      story: 'The media type of the token answer is text/plain.',
      wire: rewordingTokens(() => ({ headers: { 'content-type': 'text/plain;charset=UTF-8' } })),
    },
    'token-answer-of-a-tpp-is-text-json': {
      story: 'The media type of the token answer is text/json for a TPP.',
      wire: forATpp(() => ({ headers: { 'content-type': 'text/json' } })),
    },
  }),
  ...breaking(TOK.tokenAnswerHasStatus200, {
    'token-answer-is-created': {
      story: 'Tokens are issued with the status 201.',
      wire: rewordingTokens(() => ({ status: 201 })),
    },
    'token-answer-is-accepted-the-second-time': {
      story: 'From the second grant on, tokens are issued with the status 202.',
      wire: rewordingTokens((_, __, count) => (count > 1 ? { status: 202 } : undefined)),
    },
    'renewed-tokens-are-created': {
      story: 'A refresh is answered with the status 201.',
      wire: rewordingRenewals(() => ({ status: 201 })),
    },
  }),
  ...breaking(TOK.tokenAnswerNamesEachFieldOnce, {
    'token-answer-says-expires-in-twice': {
      story: 'The token answer has expires_in twice, with the same value.',
      wire: rewordingTokens((answer) => repeating(answer, 'expires_in')),
    },
    'token-answer-of-a-tpp-says-scope-twice': {
      story: 'The token answer of a TPP has scope twice, with the same value.',
      wire: forATpp((answer) => repeating(answer, 'scope')),
    },
  }),
  ...breaking(TOK.tokenAnswerIsNotStored, {
    'token-answer-may-be-stored': {
      story: 'The Cache-Control header of the token answer says no-cache and not no-store.',
      wire: rewordingTokens(() => ({ headers: { 'cache-control': 'no-cache' } })),
    },
    'token-answer-of-a-tpp-may-be-stored': {
      story: 'The token answer of a TPP has no Cache-Control header.',
      wire: forATpp(() => ({ headers: { 'cache-control': undefined } })),
    },
    'token-answer-may-be-stored-in-production': {
      story: 'In production the token answer may be stored by the application.',
      environment: 'production',
      wire: rewordingTokens(() => ({ headers: { 'cache-control': 'private, max-age=0' } })),
    },
    'later-token-answers-may-be-stored': {
      story: 'From the third token answer on, the Cache-Control directive is misspelled.',
      wire: rewordingTokens((_, __, count) =>
        count > 2 ? { headers: { 'cache-control': 'no-store-at-all' } } : undefined,
      ),
    },
    'renewed-tokens-may-be-stored': {
      story: 'The answer to a refresh has no Cache-Control header.',
      wire: rewordingRenewals(() => ({ headers: { 'cache-control': undefined } })),
    },
  }),
  ...breaking(TOK.tokenAnswerHasPragma, {
    'token-answer-has-no-pragma': {
      story: 'The token answer has no Pragma header.',
      wire: rewordingTokens(() => ({ headers: { pragma: undefined } })),
    },
    'token-answer-of-a-fac-has-another-pragma': {
      story: 'The Pragma header of the token answer says no-store for a FAC.',
      wire: rewordingTokens((_, { form }) =>
        hasScopeOfATpp(form) ? undefined : { headers: { pragma: 'no-store' } },
      ),
    },
  }),
]

type Facts = Parameters<Rules['tokenBody']>[0]
type Members = ReturnType<Rules['tokenBody']>

/** Changes the members of the answers to code exchanges; those to refreshes stay as they are. */
const withMembers = (
  change: (members: Members, facts: Facts) => Members,
  applies: (facts: Facts) => boolean = () => true,
): RuleChange =>
  where<'tokenBody'>(
    (facts) => facts.grantType === 'authorization_code' && applies(facts),
    (lawful) => ({
      tokenBody: (facts) => change(lawful.tokenBody(facts), facts),
    }),
  )

const withMember = (name: string, value: unknown, applies?: (facts: Facts) => boolean): RuleChange =>
  withMembers((members) => ({ ...members, [name]: value }), applies)

const accessTokens: readonly Defect[] = [
  ...breaking(TOK.codeIsExchangedForAnAccessToken, {
    'access-token-under-another-name': {
      story: 'The access token is called accessToken.',
      rules: withMembers(({ access_token: accessToken, ...others }) => ({ accessToken, ...others })),
    },
    'access-token-is-empty': {
      story: 'The access token of a code exchange is an empty string.',
      rules: withMember('access_token', ''),
    },
    'access-token-of-a-tpp-is-null-in-production': {
      story: 'In production the access token of a TPP is null.',
      environment: 'production',
      rules: withMember('access_token', null, isOfATpp),
    },
  }),
  ...breaking(TOK.accessTokenIsAString, {
    'access-token-is-a-number': {
      story: 'The access token is written without quotes, as a number.',
      rules: withMembers((members) => ({ ...members, access_token: Math.random() })),
    },
    'access-token-of-a-fac-is-an-object': {
      story: 'The access token of a FAC is an object that contains its value.',
      rules: withMembers(
        (members) => ({ ...members, access_token: { value: members.access_token } }),
        isOfAFac,
      ),
    },
  }),
]

const refreshTokens: readonly Defect[] = [
  ...breaking(TOK.codeExchangeGivesARefreshToken, {
    'fac-has-no-refresh-token': {
      story: 'A FAC is given no refresh token.',
      rules: { refreshTokenIsIssued: isOfATpp },
    },
    'refresh-token-is-empty': {
      story: 'The refresh token of a code exchange is an empty string.',
      rules: withMember('refresh_token', ''),
    },
    'refresh-token-comes-with-the-first-grant-alone': {
      story: 'Once a refresh token has been issued, further code exchanges are answered without one.',
      rules: () => {
        let count = 0
        return { refreshTokenIsIssued: ({ grantType }) => grantType === 'refresh_token' || ++count === 1 }
      },
    },
  }),
  ...breaking(TOK.refreshTokenIsAString, {
    'refresh-token-is-an-object': {
      story: 'The refresh token is an object that contains its value.',
      rules: withMembers((members) => ({ ...members, refresh_token: { value: members.refresh_token } })),
    },
    'refresh-token-of-a-tpp-is-an-array': {
      story: 'The refresh token of a TPP is the only item of an array.',
      rules: withMembers((members) => ({ ...members, refresh_token: [members.refresh_token] }), isOfATpp),
    },
  }),
]

const DAY_S = 24 * 60 * 60

/** The first word of a scope. */
const knownPart = (scope: string): string => scope.split(' ')[0] ?? ''

/** Grants the known part of a scope, and states another scope in the answer. */
const droppingUnknownWords =
  (stated: (scope: string) => string | undefined): RuleChange =>
  (lawful) => ({
    requestedScope: (facts) => lawful.requestedScope({ ...facts, scope: knownPart(facts.scope) }),
    grantedScope: ({ scope }) => knownPart(scope),
    exchangeScopeIsAccepted: ({ requested, granted }) =>
      requested === undefined || knownPart(requested) === granted,
    statedScope: ({ scope }) => stated(scope),
  })

const otherFields: readonly Defect[] = [
  ...breaking(TOK.tokenTypeIsBearer, {
    'token-type-is-mac': {
      story: 'The token_type of a FAC is MAC.',
      rules: withMember('token_type', 'MAC', isOfAFac),
    },
    'token-type-is-missing-for-tpps': {
      story: 'The answer to a TPP has no token_type.',
      rules: withMember('token_type', undefined, isOfATpp),
    },
    'token-type-is-bearer-token': {
      story: 'The token_type is BearerToken.',
      rules: withMember('token_type', 'BearerToken'),
    },
  }),
  ...breaking(TOK.expiresInIsGiven, {
    'expires-in-is-missing': {
      story: 'The answer to a TPP has no expires_in.',
      rules: withMember('expires_in', undefined, isOfATpp),
    },
    'expires-in-of-a-refresh-is-missing': {
      story: 'The answer to a refresh has no expires_in.',
      rules: where<'tokenBody'>(
        ({ grantType }) => grantType === 'refresh_token',
        (lawful) => ({
          tokenBody: (facts) => ({ ...lawful.tokenBody(facts), expires_in: undefined }),
        }),
      ),
    },
    'expires-in-is-null-for-facs': {
      story: 'The expires_in of a FAC is null.',
      rules: withMember('expires_in', null, isOfAFac),
    },
  }),
  ...breaking(TOK.expiresInIsAnInteger, {
    'expires-in-is-a-string': {
      story: 'The expires_in of a TPP is a string.',
      rules: withMember('expires_in', String(90 * DAY_S), isOfATpp),
    },
    'expires-in-is-a-fraction': {
      story: 'The expires_in of a FAC has a fraction.',
      rules: withMember('expires_in', 90 * DAY_S - 0.25, isOfAFac),
    },
  }),
  ...breaking(TOK.expiresInSaysNinetyDays, {
    'expires-in-counts-milliseconds': {
      story: 'The expires_in of a FAC counts milliseconds.',
      rules: withMember('expires_in', 90 * DAY_S * 1000, isOfAFac),
    },
    'expires-in-says-a-day': {
      story: 'The expires_in of a TPP is that of the loan sandbox: a day.',
      rules: withMember('expires_in', DAY_S, isOfATpp),
    },
    'expires-in-says-half-a-year-in-production': {
      story: 'In production expires_in says 180 days.',
      environment: 'production',
      rules: withMember('expires_in', 180 * DAY_S),
    },
  }),
  ...breaking(TOK.scopeIsAString, {
    'scope-is-an-array': {
      story: 'The granted scope is an array of its words.',
      rules: withMembers((members) => ({ ...members, scope: String(members.scope).split(' ') })),
    },
    'scope-of-a-tpp-is-an-object': {
      story: 'The granted scope of a TPP is an object with name and consent.',
      rules: withMembers(
        (members, { grant }) => ({ ...members, scope: { name: 'PREMIUM_AIS', consentId: grant.consentId } }),
        isOfATpp,
      ),
    },
  }),
  ...breaking(TOK.scopeIsGiven, {
    'scope-is-missing': {
      story: 'No token answer has a scope.',
      rules: { statedScope: () => undefined },
    },
    'scope-of-a-tpp-is-empty': {
      story: 'The scope in the answer to a TPP is an empty string.',
      alsoBreaks: [TOK.scopeIsTheGrantedOne],
      rules: where(isOfATpp, { statedScope: () => '' }),
    },
    'scope-of-a-refresh-is-missing': {
      story: 'The answer to a refresh has no scope.',
      rules: where(({ previous }) => previous !== undefined, { statedScope: () => undefined }),
    },
  }),
  ...breaking(TOK.scopeIsTheGrantedOne, {
    'scope-has-the-consent-of-another-grant': {
      story: 'The scope in the answer to a TPP has a consentId that is not the granted one.',
      rules: where(isOfATpp, { statedScope: () => `PREMIUM_AIS:${crypto.randomUUID()}` }),
    },
    'scope-of-a-fac-is-that-of-payments': {
      story: 'The scope in the answer to a FAC is PREMIUM_PIS.',
      rules: where(isOfAFac, { statedScope: () => 'PREMIUM_PIS' }),
    },
    'scope-of-a-refresh-is-a-wider-one': {
      story: 'The scope in the answer to a refresh has a second consentId.',
      rules: where<'statedScope'>(
        ({ previous, client }) => previous !== undefined && client.kind === 'TPP',
        (lawful) => ({
          statedScope: (facts) => `${lawful.statedScope(facts) ?? ''} PREMIUM_AIS:${crypto.randomUUID()}`,
        }),
      ),
    },
  }),
  ...breaking(TOK.scopeIsNamedWhenItDiffers, {
    'unknown-words-of-a-scope-are-dropped-silently': {
      story: 'An undefined word of the scope is not granted, and the answer has no scope.',
      // To leave the scope out is to say that the unknown word was granted as well.
      alsoBreaks: ['AUT-14'],
      rules: droppingUnknownWords((scope) => (scope === knownPart(scope) ? scope : undefined)),
    },
    'scope-without-its-unknown-words-is-not-named': {
      story: 'An undefined word of the scope is not granted, and the scope of the answer is empty.',
      rules: droppingUnknownWords((scope) => (scope === knownPart(scope) ? scope : '')),
    },
  }),
]

export const answerDefects: readonly Defect[] = [...forms, ...accessTokens, ...refreshTokens, ...otherFields]

/** Tokens that repeat, that can be guessed from each other, or that are too short. */

type IssueFacts = Parameters<Rules['newAccessToken']>[0]
/** Makes the token of the grant with that number; `lawful` makes one as a bank should. */
type Shape = (
  count: number,
  facts: IssueFacts,
  lawful: () => string | Promise<string>,
) => string | Promise<string>

/** Replaces the tokens of code exchanges; those of refreshes stay as they are. A shape is made for each bank. */
const shaping =
  (shapes: { readonly access?: () => Shape; readonly refresh?: () => Shape }): RuleChange =>
  (lawful) => {
    const [access, refresh] = [shapes.access?.(), shapes.refresh?.()]
    const counts = { access: 0, refresh: 0 }
    return {
      newAccessToken: (facts) =>
        access === undefined || facts.grantType === 'refresh_token'
          ? lawful.newAccessToken(facts)
          : access((counts.access += 1), facts, () => lawful.newAccessToken(facts)),
      newRefreshToken: (facts) =>
        refresh === undefined || facts.grantType === 'refresh_token'
          ? lawful.newRefreshToken(facts)
          : refresh((counts.refresh += 1), facts, () => lawful.newRefreshToken(facts)),
    }
  }

/** Replaces the tokens of one kind of client only. */
const forA = (kind: IssueFacts['client']['kind'], shape: () => Shape) => (): Shape => {
  const make = shape()
  return (count, facts, lawful) => (facts.client.kind === kind ? make(count, facts, lawful) : lawful())
}

const random = (alphabet: string, length: number): string =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(length)),
    (byte) => alphabet[byte % alphabet.length] ?? '',
  ).join('')

const DIGITS = '0123456789'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const numbered = (count: number): string => String(count).padStart(40, '0')

/** Every third token is the first one. */
const recurring = (): Shape => {
  let first: string | undefined
  return async (count, _, lawful) => {
    if (count % 3 === 1 && first !== undefined) return first
    const token = await lawful()
    first ??= token
    return token
  }
}

/** Two tokens in turn. */
const alternating = (): Shape => {
  const given: string[] = []
  return async (_, __, lawful) => {
    const token = given.at(-2) ?? (await lawful())
    given.push(token)
    return token
  }
}

const steps = (): Shape => {
  const start = BigInt(`0x${random('123456789abcdef', 48)}`)
  const step = BigInt(`0x${random('123456789abcdef', 40)}`)
  return (count) => (start + BigInt(count) * step).toString(16)
}

export const tokenValueDefects: readonly Defect[] = [
  ...breaking(TOK.accessTokensAreDistinct, {
    'access-token-recurs': {
      story: 'Every third grant gives an access token that was given before.',
      rules: shaping({ access: recurring }),
    },
    'access-token-of-a-tpp-recurs': {
      story: 'The grants of a TPP give two access tokens in turn.',
      rules: shaping({ access: forA('TPP', alternating) }),
    },
  }),
  ...breaking(TOK.refreshTokensAreDistinct, {
    'refresh-token-recurs': {
      story: 'Every third grant gives a refresh token that was given before.',
      rules: shaping({ refresh: recurring }),
    },
  }),
  ...breaking(TOK.tokensDoNotFollowFromEachOther, {
    'access-tokens-are-numbered': {
      story: 'Access tokens are numbers that grow by one, with leading zeros.',
      rules: shaping({ access: () => numbered }),
    },
    'refresh-tokens-are-numbered-in-base64': {
      story: 'The refresh tokens of a FAC are numbers that grow by one, in base64.',
      rules: shaping({
        refresh: forA(
          'FAC',
          () => (count) => Buffer.from(`refresh:${numbered(count)}`).toString('base64url'),
        ),
      }),
    },
    'access-tokens-tell-the-time': {
      story: 'The access tokens of a FAC are the time of their issue in nanoseconds, between two constants.',
      rules: shaping({
        access: forA(
          'FAC',
          () =>
            (count, { now }) =>
              `AT${now.getTime()}${String(count).padStart(6, '0')}${'x'.repeat(24)}`,
        ),
      }),
    },
    'access-tokens-keep-a-distance': {
      story: 'Each access token of a TPP is the one before plus a secret constant.',
      rules: shaping({ access: forA('TPP', steps) }),
    },
  }),
  ...breaking(TOK.tokensHaveRoomFor128Bits, {
    'tokens-of-22-digits': {
      story: 'The access tokens of a TPP have 22 decimal digits.',
      rules: shaping({ access: forA('TPP', () => () => `1${random(DIGITS, 21)}`) }),
    },
    'refresh-token-of-a-tpp-is-short': {
      story: 'The refresh token of a TPP has 20 letters.',
      rules: shaping({ refresh: forA('TPP', () => () => random(LETTERS, 20)) }),
    },
    'refresh-token-has-124-bits': {
      story: 'The refresh tokens of a FAC have 31 hexadecimal digits.',
      rules: shaping({ refresh: forA('FAC', () => () => random('0123456789abcdef', 31)) }),
    },
  }),
]
