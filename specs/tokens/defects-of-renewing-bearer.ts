import { TOK } from './requirements.ts'
import { withAnEmptyList, withChallenge, withStatus } from './defects-of-renewing-answers.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** What a bank can get wrong when a data call brings its token. */

type IssueFacts = Parameters<Rules['newAccessToken']>[0]

/** Reads every Bearer token that was not issued as `meant` says: as one of those that were, in their order. */
const readAs =
  (meant: (value: string, issued: readonly string[]) => string | undefined): RuleChange =>
  (lawful) => {
    const issued: string[] = []
    return {
      newAccessToken: async (facts) => {
        const token = await lawful.newAccessToken(facts)
        issued.push(token)
        return token
      },
      bearerToken: (facts) => {
        const value = lawful.bearerToken(facts)
        if (value === undefined || issued.includes(value)) return value
        return meant(value, issued) ?? value
      },
    }
  }

/** Serves a call without a Bearer token as the last caller that had one, where `applies` to its header. */
const servingTheLastCaller =
  (applies: (header: string | undefined) => boolean): RuleChange =>
  (lawful) => {
    let last: string | undefined
    return {
      bearerToken: (facts) => {
        const token = lawful.bearerToken(facts)
        last = token ?? last
        return token ?? (applies(facts.header) ? last : undefined)
      },
    }
  }

/** Takes the code of a grant of this kind for the access token that was issued last. */
const codeAsAccessToken =
  (kinds: readonly string[]): RuleChange =>
  (lawful) => {
    const codes = new Set<string>()
    let last: string | undefined
    return {
      newCode: (facts) => {
        const code = lawful.newCode(facts)
        if (kinds.includes(facts.client.kind)) codes.add(code)
        return code
      },
      newAccessToken: async (facts) => (last = await lawful.newAccessToken(facts)),
      bearerToken: (facts) => {
        const value = lawful.bearerToken(facts)
        return value !== undefined && codes.has(value) ? last : value
      },
    }
  }

/** Takes the refresh token of a client of this kind for the access token beside it. */
const refreshTokenAsAccessToken =
  (kinds: readonly string[]): RuleChange =>
  (lawful) => {
    const beside = new Map<string, string>()
    let access = ''
    const isMeant = ({ client }: IssueFacts): boolean => kinds.includes(client.kind)
    return {
      newAccessToken: async (facts) => (access = await lawful.newAccessToken(facts)),
      newRefreshToken: async (facts) => {
        const token = await lawful.newRefreshToken(facts)
        if (isMeant(facts)) beside.set(token, access)
        return token
      },
      bearerToken: (facts) => {
        const value = lawful.bearerToken(facts)
        return value === undefined ? undefined : (beside.get(value) ?? value)
      },
    }
  }

export const defectsOfBearing: readonly Defect[] = [
  {
    id: 'bearer-scheme-in-lower-case-alone',
    story: 'The scheme is compared letter by letter, and with a small b.',
    breaks: [TOK.bearerTokenIsAccepted, { id: 'ACC-01' }, { id: 'ACC-14' }, { id: 'REF-01' }],
    rules: { bearerToken: ({ header }) => /^bearer (.+)$/.exec(header ?? '')?.[1] },
  },
  {
    id: 'bearer-in-the-query-alone',
    story: 'The access token is looked for in the query, and nowhere else.',
    breaks: [TOK.bearerTokenIsAccepted, { id: 'ACC-01' }, { id: 'ACC-14' }, { id: 'REF-01' }],
    rules: { bearerToken: ({ query }) => query.get('access_token') ?? undefined },
  },
  {
    id: 'bearer-of-a-tpp-opens-nothing',
    story: 'The access token of a TPP is taken for one that has expired.',
    breaks: [TOK.bearerTokenIsAccepted, { id: 'ACC-01' }, { id: 'ACC-14' }, { id: 'REF-01' }],
    rules: (lawful) => ({
      accessIsFresh: (facts) => facts.grant.consentId === undefined && lawful.accessIsFresh(facts),
    }),
  },
  {
    id: 'missing-token-serves-the-last-caller',
    story: 'A call without an Authorization header gets the accounts of the call before it.',
    breaks: [
      TOK.missingTokenIsRefused,
      { id: 'ACC-11' },
      { id: 'ACC-21' },
      { id: 'REF-10' },
      { id: 'TRX-12' },
      { id: 'TRX-25' },
    ],
    rules: servingTheLastCaller((header) => header === undefined),
  },
  {
    id: 'missing-token-passes-in-production',
    story: 'The check of the token has been switched off, in production alone.',
    environment: 'production',
    breaks: [
      TOK.missingTokenIsRefused,
      { id: 'ACC-11' },
      { id: 'ACC-21' },
      { id: 'REF-10' },
      { id: 'TRX-12' },
      { id: 'TRX-25' },
    ],
    rules: servingTheLastCaller((header) => header === undefined),
  },
  {
    id: 'empty-bearer-serves-the-last-caller',
    story: 'The word Bearer alone opens the accounts of the call before it.',
    breaks: [
      TOK.missingTokenIsRefused,
      { id: 'ACC-11' },
      { id: 'ACC-21' },
      { id: 'REF-10' },
      { id: 'TRX-12' },
      { id: 'TRX-25' },
    ],
    rules: servingTheLastCaller((header) => header === 'Bearer'),
  },
  {
    id: 'client-credentials-open-the-accounts',
    story: 'A client that proves who it is by Basic needs no access token.',
    breaks: [TOK.missingTokenIsRefused, { id: 'REF-10' }],
    rules: servingTheLastCaller((header) => header?.startsWith('Basic ') ?? false),
  },
  {
    id: 'cut-token-is-accepted',
    story: 'A token is looked up by how it begins, so that a shorter one is found as well.',
    breaks: [TOK.unknownTokenIsRefused],
    rules: readAs((value, issued) =>
      value.length < 24 ? undefined : issued.find((token) => token.startsWith(value)),
    ),
  },
  {
    id: 'token-is-compared-without-its-end',
    story: 'Tokens are stored in a column of 32 characters, and compared as far as that.',
    breaks: [TOK.unknownTokenIsRefused],
    rules: readAs((value, issued) => issued.find((token) => token.slice(0, 32) === value.slice(0, 32))),
  },
  {
    id: 'longer-token-is-accepted',
    story: 'Whatever stands behind the token is ignored.',
    breaks: [TOK.unknownTokenIsRefused],
    rules: readAs((value, issued) => issued.find((token) => value.startsWith(token))),
  },
  {
    id: 'token-in-another-case-is-accepted',
    story: 'Tokens are compared by a collation that ignores the case.',
    breaks: [TOK.unknownTokenIsRefused],
    rules: readAs((value, issued) => issued.find((token) => token.toLowerCase() === value.toLowerCase())),
  },
  {
    id: 'any-token-opens-the-last-grant',
    story: 'A token that is not found is taken for the one that was issued last.',
    breaks: [
      TOK.unknownTokenIsRefused,
      TOK.codeIsNoAccessToken,
      TOK.refreshTokenIsNoAccessToken,
      { id: 'ACC-11' },
      { id: 'ACC-21' },
      { id: 'REF-10' },
      { id: 'TRX-12' },
      { id: 'TRX-25' },
      { id: 'ENV-11' },
      { id: 'ENV-24' },
    ],
    rules: readAs((_, issued) => issued.at(-1)),
  },
  {
    id: 'code-opens-the-accounts',
    story: 'A code that has not been exchanged yet is good for data calls.',
    breaks: [TOK.codeIsNoAccessToken],
    rules: codeAsAccessToken(['FAC', 'TPP']),
  },
  {
    id: 'code-of-a-tpp-opens-the-accounts',
    story: 'The code of a TPP is good for data calls, that of a FAC is not.',
    breaks: [TOK.codeIsNoAccessToken],
    rules: codeAsAccessToken(['TPP']),
  },
  {
    id: 'refresh-token-opens-the-accounts',
    story: 'The refresh token is good for data calls as well.',
    breaks: [TOK.refreshTokenIsNoAccessToken, { id: 'REF-10' }],
    rules: refreshTokenAsAccessToken(['FAC', 'TPP']),
  },
  {
    id: 'refresh-token-of-a-fac-opens-the-accounts',
    story: 'The refresh token of a FAC is good for data calls, that of a TPP is not.',
    breaks: [TOK.refreshTokenIsNoAccessToken],
    rules: refreshTokenAsAccessToken(['FAC']),
  },
  {
    id: 'missing-token-has-status-400',
    story: 'A call without a token is called a bad request.',
    breaks: [TOK.missingTokenHasStatus401],
    rules: withStatus('token_missing', 400),
  },
  {
    id: 'missing-token-gets-an-empty-list',
    story: 'A call without a token is answered with 200 and no accounts.',
    breaks: [TOK.missingTokenHasStatus401, { id: 'PAY-20' }, { id: 'PAY-58' }],
    rules: withAnEmptyList('token_missing'),
  },
  {
    id: 'unknown-token-has-status-403',
    story: 'A token that the bank never issued is forbidden.',
    breaks: [TOK.unknownTokenHasStatus401],
    rules: withStatus('token_unknown', 403),
  },
  {
    id: 'unknown-token-gets-an-empty-list',
    story: 'A token that the bank never issued is answered with 200 and no accounts.',
    breaks: [TOK.unknownTokenHasStatus401],
    rules: withAnEmptyList('token_unknown'),
  },
  {
    id: 'malformed-token-has-status-400',
    story: 'A token that is not as long as one of the bank is called a bad request.',
    breaks: [TOK.unknownTokenHasStatus401],
    wire: (next) => async (request) => {
      const response = await next(request)
      const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
      if (response.status !== 401 || token === undefined || token.length === 43) return response
      return new Response(response.body, { status: 400, headers: response.headers })
    },
  },
  {
    id: 'refused-data-call-has-no-challenge',
    story: 'No refusal of a token has a WWW-Authenticate header.',
    breaks: [TOK.refusedDataCallIsChallenged],
    rules: withChallenge(undefined, (error) => error.startsWith('token_')),
  },
  {
    id: 'refused-data-call-is-challenged-for-basic',
    story: 'A refused data call is asked for the credentials of the client.',
    breaks: [TOK.refusedDataCallIsChallenged],
    rules: withChallenge('Basic realm="Bearer tokens"', (error) => error.startsWith('token_')),
  },
  {
    id: 'missing-token-has-no-challenge',
    story: 'A call without a token learns of no scheme.',
    breaks: [TOK.refusedDataCallIsChallenged],
    rules: withChallenge(undefined, (error) => error === 'token_missing'),
  },
  {
    id: 'expired-token-has-no-challenge',
    story: 'The WWW-Authenticate header is missing where a token has expired.',
    breaks: [TOK.refusedDataCallIsChallenged],
    rules: withChallenge(undefined, (error) => error === 'token_expired'),
  },
  {
    id: 'revoked-token-has-no-challenge',
    story: 'The WWW-Authenticate header is missing where a token was revoked.',
    breaks: [TOK.refusedDataCallIsChallenged],
    rules: withChallenge(undefined, (error) => error === 'token_revoked'),
  },
]
