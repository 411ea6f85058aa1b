import {
  accept,
  alter,
  both,
  defectsOf,
  each,
  EVERYWHERE,
  FOR_A_FAC,
  FOR_A_TPP,
  isOfAFac,
  production,
  refuse,
  when,
  type Call,
  type Change,
  type FactsOf,
} from '../../shared/changes.ts'
import { beginsAlike, isCut, isInAnyCase, last, like } from './comparisons.ts'
import { lastFor, readParameter, readRefresh, sentTokens, unknown } from './messages.ts'
import { TOK } from '../requirements.ts'

/** Faults in the tokens that a refresh gives, and refresh tokens that are accepted although they are wrong. */

type IssueFacts = FactsOf<'newAccessToken'>

const isRefresh = ({ grantType }: IssueFacts): boolean => grantType === 'refresh_token'

/** The refreshes of this grant among earlier issues of tokens. */
const refreshesOf = <One extends { readonly facts: IssueFacts }>(
  { grant }: Pick<IssueFacts, 'grant'>,
  issues: readonly One[],
): readonly One[] => issues.filter(({ facts }) => isRefresh(facts) && facts.grant.grantId === grant.grantId)

/** Whether this is the second refresh of a grant. */
const isSecond = (facts: IssueFacts, issues: readonly { readonly facts: IssueFacts }[]): boolean =>
  isRefresh(facts) && refreshesOf(facts, issues).length === 1

const oldAccessToken = alter({ newAccessToken: (usual, { previous }) => previous?.accessToken ?? usual })
const oldRefreshToken = alter({ newRefreshToken: (usual, { previous }) => previous?.value ?? usual })

const secondGivesTheExchanged = alter({
  newAccessToken: (usual, facts, { of }) => {
    const issues = of('newAccessToken')
    const first = issues.find((issue) => issue.facts.grant.grantId === facts.grant.grantId)
    return isSecond(facts, issues) ? (first?.answer ?? usual) : usual
  },
})

const secondGivesTheUsed = alter({
  redeemsRefreshToken: true,
  newRefreshToken: (usual, facts, { of }) =>
    isSecond(facts, of('newRefreshToken')) ? (facts.previous?.value ?? usual) : usual,
})

const secondIsRefused = alter(
  {
    accessIsFresh: (usual, facts, { of }) =>
      usual && refreshesOf(facts, of('newAccessToken'))[1]?.answer !== facts.token.value,
  },
  'newAccessToken',
)

/** Refuses refresh tokens that a refresh has given, by one of two rules that have the same facts about them. */
const refuseRefreshed = (rule: 'redeemsRefreshToken' | 'refreshBelongsTo') =>
  alter(
    {
      [rule as 'refreshBelongsTo']: (usual, { refreshToken }, { of }) =>
        usual &&
        !of('newRefreshToken').some(({ facts, answer }) => answer === refreshToken.value && isRefresh(facts)),
    },
    'newRefreshToken',
  )

const tokens = [
  ...defectsOf([TOK.refreshGivesANewAccessToken], {
    'A refresh gives the old access token': each([EVERYWHERE, FOR_A_FAC], oldAccessToken),
    'The second refresh of a grant gives the access token of the code exchange': secondGivesTheExchanged,
  }),
  ...defectsOf([TOK.refreshGivesANewRefreshToken], {
    'A refresh gives no refresh token': when(isRefresh, refuse('refreshTokenIsIssued')),
    'A refresh gives the old refresh token, which is accepted any number of times': each(
      [EVERYWHERE, FOR_A_TPP],
      both(oldRefreshToken, accept('redeemsRefreshToken')),
    ),
    'The second refresh of a grant gives the refresh token that it used': secondGivesTheUsed,
  }),
  ...defectsOf([TOK.refreshedAccessTokenIsAccepted], {
    'The access token of the second refresh of a grant is refused': secondIsRefused,
  }),
  ...defectsOf([TOK.refreshedRefreshTokenIsAccepted, TOK.refreshTokenLivesNinetyDays], {
    'The refresh token of a refresh is refused': refuseRefreshed('redeemsRefreshToken'),
    'In production the refresh token of a refresh is refused as that of another client': when(
      production,
      refuseRefreshed('refreshBelongsTo'),
    ),
  }),
]

const readToken = (meant: Parameters<typeof readParameter>[2]) =>
  readParameter('refresh_token', (past) => sentTokens(past).map(({ refreshToken }) => refreshToken), meant)

const readAccessToken = readRefresh(({ form }, past) => {
  const meant = sentTokens(past).find(({ accessToken }) => accessToken === form.get('refresh_token'))
  if (meant) form.set('refresh_token', meant.refreshToken)
})

const wrongTokens = [
  ...defectsOf([TOK.unknownRefreshTokenIsRefused], {
    'A refresh token that lacks characters at its end is accepted': readToken(
      unknown(like((given, right) => given.length >= 24 && isCut(given, right))),
    ),
    'Only the first 32 characters of a refresh token are compared': readToken(unknown(like(beginsAlike(32)))),
    'Refresh tokens are compared without regard to case': readToken(unknown(like(isInAnyCase))),
  }),
  ...defectsOf([TOK.unknownRefreshTokenIsRefused, TOK.accessTokenIsNoRefreshToken], {
    'An unknown refresh token is read as the one that was issued last': readToken(unknown(last)),
  }),
  ...defectsOf([TOK.missingRefreshTokenIsRefused], {
    'A refresh without a refresh token uses the one that was issued last': readToken(lastFor(null)),
    'A refresh with an empty refresh token uses the one that was issued last': readToken(lastFor('')),
  }),
  ...defectsOf([TOK.accessTokenIsNoRefreshToken], {
    'An access token is accepted as the refresh token that was issued with it': readAccessToken,
  }),
]

const DAY = 24 * 60 * 60 * 1000

/** Accepts refreshes for 180 days, which is permitted, with a fault after the refresh token has expired. */
const renewLate = (change: Change<IssueFacts>) =>
  both(
    alter({
      refreshIsFresh: (_, { refreshToken, now }) =>
        now.getTime() < refreshToken.issuedAt.getTime() + 180 * DAY,
    }),
    when(({ previous, now }: IssueFacts) => previous !== undefined && now > previous.expiresAt, change),
  )

/** Whether the client got its first token more than 90 days ago. */
const isOld = (
  { client, now }: Pick<IssueFacts, 'client' | 'now'>,
  issues: readonly Call<'newAccessToken'>[],
): boolean =>
  issues.some(
    ({ facts }) =>
      facts.client.clientId === client.clientId && now.getTime() > facts.now.getTime() + 90 * DAY,
  )

const errorWithAToken = {
  error: 'invalid_grant',
  refresh_token: 'a-refresh-token-without-its-access-token-00',
}

const refusedAuthorization = alter(
  { requestedScope: (usual, facts, { of }) => (isOld(facts, of('newAccessToken')) ? undefined : usual) },
  'newAccessToken',
)

const refusedCode = alter(
  { codeIsFresh: (usual, facts, { of }) => usual && !isOld(facts, of('newAccessToken')) },
  'newAccessToken',
)

const lateRenewals = [
  ...defectsOf([TOK.refreshAfterNinetyDaysGivesBothOrNone], {
    'A refresh after 90 days gives no refresh token': renewLate(alter({ refreshTokenIsIssued: false })),
    'A refresh after 90 days gives the old refresh token': renewLate(oldRefreshToken),
    'A refresh after 90 days gives an access token that has expired': renewLate(
      alter({ accessLifetime: 0, expiresIn: (90 * DAY) / 1000 }),
    ),
    'A refresh after 90 days fails, and its answer contains a refresh token': when(
      ({ description }: FactsOf<'refusalBody'>) => description === 'The refresh token has expired.',
      alter({ refusalBody: () => errorWithAToken }),
    ),
  }),
  ...defectsOf(
    [
      TOK.refreshAfterNinetyDaysGivesBothOrNone,
      TOK.accessTokenEndsAfterNinetyDays,
      TOK.expiredTokenHasStatus401,
    ],
    {
      'A refresh after 90 days gives the expired access token, which is accepted again':
        renewLate(oldAccessToken),
    },
  ),
  ...defectsOf([TOK.newGrantFollowsAFailedRefresh], {
    'A FAC whose tokens have expired is refused a new authorization': when(isOfAFac, refusedAuthorization),
    'A FAC whose tokens have expired gets a code that is refused': when(isOfAFac, refusedCode),
  }),
]

export const renewalDefects = [...tokens, ...wrongTokens, ...lateRenewals]
