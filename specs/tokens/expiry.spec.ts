import {
  check,
  isAccepted,
  isChallenged,
  isRefusedBetween,
  NotReached,
  refusalOf,
} from '../../harness/check/index.ts'
import { days, grantedVariants, waitForAge, scenario } from '../../harness/session/index.ts'
import type { Exchange, ObservedExchange } from '../../harness/check/index.ts'
import type { Application, GrantAttempt, Session, TokenSet } from '../../harness/session/index.ts'
import {
  areRefusedNow,
  areStillAnswered,
  dataCalls,
  grantAll,
  listIn,
  renewAll,
  repeatDetailsAndPages,
} from './data-access.ts'
import { LIFETIME, untilLastDay, waitForLastMinutes, waitForTheEnd } from '../shared/tolerances.ts'
import { TOK } from './requirements.ts'
import { secondCustomerOf } from './token-requests.ts'

/**
 * A new grant with the existing consent. Whether that is still valid is judged in the chapter on consent: where it is
 * not, a grant with a new one is sufficient here. A FAC has none.
 */
const grantAnew = async (app: Application, { consentId }: TokenSet): Promise<GrantAttempt> => {
  if (consentId === undefined) return app.attemptGrant()
  const grant = await app.attemptGrant({ consentId })
  const hasToken = grant.exchange !== undefined && app.tokensIn(grant.exchange).accessToken !== undefined
  return hasToken ? grant : app.attemptGrant()
}

const ending = scenario(
  'tokens at the end of their 90 days',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'clock'], waitsMs: days(105) },
  async (session) => {
    const { app } = session
    const names = { refreshToken: session.profile.operations.token.refreshToken }
    // Lifetimes may be counted wrong from the last day of a month or to it, and around midnight in Europe.
    const start = app.kind === 'FAC' ? untilLastDay(session, '22:10') : untilLastDay(session, '21:10', 90)
    if (session.clock.kind !== 'wall') await session.clock.pass(start)
    const issued = await app.tokens()
    const young = await app.listAccounts(issued.accessToken)
    await waitForLastMinutes(session, issued.exchange)
    const old = await app.listAccounts(issued.accessToken)
    await waitForTheEnd(session, issued.exchange)
    const expired = await app.listAccounts(issued.accessToken)
    const late = await app.renew(issued)
    // The new access token where there is one; else the expired one, which is still expired after the attempt.
    const afterLate = await app.listAccounts(late.tokens.accessToken)
    const grant = await grantAnew(app, issued)
    const next = grant.exchange === undefined ? {} : app.tokensIn(grant.exchange)
    // An expired token is still expired after a new grant.
    const expiredStill = await app.listAccounts(issued.accessToken)
    const fresh = await app.listAccounts(next.accessToken ?? issued.accessToken)
    return { names, issued, young, old, expired, late, afterLate, grant, expiredStill, fresh }
  },
)

const EXPIRED = 'its access token was issued more than 90 days before'

check(TOK.accessTokenLivesNinetyDays, ending, ({ young, old }) => {
  if (!young.accepted) throw new NotReached('the access token was not accepted when it was new')
  old.isAccepted('its access token was issued less than 90 days before')
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

check(TOK.expiredTokenHasStatus401, ending, ({ young, expired, late, afterLate, expiredStill, fresh }) => {
  const notRenewed = late.exchange.accepted ? [] : [afterLate]
  for (const changed of [expired, ...notRenewed, expiredStill]) {
    isRefusedBetween({ before: young, changed, after: fresh }, EXPIRED)
    refusalOf(changed).status.equals(401)
  }
})

check(TOK.refusedDataCallIsChallenged, ending, ({ expired }) => isChallenged(expired, 'Bearer'))

check(TOK.refreshAfterNinetyDaysGivesBothOrNone, ending, ({ names, issued, young, late, afterLate }) => {
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
  if (!young.accepted) throw new NotReached('the first access token was not accepted when it was new')
  afterLate.isAccepted('a refresh gave its access token a moment before')
})

check(TOK.newGrantFollowsAFailedRefresh, ending, ({ grant }) => {
  grant.redirectResult.isAccepted('the customer granted again')
  grant.exchange?.isAccepted('its code was given a moment before')
})

const renewed = scenario(
  'the 90 days of tokens from a refresh',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 1,
    // The second customer grants all variants, and then the first customer one.
    times: (profile) => grantedVariants(profile).length + 1,
    needs: ['customer', 'clock'],
    waitsMs: days(212),
  },
  async (session) => {
    const { app } = session
    const all = await grantAll(session, secondCustomerOf(session))
    const issued = all[0].tokens
    // Early, so that an end counted from the authorization is far from one counted from the refresh.
    await waitForAge(session, issued.exchange, days(30), days(30))
    const renewed = await renewAll(all)
    const [renewal] = renewed
    const { accessToken } = renewal.tokens
    const young = await dataCalls(session, renewed)
    await waitForLastMinutes(session, issued.exchange)
    const beforeTheGrantEnds = await dataCalls(session, renewed)
    await waitForTheEnd(session, issued.exchange)
    // Accepted after the end of the grant, a token has 90 days of its own.
    const independent = []
    for (const one of renewed)
      if (isAccepted(await one.app.listAccounts(one.tokens.accessToken))) independent.push(one)
    await waitForLastMinutes(session, renewal.exchange)
    const old = await dataCalls(session, independent)
    await waitForTheEnd(session, renewal.exchange)
    const expiredCalls = await repeatDetailsAndPages(renewed, young)
    const expired = await app.listAccounts(accessToken)

    // A day later, so that the tokens of the first grant are older than 180 days when those of the next one end.
    await waitForAge(session, renewal.exchange, LIFETIME + days(1))
    const next = await app.tokens()
    const fresh = await app.listAccounts(next.accessToken)
    await waitForLastMinutes(session, next.exchange)
    const longExpired = await app.listAccounts(issued.accessToken)
    const renewedLongExpired = await app.listAccounts(accessToken)
    const nextList = await app.listAccounts(next.accessToken)
    const lastRefresh = await app.refresh(next)
    const halfAYearOld = { unused: await app.refresh(renewal.tokens), replaced: await app.refresh(issued) }
    const lastList = await app.listAccounts(app.tokensIn(lastRefresh).accessToken ?? next.accessToken)
    const lateRefresh = await refreshAfterTheEnd(session, next, lastRefresh)
    const lists = { fresh, longExpired, renewedLongExpired, nextList, lastList }
    const calls = { young, beforeTheGrantEnds, old, expired, expiredCalls }
    return { refresh: renewal.exchange, ...calls, ...lists, halfAYearOld, lastRefresh, ...lateRefresh }
  },
)

/** Where a refresh was refused: the same one once its access token has expired. */
const refreshAfterTheEnd = async (session: Session, tokens: TokenSet, before: Exchange) => {
  if (isAccepted(before)) return {}
  await waitForTheEnd(session, tokens.exchange)
  return { lateRefresh: await session.app.refresh(tokens) }
}

check(TOK.refreshedTokenLivesNinetyDays, renewed, ({ refresh, young, ...record }) => {
  const { beforeTheGrantEnds, old } = record
  if (!refresh.accepted || !listIn(young).accepted)
    throw new NotReached('the refresh gave no access token that opens the list of accounts')
  areStillAnswered(young, beforeTheGrantEnds, 'the customer authorized less than 90 days before')
  areStillAnswered(young, old, 'a refresh gave its access token less than 90 days before')
})

check(TOK.refreshedTokenEndsAfterNinetyDays, renewed, ({ refresh, young, ...record }) => {
  if (!refresh.accepted) throw new NotReached('the refresh was not accepted')
  const { expired, expiredCalls, fresh } = record
  const because = 'a refresh gave its access token more than 90 days before'
  isRefusedBetween({ before: listIn(young), changed: expired, after: fresh }, because)
  areRefusedNow(young, expiredCalls, fresh, because)
})

check(TOK.refreshedTokenEndsAfterNinetyDays, renewed, ({ refresh, young, ...record }) => {
  if (!refresh.accepted || !listIn(young).accepted)
    throw new NotReached('the refresh gave no access token that opens the list of accounts')
  const { fresh, renewedLongExpired, nextList } = record
  isRefusedBetween(
    { before: fresh, changed: renewedLongExpired, after: nextList },
    'a refresh gave its access token 180 days before',
  )
})

check(TOK.expiredTokenHasStatus401, renewed, ({ refresh, young, expired, fresh }) => {
  if (!refresh.accepted) throw new NotReached('the refresh was not accepted')
  isRefusedBetween({ before: listIn(young), changed: expired, after: fresh }, 'its access token has expired')
  refusalOf(expired).status.equals(401)
})

check(TOK.accessTokenLivesNinetyDays, renewed, ({ fresh, nextList }) => {
  if (!fresh.accepted) throw new NotReached('the access token was not accepted when it was new')
  nextList.isAccepted('its access token was issued less than 90 days before')
})

check(TOK.oldRefreshTokenIsRefused, renewed, ({ refresh, halfAYearOld: { unused, replaced }, lastList }) => {
  const attempts = { before: refresh, after: lastList }
  isRefusedBetween({ ...attempts, changed: unused }, 'its refresh token was issued more than 180 days before')
  isRefusedBetween(
    { ...attempts, changed: replaced },
    'its refresh token was issued more than 180 days before, and was replaced',
  )
})

check(TOK.accessTokenEndsAfterNinetyDays, renewed, ({ fresh, longExpired, nextList }) =>
  isRefusedBetween(
    { before: fresh, changed: longExpired, after: nextList },
    'its access token expired months before',
  ),
)

check(TOK.refreshTokenLivesNinetyDays, renewed, ({ lastRefresh, lateRefresh }) => {
  // A bank may renew only expired access tokens: a refresh token that is valid later was valid until then.
  const refresh = lateRefresh?.accepted === true ? lateRefresh : lastRefresh
  refresh.isAccepted('its refresh token was issued less than 90 days before')
})

const renewedAgain = scenario(
  'the 90 days of tokens from the third refresh',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'clock'], waitsMs: days(270) },
  async (session) => {
    const { app } = session
    const first = await app.renew(await app.tokens())
    const second = await app.renew(first.tokens)
    const third = await app.renew(second.tokens)
    const { accessToken } = third.tokens
    const young = await app.listAccounts(accessToken)
    await waitForLastMinutes(session, third.exchange)
    const old = await app.listAccounts(accessToken)
    await waitForTheEnd(session, third.exchange)
    const expired = await app.listAccounts(accessToken)

    const issued = await app.tokens(secondCustomerOf(session))
    const fresh = await app.listAccounts(issued.accessToken)
    const refreshes = [first, second, third].map(({ exchange }) => exchange)
    const later = await refreshesFrom(session, issued)
    return { refreshes, young, old, expired, fresh, ...later, tooLate: await app.refresh(third.tokens) }
  },
)

interface LaterRefreshes {
  readonly renewal: Exchange
  /** Whether it gave another refresh token. */
  readonly isNew: boolean
  readonly beforeTheEnd: Exchange
  readonly lastOne?: Exchange
}

/**
 * A day after the authorization, shortly before its 90 days end, and after them. Where that is accepted, the 90 days
 * of a refresh token are counted from the refresh: then also shortly before they end.
 */
const refreshesFrom = async (session: Session, issued: TokenSet): Promise<LaterRefreshes> => {
  const { app } = session
  await waitForAge(session, issued.exchange, days(1), days(1))
  const renewal = await app.renew(issued)
  await waitForLastMinutes(session, issued.exchange)
  const beforeTheEnd = await app.renew(renewal.tokens)
  await waitForTheEnd(session, issued.exchange)
  const afterTheEnd = await app.renew(beforeTheEnd.tokens)
  const isNew = renewal.tokens.refreshToken !== issued.refreshToken
  const refreshes = { renewal: renewal.exchange, isNew, beforeTheEnd: beforeTheEnd.exchange }
  if (afterTheEnd.tokens.refreshToken === beforeTheEnd.tokens.refreshToken) return refreshes
  await waitForLastMinutes(session, afterTheEnd.exchange)
  return { ...refreshes, lastOne: await app.refresh(afterTheEnd.tokens) }
}

const areAccepted = ({ refreshes }: { readonly refreshes: readonly ObservedExchange[] }): void => {
  if (!refreshes.every(({ accepted }) => accepted)) throw new NotReached('a refresh was not accepted')
}

check(TOK.refreshedTokenLivesNinetyDays, renewedAgain, (record) => {
  areAccepted(record)
  if (!record.young.accepted) throw new NotReached('the access token of the third refresh opens no list')
  record.old.isAccepted('a third refresh gave its access token less than 90 days before')
})

check(TOK.refreshedTokenEndsAfterNinetyDays, renewedAgain, (record) => {
  areAccepted(record)
  isRefusedBetween(
    { before: record.young, changed: record.expired, after: record.fresh },
    'a third refresh gave its access token more than 90 days before',
  )
})

check(TOK.oldRefreshTokenIsRefused, renewedAgain, ({ refreshes, beforeTheEnd, lastOne, tooLate }) => {
  const [, , third] = refreshes
  if (third === undefined) throw new NotReached('there was no third refresh')
  isRefusedBetween(
    { before: third, changed: tooLate, after: lastOne ?? beforeTheEnd },
    'a third refresh gave its refresh token more than 180 days before',
  )
})

check(TOK.refreshTokenLivesNinetyDays, renewedAgain, ({ renewal, isNew, beforeTheEnd, lastOne }) => {
  if (!renewal.accepted || !isNew) throw new NotReached('the refresh gave no refresh token')
  beforeTheEnd.isAccepted('the customer authorized less than 90 days before')
  lastOne?.isAccepted('a refresh gave its refresh token less than 90 days before')
})
