import {
  alter,
  defectsOf,
  each,
  EVERYWHERE,
  IN_PRODUCTION,
  isOfAFac,
  isOfATpp,
  readToken,
  refusal,
  refuse,
  serveTheLastCaller,
  when,
  refuseWith,
  type FactsOf,
} from '../../shared/changes.ts'
import { beginsAlike, isCut, isInAnyCase, isLonger, last, like, type Search } from './comparisons.ts'
import { isRefusedFor, withAnEmptyList } from './data-calls.ts'
import { TOK } from '../requirements.ts'

/** Faults in how the token of a data call is read, and in the form of its refusal. */

type OfAnIssue = Pick<FactsOf<'newAccessToken'>, 'client'>

/** Reads an unknown Bearer token as one that was issued. */
const readUnknown = (search: Search) =>
  readToken((value, issued) =>
    value === undefined || issued.includes(value) ? value : (search(value, issued) ?? value),
  )

/** Reads a code as the access token that was issued last. */
const readCode = (isMeant: (facts: OfAnIssue) => boolean) =>
  alter(
    {
      bearerToken: (value, _, { of }) =>
        of('newCode').some((call) => call.answer === value && isMeant(call.facts))
          ? of('newAccessToken').at(-1)?.answer
          : value,
    },
    'newCode',
    'newAccessToken',
  )

/** Reads a refresh token as the access token that was issued with it. */
const readRefreshToken = (isMeant: (facts: OfAnIssue) => boolean) =>
  alter(
    {
      bearerToken: (value, _, { of }) =>
        of('newRefreshToken').find((call) => call.answer === value && isMeant(call.facts))?.facts
          .accessToken ?? value,
    },
    'newRefreshToken',
  )

/** Serves a call with this header as the last caller. */
const lastFor = (value: string | undefined) => serveTheLastCaller(({ header }) => header === value)

const DATA = ['ACC-11', 'ACC-21', 'REF-10', 'TRX-12', 'TRX-25']
const UNKNOWN = [TOK.unknownTokenIsRefused, TOK.codeIsNoAccessToken, TOK.refreshTokenIsNoAccessToken]

const values = [
  ...defectsOf([TOK.bearerTokenIsAccepted, 'ACC-01', 'ACC-14', 'REF-01'], {
    'The scheme of a data call is accepted as bearer only, in lower case': alter({
      bearerToken: (_, { header }) => /^bearer (.+)$/.exec(header ?? '')?.[1],
    }),
    'The access token is read from the query only': alter({
      bearerToken: (_, { query }) => query.get('access_token') ?? undefined,
    }),
    'The access token of a TPP is refused as expired': refuse('accessIsFresh', isOfATpp),
  }),
  ...defectsOf([TOK.missingTokenIsRefused, ...DATA], {
    'A call without a token is served for the last caller': each(
      [EVERYWHERE, IN_PRODUCTION],
      lastFor(undefined),
    ),
    'A call with an empty Bearer header is served for the last caller': lastFor('Bearer'),
  }),
  ...defectsOf([TOK.missingTokenIsRefused, 'REF-10'], {
    'A call with a Basic header is served for the last caller': serveTheLastCaller(({ header = '' }) =>
      header.startsWith('Basic '),
    ),
  }),
  ...defectsOf([TOK.unknownTokenIsRefused], {
    'An access token that lacks characters at its end is accepted': readUnknown(
      like((given, right) => given.length >= 24 && isCut(given, right)),
    ),
    'Only the first 32 characters of an access token are compared': readUnknown(like(beginsAlike(32))),
    'An access token with more characters after the right one is accepted': readUnknown(like(isLonger)),
    'Access tokens are compared without regard to case': readUnknown(like(isInAnyCase)),
  }),
  ...defectsOf([...UNKNOWN, ...DATA, 'ENV-11', 'ENV-24'], {
    'An unknown access token is read as the one that was issued last': readUnknown(last),
  }),
  ...defectsOf([TOK.codeIsNoAccessToken], {
    'A code is accepted as an access token': readCode(() => true),
    'The code of a TPP is accepted as an access token': readCode(isOfATpp),
  }),
  ...defectsOf([TOK.refreshTokenIsNoAccessToken, 'REF-10'], {
    'A refresh token is accepted as an access token': readRefreshToken(() => true),
  }),
  ...defectsOf([TOK.refreshTokenIsNoAccessToken], {
    'The refresh token of a FAC is accepted as an access token': readRefreshToken(isOfAFac),
  }),
]

const isOfAToken = ({ error }: FactsOf<'refusalStatus'>): boolean => error.startsWith('token_')

const isList = ({ endpoint }: FactsOf<'refusalStatus'>): boolean => endpoint === 'accounts'

const basicChallenge = alter({ refusalHeaders: { 'www-authenticate': 'Basic realm="Bearer tokens"' } })

const unchallenged = (isMeant: (facts: FactsOf<'refusalStatus'>) => boolean) =>
  when(isMeant, alter({ refusalHeaders: {} }))

/** Of the tokens of the reference bank. */
const TOKEN_LENGTH = 43

const malformedHas400 = refusal(
  () => true,
  ({ status }, { headers }) => {
    const token = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
    return status === 401 && token && token.length !== TOKEN_LENGTH ? { status: 400 } : undefined
  },
)

const { refusedDataCallHasTheStatusOfARefusal: refusalStatus, refusedDataCallIsChallenged: challenge } = TOK
const { missingTokenHasStatus401: missingHas401, unknownTokenHasStatus401: unknownHas401 } = TOK

const refusals = [
  ...defectsOf([refusalStatus, unknownHas401, 'ACC-38', 'ENV-11', 'ENV-24'], {
    'The list of accounts answers an unknown token with 200': when(isList, refuseWith('token_unknown', 200)),
  }),
  ...defectsOf([refusalStatus, missingHas401], {
    'The list of accounts redirects a call without a token': when(isList, refuseWith('token_missing', 302)),
  }),
  ...defectsOf([missingHas401], {
    'A call without a token is answered with 400': refuseWith('token_missing', 400),
  }),
  ...defectsOf([missingHas401, refusalStatus, 'REF-15', 'PAY-20', 'PAY-58', 'PAY-62'], {
    'A call without a token is answered with 200 and no accounts': withAnEmptyList('token_missing'),
  }),
  ...defectsOf([unknownHas401], {
    'An unknown token is answered with 403': refuseWith('token_unknown', 403),
    'A token of another length than those of the bank is answered with 400': malformedHas400,
  }),
  ...defectsOf([unknownHas401, refusalStatus, 'REF-15', 'ENV-11', 'ENV-24'], {
    'An unknown token is answered with 200 and no accounts': withAnEmptyList('token_unknown'),
  }),
  ...defectsOf([challenge], {
    'No refusal of a token has a WWW-Authenticate header': unchallenged(isOfAToken),
    'The refusal of a token has a challenge of the scheme Basic': when(isOfAToken, basicChallenge),
    'The refusal of a missing token has no challenge': unchallenged(isRefusedFor('token_missing')),
    'The refusal of an expired token has no challenge': unchallenged(isRefusedFor('token_expired')),
    'The refusal of a revoked token has no challenge': unchallenged(isRefusedFor('token_revoked')),
  }),
]

export const bearerDefects = [...values, ...refusals]
