import {
  check,
  isAccepted,
  isChallenged,
  isRefusedBetween,
  NotReached,
  refusalOf,
} from '../../harness/check/index.ts'
import { days, LIFETIME, MARGIN, waitForAge, scenario, SLACK } from '../../harness/session/index.ts'
import type { Exchange, ObservedExchange } from '../../harness/check/index.ts'
import type { Application, GrantAttempt, Session, TokenSet } from '../../harness/session/index.ts'
import { TOK } from './requirements.ts'

/**
 * A new grant with the existing consent. Whether that is still good is judged in the chapter on consent: where it is
 * not, a new one will do here. A FAC has none.
 */
const grantAnew = async (app: Application, { consentId }: TokenSet): Promise<GrantAttempt> => {
  if (consentId === undefined) return app.attemptGrant()
  const grant = await app.attemptGrant({ consentId })
  const isFruitful = grant.exchange !== undefined && app.tokensIn(grant.exchange).accessToken !== undefined
  return isFruitful ? grant : app.attemptGrant()
}

const ending = scenario(
  'tokens at the end of their 90 days',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'clock'], waitsMs: days(90) },
  async (session) => {
    const { app } = session
    const names = { refreshToken: session.profile.operations.token.refreshToken }
    const issued = await app.tokens()
    const young = await app.listAccounts(issued.accessToken)
    await waitForAge(session, issued.exchange, LIFETIME - MARGIN, SLACK)
    const old = await app.listAccounts(issued.accessToken)
    await waitForAge(session, issued.exchange, LIFETIME + MARGIN)
    const expired = await app.listAccounts(issued.accessToken)
    const late = await app.renew(issued)
    // The new access token where there is one; else the expired one, which the attempt has not revived.
    const afterLate = await app.listAccounts(late.tokens.accessToken)
    const grant = await grantAnew(app, issued)
    const next = grant.exchange === undefined ? {} : app.tokensIn(grant.exchange)
    // What has ended does not begin again where another begins.
    const expiredStill = await app.listAccounts(issued.accessToken)
    const fresh = await app.listAccounts(next.accessToken ?? issued.accessToken)
    return { names, issued, young, old, expired, late, afterLate, grant, expiredStill, fresh }
  },
)

const EXPIRED = 'its access token was issued 90 days and an hour before'

check(TOK.accessTokenLivesNinetyDays, ending, ({ young, old }) => {
  if (!young.accepted) throw new NotReached('the access token was not accepted when it was new')
  old.isAccepted('its access token was issued 90 days less an hour before')
})

check(TOK.accessTokenEndsAfterNinetyDays, ending, ({ young, expired, expiredStill, fresh, ...record }) => {
  isRefusedBetween({ before: young, changed: expired, after: fresh }, EXPIRED)
  const { late, afterLate } = record
  if (!late.exchange.accepted)
    isRefusedBetween({ before: young, changed: afterLate, after: fresh }, `${EXPIRED}, and not renewed`)
  isRefusedBetween(
    { before: young, changed: expiredStill, after: fresh },
    `${EXPIRED}, and a new grant gives a token of its own`,
  )
})

check(TOK.expiredTokenHasStatus401, ending, ({ young, expired, expiredStill, fresh }) => {
  for (const changed of [expired, expiredStill]) {
    isRefusedBetween({ before: young, changed, after: fresh }, EXPIRED)
    refusalOf(changed).status.equals(401)
  }
})

check(TOK.refusedDataCallIsChallenged, ending, ({ expired }) => isChallenged(expired, 'Bearer'))

check(TOK.refreshAfterNinetyDaysGivesBothOrNone, ending, ({ names, issued, late }) => {
  const { exchange, tokens } = late
  if (!exchange.accepted) {
    exchange.isRefused('it gives no access token')
    const none = tokens.refreshToken === issued.refreshToken
    exchange.body.text.satisfies(none, 'no refresh token where there is no access token')
    return
  }
  exchange.body.field('access_token').differsFrom(issued.accessToken, 'the access token before')
  exchange.body.field(names.refreshToken).isText()
  exchange.body.field(names.refreshToken).differsFrom(issued.refreshToken, 'the refresh token before')
})

check(TOK.refreshedAccessTokenIsAccepted, ending, ({ young, late, afterLate }) => {
  if (!young.accepted) throw new NotReached('the access token was not accepted when it was new')
  // A refresh that fails is right as well after 90 days, and leaves nothing to judge here.
  if (late.exchange.accepted) afterLate.isAccepted('its access token came of a refresh a moment before')
})

check(TOK.newGrantFollowsAFailedRefresh, ending, ({ grant }) => {
  grant.landing.isAccepted('the customer granted once more')
  grant.exchange?.isAccepted('its code was given a moment before')
})

const renewed = scenario(
  'the 90 days of tokens that came of a refresh',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'clock'], waitsMs: days(211) },
  async (session) => {
    const { app } = session
    const issued = await app.tokens()
    // Early, so that an end counted from the first issue is far from one counted from the refresh.
    await waitForAge(session, issued.exchange, days(30), days(30))
    const renewal = await app.renew(issued)
    const { accessToken } = renewal.tokens
    const young = await app.listAccounts(accessToken)
    await waitForAge(session, renewal.exchange, LIFETIME - MARGIN, SLACK)
    const old = await app.listAccounts(accessToken)
    await waitForAge(session, renewal.exchange, LIFETIME + MARGIN)
    const expired = await app.listAccounts(accessToken)

    const next = await app.tokens()
    const fresh = await app.listAccounts(next.accessToken)
    await waitForAge(session, next.exchange, LIFETIME - MARGIN, SLACK)
    const longExpired = await app.listAccounts(issued.accessToken)
    const nextList = await app.listAccounts(next.accessToken)
    const lastRefresh = await app.refresh(next)
    const refresh = renewal.exchange
    const calls = { young, old, expired, fresh, longExpired, nextList }
    return { ...calls, refresh, lastRefresh, ...(await refreshBehindTheEnd(session, next, lastRefresh)) }
  },
)

/** Where a refresh was refused: the same one once its access token has expired. */
const refreshBehindTheEnd = async (session: Session, tokens: TokenSet, before: Exchange) => {
  if (isAccepted(before)) return {}
  await waitForAge(session, tokens.exchange, LIFETIME + MARGIN)
  return { lateRefresh: await session.app.refresh(tokens) }
}

check(TOK.refreshedTokenLivesFromItsOwnIssue, renewed, ({ refresh, young, old }) => {
  if (!refresh.accepted || !young.accepted)
    throw new NotReached('the refresh gave no access token that opens the list of accounts')
  old.isAccepted('its access token came of a refresh 90 days less an hour before')
})

check(TOK.refreshedTokenEndsAfterNinetyDays, renewed, ({ refresh, young, expired, fresh }) => {
  if (!refresh.accepted) throw new NotReached('the refresh was not accepted')
  isRefusedBetween(
    { before: young, changed: expired, after: fresh },
    'its access token came of a refresh 90 days and an hour before',
  )
})

check(TOK.accessTokenEndsAfterNinetyDays, renewed, ({ fresh, longExpired, nextList }) =>
  isRefusedBetween(
    { before: fresh, changed: longExpired, after: nextList },
    'its access token has expired three months before, or longer',
  ),
)

check(TOK.refreshTokenLivesNinetyDays, renewed, ({ lastRefresh, lateRefresh }) => {
  // A bank may renew expired access tokens alone: what is good later was good until then.
  const refresh = lateRefresh?.accepted === true ? lateRefresh : lastRefresh
  refresh.isAccepted('its refresh token was issued 90 days less an hour before')
})

const renewedAgain = scenario(
  'the 90 days of tokens that came of a refresh of a refresh',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'clock'], waitsMs: days(180) },
  async (session) => {
    const { app } = session
    const first = await app.renew(await app.tokens())
    const second = await app.renew(first.tokens)
    const { accessToken } = second.tokens
    const young = await app.listAccounts(accessToken)
    await waitForAge(session, second.exchange, LIFETIME - MARGIN, SLACK)
    const old = await app.listAccounts(accessToken)
    await waitForAge(session, second.exchange, LIFETIME + MARGIN)
    const expired = await app.listAccounts(accessToken)

    const issued = await app.tokens()
    const fresh = await app.listAccounts(issued.accessToken)
    // Later than the first issue, so that an end counted from that comes before the look.
    await waitForAge(session, issued.exchange, days(1), days(1))
    const renewal = await app.renew(issued)
    await waitForAge(session, renewal.exchange, LIFETIME - MARGIN, SLACK)
    const lastRefresh = await app.refresh(renewal.tokens)
    const refreshes = [first.exchange, second.exchange]
    const isNew = renewal.tokens.refreshToken !== issued.refreshToken
    const last = { renewal: renewal.exchange, isNew, refresh: lastRefresh }
    return { refreshes, young, old, expired, fresh, last }
  },
)

const areAccepted = ({ refreshes }: { readonly refreshes: readonly ObservedExchange[] }): void => {
  if (!refreshes.every(({ accepted }) => accepted)) throw new NotReached('a refresh was not accepted')
}

check(TOK.refreshedTokenLivesFromItsOwnIssue, renewedAgain, (record) => {
  areAccepted(record)
  if (!record.young.accepted) throw new NotReached('the access token of the second refresh opens no list')
  record.old.isAccepted('its access token came of a second refresh 90 days less an hour before')
})

check(TOK.refreshedTokenEndsAfterNinetyDays, renewedAgain, (record) => {
  areAccepted(record)
  isRefusedBetween(
    { before: record.young, changed: record.expired, after: record.fresh },
    'its access token came of a second refresh 90 days and an hour before',
  )
})

check(TOK.refreshTokenLivesNinetyDays, renewedAgain, ({ last: { renewal, isNew, refresh } }) => {
  if (!renewal.accepted || !isNew) throw new NotReached('the refresh gave no refresh token')
  refresh.isAccepted('its refresh token came of a refresh 90 days less an hour before')
})
