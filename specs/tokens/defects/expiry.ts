import {
  accept,
  alter,
  defectsOf,
  each,
  EVERYWHERE,
  FOR_A_TPP,
  IN_PRODUCTION,
  isFor,
  isOfAFac,
  isOfATpp,
  production,
  refuse,
  when,
  withARefreshedToken,
  refuseWith,
  type FactsOf,
} from '../../shared/changes.ts'
import { laterWith403, withAnEmptyList } from './data-calls.ts'
import { TOK } from '../requirements.ts'

/** Tokens that expire too early, too late or not everywhere. */

const DAY = 24 * 60 * 60 * 1000

type IssueFacts = FactsOf<'newAccessToken'>
type Bearer = FactsOf<'accessIsFresh'>
type Renewal = FactsOf<'refreshIsFresh'>

const isExchange = ({ grantType }: IssueFacts): boolean => grantType !== 'refresh_token'
const isRefresh = (facts: IssueFacts): boolean => !isExchange(facts)

const ageOf = ({ token, now }: Pick<Bearer, 'token' | 'now'>): number =>
  now.getTime() - token.issuedAt.getTime()
const isOlderThan =
  (days: number) =>
  (facts: Pick<Bearer, 'token' | 'now'>): boolean =>
    ageOf(facts) > days * DAY

const isSecondVariant = ({ variant }: Pick<Bearer, 'variant'>): boolean => variant === 'second'

/** The first customer of the reference bank is `alena`. */
const isOther = ({ grant }: Pick<IssueFacts, 'grant'>): boolean => grant.username !== 'alena'

/** Gives access tokens another lifetime, in days, while expires_in stays 90 days; undefined for the usual one. */
const live = (days: (facts: IssueFacts) => number | undefined) =>
  alter(
    {
      accessIsFresh: (usual, facts, { of }) => {
        const issue = of('newAccessToken').find(({ answer }) => answer === facts.token.value)
        const lifetime = issue && days(issue.facts)
        return lifetime === undefined ? usual : ageOf(facts) < Math.round(lifetime * DAY)
      },
    },
    'newAccessToken',
  )

const exchangedLive = (days: number) => live((facts) => (isExchange(facts) ? days : undefined))
const refreshedLive = (days: number) => live((facts) => (isRefresh(facts) ? days : undefined))

/** A lifetime of 90 days that ends at a midnight: the last before, or the first after. */
const liveUntilMidnight = (rounded: (days: number) => number) =>
  live(({ now }) => rounded(now.getTime() / DAY + 90) - now.getTime() / DAY)

/** The data calls with the same token. */
const withToken = <Call extends { readonly facts: Bearer }>({ token }: Bearer, calls: readonly Call[]) =>
  calls.filter(({ facts }) => facts.token.value === token.value)

/** What judges the same of the expiry in the other chapters. */
const DATA = ['ACC-12', 'ACC-22', 'REF-11', 'TRX-13', 'TRX-26']

const { accessTokenLivesNinetyDays, accessTokenEndsAfterNinetyDays } = TOK
const { refreshedTokenLivesNinetyDays, refreshedTokenEndsAfterNinetyDays, expiredTokenHasStatus401 } = TOK

const idleTokenEnds = refuse('accessIsFresh', (facts, { of }) => {
  const last = withToken(facts, of('accessIsFresh')).at(-1)?.facts.now ?? facts.token.issuedAt
  return facts.now.getTime() >= last.getTime() + 60 * DAY
})

const useBeginsAnew = alter({
  accessIsFresh: (usual, facts, { of }) => {
    const last = withToken(facts, of('accessIsFresh')).findLast(({ answer }) => answer)
    return last ? facts.now.getTime() < last.facts.now.getTime() + 90 * DAY : usual
  },
})

const acceptedAfterANewGrant = alter(
  {
    accessIsFresh: (usual, { grant: { clientId }, token }, { of }) =>
      usual ||
      of('newCode').some(({ facts }) => facts.client.clientId === clientId && facts.now >= token.expiresAt),
  },
  'newCode',
)

const acceptedAfterARefresh = alter(
  {
    accessIsFresh: (usual, { token }, { of }) =>
      usual ||
      of('refreshIsFresh').some(
        ({ facts, answer }) => !answer && facts.refreshToken.accessToken === token.value,
      ),
  },
  'refreshIsFresh',
)

const refusedIfOld = refuse('accessIsFresh', isOlderThan(60))

const NEARLY_AN_HOUR = 59 / (24 * 60)

const accessTokens = [
  ...defectsOf([accessTokenLivesNinetyDays, refreshedTokenLivesNinetyDays], {
    'An access token ends 59 minutes early': live(() => 90 - NEARLY_AN_HOUR),
  }),
  ...defectsOf(
    [accessTokenEndsAfterNinetyDays, expiredTokenHasStatus401, refreshedTokenEndsAfterNinetyDays, 'REF-11'],
    {
      'An access token ends 59 minutes late': live(() => 90 + NEARLY_AN_HOUR),
    },
  ),
  ...defectsOf([accessTokenLivesNinetyDays], {
    'An access token of a code exchange lives 89 days': exchangedLive(89),
    'The access token of a code exchange of a TPP lives 30 days': when(isOfATpp, exchangedLive(30)),
    'PUT /refresh refuses an access token of more than 60 days': when(isFor('refresh'), refusedIfOld),
  }),
  ...defectsOf([accessTokenLivesNinetyDays, refreshedTokenLivesNinetyDays], {
    'An access token ends at the last midnight before the end of its 90 days': liveUntilMidnight(Math.floor),
    'An access token that was not used for 60 days is refused': idleTokenEnds,
    'The detail of an account is refused to an access token of more than 60 days': when(
      isFor('account'),
      refuse('accountIsOpen', isOlderThan(60)),
    ),
    'The second variant refuses an access token of more than 60 days': when(isSecondVariant, refusedIfOld),
  }),
  ...defectsOf([accessTokenEndsAfterNinetyDays, expiredTokenHasStatus401, ...DATA], {
    'An access token of a code exchange lives 91 days': each([EVERYWHERE, FOR_A_TPP], exchangedLive(91)),
  }),
  ...defectsOf([accessTokenEndsAfterNinetyDays, expiredTokenHasStatus401], {
    'A refresh after 90 days fails, and the expired access token is accepted again': acceptedAfterARefresh,
  }),
  ...defectsOf([accessTokenEndsAfterNinetyDays, refreshedTokenEndsAfterNinetyDays], {
    'An access token is accepted again a month after it has expired': accept(
      'accessIsFresh',
      isOlderThan(120),
    ),
  }),
  ...defectsOf(
    [accessTokenEndsAfterNinetyDays, expiredTokenHasStatus401, refreshedTokenEndsAfterNinetyDays, ...DATA],
    {
      'An access token ends at the first midnight after the end of its 90 days': liveUntilMidnight(Math.ceil),
      'In production access tokens never expire': when(production, accept('accessIsFresh')),
    },
  ),
  ...defectsOf(
    [accessTokenEndsAfterNinetyDays, expiredTokenHasStatus401, refreshedTokenEndsAfterNinetyDays],
    {
      'The 90 days begin anew with each data call': useBeginsAnew,
      'After a new grant the expired access token of the client is accepted again': acceptedAfterANewGrant,
    },
  ),
  ...defectsOf([expiredTokenHasStatus401, ...DATA, 'PAY-68', 'LOA-81'], {
    'A data call with an expired token is answered with 403': refuseWith('token_expired', 403),
  }),
  ...defectsOf([expiredTokenHasStatus401, ...DATA, 'PAY-68'], {
    'In production an expired token is answered with 400': when(production, refuseWith('token_expired', 400)),
    'An expired token is answered with 200 and no accounts': withAnEmptyList('token_expired'),
  }),
  ...defectsOf([expiredTokenHasStatus401], {
    'An expired token is answered with 401, and from the second call on with 403':
      laterWith403('token_expired'),
  }),
]

const isFromRefresh = (
  n: number,
  { grant }: IssueFacts,
  calls: readonly { readonly facts: IssueFacts }[],
): boolean => calls.filter(({ facts }) => facts.grant.grantId === grant.grantId).length >= n

/** Access tokens have another lifetime, in days, from the n-th refresh of a grant on. */
const liveFromRefresh = (n: number, days: number) =>
  alter({
    accessLifetime: (usual, facts, { of }) =>
      isFromRefresh(n, facts, of('accessLifetime')) ? days * DAY : usual,
  })

const NEVER = 100_000

/** A larger page than the one that was asked for. */
const largerPages = (sizeOf: (usual: number) => number) =>
  withARefreshedToken('pageItems', ({ all, offset, size }) => all.slice(offset, offset + sizeOf(size)))

const refreshedAccepted = withARefreshedToken('accessIsFresh', () => true)
const refreshedRefused = withARefreshedToken('accessIsFresh', () => false)
const refreshedSeesAll = withARefreshedToken('accountsSeen', ({ customer }) => customer.accounts)

const withTheRest = live(
  ({ previous, now }) => previous && (previous.expiresAt.getTime() - now.getTime()) / DAY + 90,
)

const secondTransactions = isFor('transactions', 'second')

const refreshedTokens = [
  ...defectsOf([refreshedTokenLivesNinetyDays], {
    'The access token of a refresh lives 30 days': refreshedLive(30),
    'The access token of a refresh lives 89 days': refreshedLive(89),
    'The access token of the second refresh of a grant lives a day': liveFromRefresh(2, 1),
  }),
  ...defectsOf([refreshedTokenEndsAfterNinetyDays, expiredTokenHasStatus401, 'REF-11'], {
    'The access token of a refresh never expires': refreshedLive(NEVER),
    'The access token of a refresh lives 90 days and what was left of the one before': withTheRest,
    'The access token of a refresh of a TPP lives 91 days': when(isOfATpp, refreshedLive(91)),
  }),
  ...defectsOf([refreshedTokenEndsAfterNinetyDays, expiredTokenHasStatus401], {
    'Access tokens of a refresh never expire, but for one customer': when(isOther, refreshedLive(NEVER)),
  }),
  ...defectsOf([refreshedTokenEndsAfterNinetyDays], {
    'An account detail does not check the age of a token of a refresh': when(
      isFor('account'),
      refreshedAccepted,
    ),
    'Transactions of the second variant do not check the age of a token of a refresh': when(
      secondTransactions,
      refreshedAccepted,
    ),
    'The access token of the second refresh of a grant never expires': liveFromRefresh(2, NEVER),
    'The access token of the third refresh of a grant never expires': liveFromRefresh(3, NEVER),
  }),
  ...defectsOf([TOK.refreshedAccessTokenIsAccepted, 'ACC-06', 'ACC-16'], {
    'The access token of a refresh is accepted for lists only': withARefreshedToken(
      'accountIsOpen',
      () => false,
    ),
  }),
  ...defectsOf([TOK.refreshedAccessTokenIsAccepted], {
    'Transactions of the second variant refuse a token of a refresh': when(
      secondTransactions,
      refreshedRefused,
    ),
    'PUT /refresh refuses the access token of a refresh': when(isFor('refresh'), refreshedRefused),
    'The access token of a refresh is refused': each([EVERYWHERE, FOR_A_TPP], refreshedRefused),
    'The access token of a refresh lists no accounts': withARefreshedToken('accountsSeen', () => []),
  }),
  ...defectsOf([TOK.refreshedTokenSeesNoMoreAccounts, 'ACC-15'], {
    'The access token of a refresh of a FAC lists all accounts of the customer in the second variant': when(
      isSecondVariant,
      when(isOfAFac, refreshedSeesAll),
    ),
  }),
  ...defectsOf([TOK.refreshedTokenKeepsThePageSize], {
    'The pages of a token of a refresh have 500 transactions, whatever the pageSize is': largerPages(
      () => 500,
    ),
    'The pages of a token of a refresh are twice as large in the second variant': when(
      isSecondVariant,
      largerPages((size) => 2 * size),
    ),
  }),
]

const refreshAgeOf = ({ refreshToken, now }: Renewal): number =>
  now.getTime() - refreshToken.issuedAt.getTime()

/** Whether the refresh token was used before and is older than 180 days. */
const isForgotten = (facts: Renewal, calls: readonly { readonly facts: Renewal }[]): boolean =>
  refreshAgeOf(facts) > 180 * DAY &&
  calls.some((call) => call.facts.refreshToken.value === facts.refreshToken.value)

const forgotten = alter({
  refreshIsFresh: (usual, facts, { of }) => usual || isForgotten(facts, of('redeemsRefreshToken')),
  redeemsRefreshToken: (usual, facts, { of }) => usual || isForgotten(facts, of('redeemsRefreshToken')),
})

const refreshTokens = [
  ...defectsOf([TOK.refreshTokenLivesNinetyDays], {
    'A refresh token ends 59 minutes early': alter({ refreshLifetime: (90 - NEARLY_AN_HOUR) * DAY }),
    'A refresh token lives 89 days': alter({ refreshIsFresh: (_, facts) => refreshAgeOf(facts) <= 89 * DAY }),
    'The refresh token of a TPP lives 60 days': when(
      isOfATpp,
      refuse('refreshIsFresh', (facts) => refreshAgeOf(facts) > 60 * DAY),
    ),
    'The refresh token of a refresh lives 60 days': when(isRefresh, alter({ refreshLifetime: 60 * DAY })),
    'The refresh token of a refresh lives 89 days': when(isRefresh, alter({ refreshLifetime: 89 * DAY })),
    'The refresh tokens of all customers but one live 30 days': when(
      isOther,
      alter({ refreshLifetime: 30 * DAY }),
    ),
    'A refresh is refused before the tokens expire, and after': refuse(
      'refreshScopeIsAccepted',
      ({ now, refreshToken }) => now <= refreshToken.expiresAt,
    ),
  }),
  ...defectsOf([TOK.oldRefreshTokenIsRefused], {
    'The refresh token of the third refresh of a grant never expires': alter({
      refreshLifetime: (usual, facts, { of }) =>
        isFromRefresh(3, facts, of('refreshLifetime')) ? NEVER * DAY : usual,
    }),
    'A refresh token never expires': each([EVERYWHERE, FOR_A_TPP, IN_PRODUCTION], accept('refreshIsFresh')),
    'After 180 days it is forgotten that a refresh token was used, and its age is not checked': forgotten,
  }),
]

export const expiryDefects = [...accessTokens, ...refreshedTokens, ...refreshTokens]
