import {
  check,
  days,
  isChallenged,
  isRefusedBetween,
  NotReached,
  scenario,
} from '../../harness/check/index.ts'
import type { Application, GrantAttempt, Session, TokenSet } from '../../harness/check/index.ts'
import { TOK } from './requirements.ts'

const HOUR = days(1) / 24
const LIFETIME = days(90)

/** A look that comes too late for "less an hour" must not be taken for one. */
const SLACK = HOUR - days(1) / (24 * 60)

/** Waits until what an exchange issued has that age. Another scenario may have moved a shared clock before. */
const reach = (
  { clock }: Session,
  { sentAt }: Pick<TokenSet['exchange'], 'sentAt'>,
  age: number,
  slackMs?: number,
): Promise<void> => clock.pass(Math.max(0, Date.parse(sentAt) + age - clock.now().getTime()), slackMs)

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
    await reach(session, issued.exchange, LIFETIME - HOUR, SLACK)
    const old = await app.listAccounts(issued.accessToken)
    await reach(session, issued.exchange, LIFETIME + HOUR)
    const expired = await app.listAccounts(issued.accessToken)
    const late = await app.renew(issued)
    // The new access token where there is one; else the expired one, which the attempt has not revived.
    const afterLate = await app.listAccounts(late.tokens.accessToken)
    const grant = await grantAnew(app, issued)
    const next = grant.exchange === undefined ? {} : app.tokensIn(grant.exchange)
    const fresh = await app.listAccounts(next.accessToken ?? issued.accessToken)
    return { names, issued, young, old, expired, late, afterLate, grant, fresh }
  },
)

const EXPIRED = 'its access token was issued 90 days and an hour before'

check(TOK.accessTokenLivesNinetyDays, ending, ({ young, old }) => {
  if (!young.accepted) throw new NotReached('the access token was not accepted when it was new')
  old.isAccepted('its access token was issued 90 days less an hour before')
})

check(TOK.accessTokenEndsAfterNinetyDays, ending, ({ young, expired, late, afterLate, fresh }) => {
  isRefusedBetween({ before: young, changed: expired, after: fresh }, EXPIRED)
  if (!late.exchange.accepted)
    isRefusedBetween({ before: young, changed: afterLate, after: fresh }, `${EXPIRED}, and not renewed`)
})

check(TOK.expiredTokenHasStatus401, ending, ({ young, expired, fresh }) => {
  isRefusedBetween({ before: young, changed: expired, after: fresh }, EXPIRED)
  expired.status.equals(401)
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
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'clock'], waitsMs: days(210) },
  async (session) => {
    const { app } = session
    const issued = await app.tokens()
    // Early, so that an end counted from the first issue is far from one counted from the refresh.
    await reach(session, issued.exchange, days(30), days(30))
    const renewal = await app.renew(issued)
    const { accessToken } = renewal.tokens
    const young = await app.listAccounts(accessToken)
    await reach(session, renewal.exchange, LIFETIME - HOUR, SLACK)
    const old = await app.listAccounts(accessToken)
    await reach(session, renewal.exchange, LIFETIME + HOUR)
    const expired = await app.listAccounts(accessToken)

    const next = await app.tokens()
    const fresh = await app.listAccounts(next.accessToken)
    await reach(session, next.exchange, LIFETIME - HOUR, SLACK)
    const lastRefresh = await app.refresh(next)
    return { refresh: renewal.exchange, young, old, expired, fresh, lastRefresh }
  },
)

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

check(TOK.refreshTokenLivesNinetyDays, renewed, ({ lastRefresh }) =>
  lastRefresh.isAccepted('its refresh token was issued 90 days less an hour before'),
)
