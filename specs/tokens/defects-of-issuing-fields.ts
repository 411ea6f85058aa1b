import { TOK } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** What a bank can get wrong in the fields of its token answers. */

type Facts = Parameters<Rules['tokenBody']>[0]
type Members = ReturnType<Rules['tokenBody']>

/** Changes what a code exchange is answered with; what a refresh is answered with stays as it is. */
const withMembers =
  (change: (members: Members, facts: Facts) => Members): RuleChange =>
  (lawful) => ({
    tokenBody: (facts) => {
      const members = lawful.tokenBody(facts)
      return facts.grantType === 'authorization_code' ? change(members, facts) : members
    },
  })

const withMember = (name: string, value: unknown, kinds: readonly string[] = ['FAC', 'TPP']): RuleChange =>
  withMembers((members, { client }) =>
    kinds.includes(client.kind) ? { ...members, [name]: value } : members,
  )

const accessTokens: readonly Defect[] = [
  {
    id: 'access-token-under-another-name',
    story: 'The access token is called accessToken.',
    breaks: [TOK.codeIsExchangedForAnAccessToken],
    rules: withMembers(({ access_token: accessToken, ...others }) => ({ accessToken, ...others })),
  },
  {
    id: 'access-token-is-empty',
    story: 'The access token of a code exchange is an empty string.',
    breaks: [TOK.codeIsExchangedForAnAccessToken],
    rules: withMember('access_token', ''),
  },
  {
    id: 'access-token-of-a-tpp-is-null-in-production',
    story: 'In production, a TPP is answered with null in the place of the access token.',
    breaks: [TOK.codeIsExchangedForAnAccessToken],
    environment: 'production',
    rules: withMember('access_token', null, ['TPP']),
  },
  {
    id: 'access-token-is-a-number',
    story: 'The access token is written without quotes, as a number.',
    breaks: [TOK.accessTokenIsAString],
    rules: withMembers((members) => ({ ...members, access_token: Math.random() })),
  },
  {
    id: 'access-token-of-a-fac-is-an-object',
    story: 'A FAC is answered with an object that has the access token as its value.',
    breaks: [TOK.accessTokenIsAString],
    rules: withMembers((members, { client }) =>
      client.kind === 'FAC' ? { ...members, access_token: { value: members.access_token } } : members,
    ),
  },
]

const refreshTokens: readonly Defect[] = [
  {
    id: 'fac-has-no-refresh-token',
    story: 'A FAC is given no refresh token.',
    breaks: [TOK.codeExchangeGivesARefreshToken],
    rules: { refreshTokenIsIssued: ({ client }) => client.kind === 'TPP' },
  },
  {
    id: 'refresh-token-is-empty',
    story: 'The refresh token of a code exchange is an empty string.',
    breaks: [TOK.codeExchangeGivesARefreshToken],
    rules: withMember('refresh_token', ''),
  },
  {
    id: 'refresh-token-comes-with-the-first-grant-alone',
    story: 'Once a refresh token has been issued, further code exchanges are answered without one.',
    breaks: [TOK.codeExchangeGivesARefreshToken],
    rules: () => {
      let count = 0
      return { refreshTokenIsIssued: ({ grantType }) => grantType === 'refresh_token' || ++count === 1 }
    },
  },
  {
    id: 'refresh-token-is-an-object',
    story: 'The refresh token is an object that says its value and its lifetime.',
    breaks: [TOK.refreshTokenIsAString],
    rules: withMembers((members) => ({ ...members, refresh_token: { value: members.refresh_token } })),
  },
  {
    id: 'refresh-token-of-a-tpp-is-an-array',
    story: 'A TPP is given its refresh token as the one item of an array.',
    breaks: [TOK.refreshTokenIsAString],
    rules: withMembers((members, { client }) =>
      client.kind === 'TPP' ? { ...members, refresh_token: [members.refresh_token] } : members,
    ),
  },
]

const DAY_S = 24 * 60 * 60

/** The first word of a scope. */
const knownPart = (scope: string): string => scope.split(' ')[0] ?? ''

/** Grants the known part of a scope, and says this of it. */
const droppingUnknownWords =
  (said: (scope: string) => string | undefined): RuleChange =>
  (lawful) => ({
    requestedScope: (facts) => lawful.requestedScope({ ...facts, scope: knownPart(facts.scope) }),
    grantedScope: ({ scope }) => knownPart(scope),
    exchangeScopeIsAccepted: ({ requested, granted }) =>
      requested === undefined || knownPart(requested) === granted,
    statedScope: ({ scope }) => said(scope),
  })

const otherFields: readonly Defect[] = [
  {
    id: 'token-type-is-mac',
    story: 'The type of the access token of a FAC is said to be MAC.',
    breaks: [TOK.tokenTypeIsBearer],
    rules: withMember('token_type', 'MAC', ['FAC']),
  },
  {
    id: 'token-type-is-missing-for-tpps',
    story: 'A TPP is not told the type of its access token.',
    breaks: [TOK.tokenTypeIsBearer],
    rules: withMember('token_type', undefined, ['TPP']),
  },
  {
    id: 'token-type-is-bearer-token',
    story: 'The type of the access token is said to be BearerToken.',
    breaks: [TOK.tokenTypeIsBearer],
    rules: withMember('token_type', 'BearerToken'),
  },
  {
    id: 'expires-in-is-missing',
    story: 'A TPP is not told the lifetime of its access token.',
    breaks: [TOK.expiresInIsGiven],
    rules: withMember('expires_in', undefined, ['TPP']),
  },
  {
    id: 'expires-in-is-null-for-facs',
    story: 'A FAC is told null for the lifetime of its access token.',
    breaks: [TOK.expiresInIsGiven],
    rules: withMember('expires_in', null, ['FAC']),
  },
  {
    id: 'expires-in-is-a-string',
    story: 'The lifetime of the access token of a TPP is written in quotes.',
    breaks: [TOK.expiresInIsAnInteger],
    rules: withMember('expires_in', String(90 * DAY_S), ['TPP']),
  },
  {
    id: 'expires-in-is-a-fraction',
    story: 'The lifetime of the access token of a FAC has a fraction of a second.',
    breaks: [TOK.expiresInIsAnInteger],
    rules: withMember('expires_in', 90 * DAY_S - 0.25, ['FAC']),
  },
  {
    id: 'expires-in-counts-milliseconds',
    story: 'A FAC is told the lifetime of its access token in milliseconds.',
    breaks: [TOK.expiresInSaysNinetyDays],
    rules: withMember('expires_in', 90 * DAY_S * 1000, ['FAC']),
  },
  {
    id: 'expires-in-says-a-day',
    story: 'A TPP is told the lifetime of the tokens of the loan sandbox.',
    breaks: [TOK.expiresInSaysNinetyDays],
    rules: withMember('expires_in', DAY_S, ['TPP']),
  },
  {
    id: 'expires-in-says-half-a-year-in-production',
    story: 'In production, the lifetime of the access token is said to be 180 days.',
    breaks: [TOK.expiresInSaysNinetyDays],
    environment: 'production',
    rules: withMember('expires_in', 180 * DAY_S),
  },
  {
    id: 'scope-is-an-array',
    story: 'The granted scope is an array of its words.',
    breaks: [TOK.scopeIsAString],
    rules: withMembers((members) => ({ ...members, scope: String(members.scope).split(' ') })),
  },
  {
    id: 'scope-of-a-tpp-is-an-object',
    story: 'The granted scope of a TPP is an object with name and consent.',
    breaks: [TOK.scopeIsAString],
    rules: withMembers((members, { client, grant }) =>
      client.kind === 'TPP'
        ? { ...members, scope: { name: 'PREMIUM_AIS', consentId: grant.consentId } }
        : members,
    ),
  },
  {
    id: 'unknown-words-of-a-scope-are-dropped-silently',
    story: 'A word of the scope that the bank does not know is left out of the grant, and nothing is said.',
    // To leave the scope out is to say that the unknown word was granted as well.
    breaks: [TOK.scopeIsNamedWhenItDiffers, { id: 'AUT-14' }],
    rules: droppingUnknownWords(() => undefined),
  },
  {
    id: 'scope-without-its-unknown-words-is-not-named',
    story: 'A word of the scope that the bank does not know is left out, and the scope is said to be empty.',
    breaks: [TOK.scopeIsNamedWhenItDiffers],
    rules: droppingUnknownWords((scope) => (scope === knownPart(scope) ? scope : '')),
  },
]

export const defectsOfIssuingFields: readonly Defect[] = [...accessTokens, ...refreshTokens, ...otherFields]
