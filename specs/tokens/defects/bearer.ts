import {
  bearerIn,
  breaking,
  isOfAFac,
  isOfATpp,
  knowingTokens,
  refusing,
  rewordingAnswers,
  servingTheLastCaller,
  type FactsOf,
} from '../../shared/defects.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { TOK } from '../requirements.ts'

/** Faults in how the token of a data call is read, and in the form of its refusal. */

type RefusalWord = FactsOf<'refusalStatus'>['error']

/** Refuses data calls for this reason with another status. */
export const withStatus = (error: RefusalWord, status: number): RuleChange =>
  refusing((facts) => facts.error === error, { status })

/** Answers with 200 and no accounts instead of a refusal. Loans have no list of accounts: theirs stay as they are. */
export const withAnEmptyList = (error: RefusalWord): RuleChange =>
  refusing((facts) => facts.error === error && !facts.endpoint.startsWith('loan-'), {
    status: 200,
    body: () => ({ accounts: [] }),
  })

/** From the second refusal for this reason on, calls for the first list are answered with 403. */
export const refusingLaterWith403 =
  (error: 'token_expired' | 'token_revoked'): RuleChange =>
  (lawful) => {
    let refusals = 0
    return {
      refusalStatus: (facts) => {
        const isMeant = facts.error === error && facts.endpoint === 'accounts' && facts.variant === 'first'
        if (isMeant) refusals += 1
        return isMeant && refusals > 1 ? 403 : lawful.refusalStatus(facts)
      },
    }
  }

/** Replaces the WWW-Authenticate header of refusals, or removes it. */
const withChallenge = (challenge: string | undefined, applies: (error: RefusalWord) => boolean): RuleChange =>
  refusing(({ error }) => applies(error), {
    headers: challenge === undefined ? {} : { 'www-authenticate': challenge },
  })

type IssueFacts = Parameters<Rules['newAccessToken']>[0]

/** Reads an unknown Bearer token as one that was issued. */
const readAs = (meant: (value: string, issued: readonly string[]) => string | undefined): RuleChange =>
  knowingTokens((issued) => (lawful) => ({
    bearerToken: (facts) => {
      const value = lawful.bearerToken(facts)
      if (value === undefined || issued.has(value)) return value
      return (
        meant(
          value,
          [...issued.values()].map((token) => token.value),
        ) ?? value
      )
    },
  }))

/** Reads a code as the access token that was issued last. */
const codeAsAccessToken =
  (applies: (facts: Pick<IssueFacts, 'client'>) => boolean): RuleChange =>
  (lawful) => {
    const codes = new Set<string>()
    let last: string | undefined
    return {
      newCode: (facts) => {
        const code = lawful.newCode(facts)
        if (applies(facts)) codes.add(code)
        return code
      },
      newAccessToken: async (facts) => (last = await lawful.newAccessToken(facts)),
      bearerToken: (facts) => {
        const value = lawful.bearerToken(facts)
        return value !== undefined && codes.has(value) ? last : value
      },
    }
  }

/** Reads a refresh token as the access token that was issued with it. */
const refreshTokenAsAccessToken =
  (applies: (facts: Pick<IssueFacts, 'client'>) => boolean): RuleChange =>
  (lawful) => {
    const accessOf = new Map<string, string>()
    let access = ''
    return {
      newAccessToken: async (facts) => (access = await lawful.newAccessToken(facts)),
      newRefreshToken: async (facts) => {
        const token = await lawful.newRefreshToken(facts)
        if (applies(facts)) accessOf.set(token, access)
        return token
      },
      bearerToken: (facts) => {
        const value = lawful.bearerToken(facts)
        return value === undefined ? undefined : (accessOf.get(value) ?? value)
      },
    }
  }

/** Of the tokens of the reference bank. */
const TOKEN_LENGTH = 43

export const bearerDefects: readonly Defect[] = [
  ...breaking(TOK.bearerTokenIsAccepted, {
    'bearer-scheme-in-lower-case-alone': {
      story: 'The scheme is accepted as bearer only, in lower case.',
      alsoBreaks: ['ACC-01', 'ACC-14', 'REF-01'],
      rules: { bearerToken: ({ header }) => /^bearer (.+)$/.exec(header ?? '')?.[1] },
    },
    'bearer-in-the-query-alone': {
      story: 'The access token is read from the query only.',
      alsoBreaks: ['ACC-01', 'ACC-14', 'REF-01'],
      rules: { bearerToken: ({ query }) => query.get('access_token') ?? undefined },
    },
    'bearer-of-a-tpp-opens-nothing': {
      story: 'The access token of a TPP is refused as expired.',
      alsoBreaks: ['ACC-01', 'ACC-14', 'REF-01'],
      rules: (lawful) => ({
        accessIsFresh: (facts) => facts.grant.consentId === undefined && lawful.accessIsFresh(facts),
      }),
    },
  }),
  ...breaking(TOK.missingTokenIsRefused, {
    'missing-token-serves-the-last-caller': {
      story: 'A call without an Authorization header is served for the last caller.',
      alsoBreaks: ['ACC-11', 'ACC-21', 'REF-10', 'TRX-12', 'TRX-25'],
      rules: servingTheLastCaller(({ header }) => header === undefined),
      inProduction: 'missing-token-passes-in-production',
    },
    'empty-bearer-serves-the-last-caller': {
      story: 'A call with an empty Bearer header is served for the last caller.',
      alsoBreaks: ['ACC-11', 'ACC-21', 'REF-10', 'TRX-12', 'TRX-25'],
      rules: servingTheLastCaller(({ header }) => header === 'Bearer'),
    },
    'client-credentials-open-the-accounts': {
      story: 'A call with a Basic header is served for the last caller.',
      alsoBreaks: ['REF-10'],
      rules: servingTheLastCaller(({ header }) => header?.startsWith('Basic ') ?? false),
    },
  }),
  ...breaking(TOK.unknownTokenIsRefused, {
    'cut-token-is-accepted': {
      story: 'A token that lacks characters at its end is accepted.',
      rules: readAs((value, issued) =>
        value.length < 24 ? undefined : issued.find((token) => token.startsWith(value)),
      ),
    },
    'token-is-compared-without-its-end': {
      story: 'Only the first 32 characters of a token are compared.',
      rules: readAs((value, issued) => issued.find((token) => token.slice(0, 32) === value.slice(0, 32))),
    },
    'longer-token-is-accepted': {
      story: 'A token with more characters after the right one is accepted.',
      rules: readAs((value, issued) => issued.find((token) => value.startsWith(token))),
    },
    'token-in-another-case-is-accepted': {
      story: 'Tokens are compared without regard to case.',
      rules: readAs((value, issued) => issued.find((token) => token.toLowerCase() === value.toLowerCase())),
    },
    'any-token-opens-the-last-grant': {
      story: 'An unknown token is read as the one that was issued last.',
      alsoBreaks: [
        TOK.codeIsNoAccessToken,
        TOK.refreshTokenIsNoAccessToken,
        'ACC-11',
        'ACC-21',
        'REF-10',
        'TRX-12',
        'TRX-25',
        'ENV-11',
        'ENV-24',
      ],
      rules: readAs((_, issued) => issued.at(-1)),
    },
  }),
  ...breaking(TOK.codeIsNoAccessToken, {
    'code-opens-the-accounts': {
      story: 'A code is accepted as an access token.',
      rules: codeAsAccessToken(() => true),
    },
    'code-of-a-tpp-opens-the-accounts': {
      story: 'The code of a TPP is accepted as an access token.',
      rules: codeAsAccessToken(isOfATpp),
    },
  }),
  ...breaking(TOK.refreshTokenIsNoAccessToken, {
    'refresh-token-opens-the-accounts': {
      story: 'A refresh token is accepted as an access token.',
      alsoBreaks: ['REF-10'],
      rules: refreshTokenAsAccessToken(() => true),
    },
    'refresh-token-of-a-fac-opens-the-accounts': {
      story: 'The refresh token of a FAC is accepted as an access token.',
      rules: refreshTokenAsAccessToken(isOfAFac),
    },
  }),
  ...breaking(TOK.refusedDataCallHasTheStatusOfARefusal, {
    'unknown-token-is-ok': {
      story: 'A call for the list of accounts with an unknown token is answered with 200 and an error.',
      alsoBreaks: [TOK.unknownTokenHasStatus401, 'ACC-38'],
      rules: refusing(({ error, endpoint }) => error === 'token_unknown' && endpoint === 'accounts', {
        status: 200,
      }),
    },
    'call-without-a-token-is-redirected': {
      story: 'A call for the list of accounts without a token is redirected.',
      alsoBreaks: [TOK.missingTokenHasStatus401],
      rules: refusing(({ error, endpoint }) => error === 'token_missing' && endpoint === 'accounts', {
        status: 302,
      }),
    },
  }),
  ...breaking(TOK.missingTokenHasStatus401, {
    'missing-token-has-status-400': {
      story: 'A call without a token is answered with 400.',
      rules: withStatus('token_missing', 400),
    },
    'missing-token-gets-an-empty-list': {
      story: 'A call without a token is answered with 200 and no accounts.',
      alsoBreaks: [TOK.refusedDataCallHasTheStatusOfARefusal, 'REF-15', 'PAY-20', 'PAY-58', 'PAY-62'],
      rules: withAnEmptyList('token_missing'),
    },
  }),
  ...breaking(TOK.unknownTokenHasStatus401, {
    'unknown-token-has-status-403': {
      story: 'An unknown token is answered with 403.',
      rules: withStatus('token_unknown', 403),
    },
    'unknown-token-gets-an-empty-list': {
      story: 'An unknown token is answered with 200 and no accounts.',
      alsoBreaks: [TOK.refusedDataCallHasTheStatusOfARefusal, 'REF-15'],
      rules: withAnEmptyList('token_unknown'),
    },
    'malformed-token-has-status-400': {
      story: 'A token of another length than those of the bank is answered with 400.',
      wire: rewordingAnswers(
        () => true,
        ({ status }, { headers }) =>
          status === 401 && ![undefined, TOKEN_LENGTH].includes(bearerIn(headers)?.length)
            ? { status: 400 }
            : undefined,
      ),
    },
  }),
  ...breaking(TOK.refusedDataCallIsChallenged, {
    'refused-data-call-has-no-challenge': {
      story: 'No refusal of a token has a WWW-Authenticate header.',
      rules: withChallenge(undefined, (error) => error.startsWith('token_')),
    },
    'refused-data-call-is-challenged-for-basic': {
      story: 'The WWW-Authenticate header of a refused data call is one for Basic.',
      rules: withChallenge('Basic realm="Bearer tokens"', (error) => error.startsWith('token_')),
    },
    'missing-token-has-no-challenge': {
      story: 'The refusal of a call without a token has no WWW-Authenticate header.',
      rules: withChallenge(undefined, (error) => error === 'token_missing'),
    },
    'expired-token-has-no-challenge': {
      story: 'The refusal of an expired token has no WWW-Authenticate header.',
      rules: withChallenge(undefined, (error) => error === 'token_expired'),
    },
    'revoked-token-has-no-challenge': {
      story: 'The refusal of a revoked token has no WWW-Authenticate header.',
      rules: withChallenge(undefined, (error) => error === 'token_revoked'),
    },
  }),
]
