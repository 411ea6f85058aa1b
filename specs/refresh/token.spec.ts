import { check, isRefusedBetween, NotReached, refusalOf } from '../../harness/check/index.ts'
import { change, days, scenario, tokenIn } from '../../harness/session/index.ts'
import { UNKNOWN_TOKEN } from '../shared/account-steps.ts'
import type { RecordOf } from '../../harness/check/index.ts'
import type { Session, TokenSet } from '../../harness/session/index.ts'
import {
  assertEnded,
  assertNoTaskReported,
  assertStatusGivesTheResult,
  listenBeforeANewGrant,
  listenUntilTheEndOf,
  refreshWithNewGrant,
  waitUntilItMayBeRepeated,
} from './steps.ts'
import { waitForTheEnd } from '../shared/tolerances.ts'
import { checkRefused } from '../shared/refused.ts'
import { notifying } from '../shared/scenario-options.ts'
import { REF } from './requirements.ts'

/** Requests whose Authorization header has no access token that the bank has issued, and why they are refused. */
const refreshesWithoutToken = async ({ app }: Session, tokens: TokenSet) => {
  const { clientId, clientSecret } = app.profile
  const attempts = []
  for (const [one, because] of [
    [change.noHeader('Authorization'), 'it has no Authorization header'],
    [change.header('Authorization', 'Bearer'), 'there is no token after the word Bearer'],
    [change.basic(clientId, clientSecret), 'the Basic header of the client is no access token'],
    [change.bearer(tokens.refreshToken), 'the refresh token is no access token'],
    [change.bearer(UNKNOWN_TOKEN), 'the bank never issued the token'],
  ] as const)
    attempts.push({ changed: await app.refreshAccounts(tokens, one), because })
  return attempts
}

/**
 * Each refresh is tried for a consent that was refreshed and for one that was not: a target may refuse a second refresh of
 * a consent for some time, and the clock may not be movable. The second consent is refreshed afterwards, which shows that it
 * could have been.
 */
const withoutToken = scenario('refreshes without an access token', notifying(2), async (session) => {
  const { app } = session
  const tokens = await app.tokens()
  const before = await app.refreshAccounts(tokens)
  await waitUntilItMayBeRepeated(session)
  const ofRefreshed = await refreshesWithoutToken(session, tokens)
  const unused = await app.tokens()
  const ofUnused = await refreshesWithoutToken(session, unused)
  return { before, attempts: [...ofRefreshed, ...ofUnused], after: await app.refreshAccounts(unused) }
})

check(REF.refreshWithoutTokenIsRefused, withoutToken, ({ before, attempts, after }) => {
  for (const { changed, because } of attempts) isRefusedBetween({ before, changed, after }, because)
})

check(REF.statusGivesTheResult, withoutToken, ({ before, attempts, after }) =>
  assertStatusGivesTheResult({
    valid: [before, after],
    changed: attempts.map(({ changed }) => changed),
  }),
)

type OtherApi = 'loans' | 'payments'

/**
 * An access token of another API: of the acting application where it gets one, otherwise of the application in the profile.
 * @throws NotReached where neither gets one, or a customer must grant it.
 */
const tokenFor = async (session: Session, api: OtherApi): Promise<string> => {
  const { app, profile } = session
  const grantType = profile.payments?.token.form['grant_type']
  if (
    api === 'payments' &&
    profile.payments?.authentication === 'bearer' &&
    grantType !== 'client_credentials'
  )
    throw new NotReached(
      `a customer must grant a token for payments (payments.token.form.grant_type: ${String(grantType)})`,
    )
  try {
    return tokenIn((await session[api](app.profile)).token)
  } catch (error) {
    if (!(error instanceof NotReached)) throw error
    return tokenIn((await session[api]()).token)
  }
}

for (const api of ['loans', 'payments'] as const) {
  const withTokenOfAnotherApi = scenario(
    `a refresh with an access token for ${api}`,
    {
      effect: 'notify',
      as: 'TPP',
      authorizations: 2,
      needs: ['customer', api, ...(api === 'payments' ? (['payment-bearer'] as const) : [])],
    },
    async (session) => {
      const { app } = session
      const token = await tokenFor(session, api)
      const tokens = await app.tokens()
      const before = await app.refreshAccounts(tokens)
      await waitUntilItMayBeRepeated(session)
      const changed = [await app.refreshAccounts(tokens, change.bearer(token))]
      const unused = await app.tokens()
      changed.push(await app.refreshAccounts(unused, change.bearer(token)))
      return { before, changed, after: await app.refreshAccounts(unused) }
    },
  )

  checkRefused(REF.refreshWithoutTokenIsRefused, withTokenOfAnotherApi, {
    changed: `the access token is one for ${api}`,
  })
}

const reportedWithoutToken = scenario(
  'webhook calls after refreshes without an access token',
  notifying(2, 'webhook', 'other-bank-account'),
  async (session) => {
    const { app, webhook } = session
    await webhook.activate()
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    const first = await listenUntilTheEndOf(session, before)
    await waitUntilItMayBeRepeated(session)
    const attempts = await refreshesWithoutToken(session, tokens)
    await listenBeforeANewGrant(session)
    const after = await refreshWithNewGrant(app)
    const last = await listenUntilTheEndOf(session, after)
    const accepted = [before, after].map((refresh) => app.taskIdIn(refresh))
    return { consentId: tokens.consentId ?? '', accepted, before, first, attempts, after, last }
  },
)

check(
  REF.refreshWithoutTokenIsRefused,
  reportedWithoutToken,
  ({ consentId, accepted, first, last, ...record }) => {
    const { before, attempts, after } = record
    for (const { changed, because } of attempts) isRefusedBetween({ before, changed, after }, because)
    if (!first.isReported || !last.isReported)
      throw new NotReached('the end of an accepted refresh was not reported')
    assertNoTaskReported(last.calls.slice(first.calls.length), { consents: [consentId], accepted })
  },
)

check(REF.taskIsReportedAsFinished, reportedWithoutToken, ({ before, first, after, last }) => {
  assertEnded(before, first)
  assertEnded(after, last)
})

const expired = scenario(
  'refreshes with a token that has expired',
  { ...notifying(2, 'clock'), waitsMs: days(91) },
  async (session) => {
    const { app, clock } = session
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    await waitForTheEnd(session, tokens.exchange)
    const late = await app.refreshAccounts(tokens)
    await clock.pass(days(1))
    const aDayLate = await app.refreshAccounts(tokens)
    return { before, late: [late, aDayLate], after: await refreshWithNewGrant(app) }
  },
)

check(REF.refreshWithAnExpiredTokenHasStatus401, expired, ({ before, late, after }) => {
  isRefusedBetween({ before, changed: late, after }, 'its access token was issued more than 90 days before')
  for (const call of late) refusalOf(call).status.equals(401)
})

const renewed = scenario(
  'refreshes with expired tokens of a grant that was renewed',
  { ...notifying(2, 'clock'), waitsMs: days(120) },
  async (session) => {
    const { app, clock } = session
    const issued = await app.tokens()
    const first = await app.refreshAccounts(issued)
    await clock.pass(days(30), days(30))
    const renewal = await app.renew(issued)
    const next = { ...issued, ...renewal.tokens }
    const second = await app.refreshAccounts(next)
    await waitForTheEnd(session, issued.exchange)
    const superseded = await app.refreshAccounts(issued)
    await waitForTheEnd(session, renewal.exchange)
    const last = await app.refreshAccounts(next)
    const isNew = next.accessToken !== issued.accessToken
    const expired = { superseded, last }
    return { isNew, renewal: renewal.exchange, first, second, expired, after: await refreshWithNewGrant(app) }
  },
)

check(REF.refreshWithAnExpiredTokenHasStatus401, renewed, ({ isNew, renewal, expired, ...controls }) => {
  const { first, second, after } = controls
  if (!renewal.accepted || !isNew) throw new NotReached('the renewal gave no new access token')
  const { superseded, last } = expired
  isRefusedBetween(
    { before: first, changed: superseded, after },
    'its access token was issued more than 90 days before, although its grant has a newer one',
  )
  isRefusedBetween(
    { before: second, changed: last, after },
    'a renewal issued its access token more than 90 days before',
  )
  for (const call of [superseded, last]) refusalOf(call).status.equals(401)
})

const revoked = scenario(
  'a refresh with a token that was revoked',
  notifying(2, 'revocation'),
  async ({ app, testHooks }) => {
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    await testHooks.revokeToken(tokens.accessToken)
    const changed = await app.refreshAccounts(tokens)
    return { before, changed, after: await refreshWithNewGrant(app) }
  },
)

check(REF.refreshWithARevokedTokenHasStatus401, revoked, ({ before, changed, after }) => {
  isRefusedBetween({ before, changed, after }, 'the user has revoked its access token')
  refusalOf(changed).status.equals(401)
})

/** A refresh that is answered with 401 starts no task. */

const REPORTED = ['customer', 'webhook', 'other-bank-account'] as const

/** A refresh before and after the end of its token, and the calls since then. */
const refreshAroundTheEnd = async (session: Session, end: (tokens: TokenSet) => Promise<void>) => {
  const { app, webhook } = session
  await webhook.activate()
  const tokens = await app.tokens()
  const before = await app.refreshAccounts(tokens)
  const first = await listenUntilTheEndOf(session, before)
  await end(tokens)
  const earlier = webhook.deliveries().length
  const refused = await app.refreshAccounts(tokens)
  await listenBeforeANewGrant(session)
  const after = await refreshWithNewGrant(app)
  const last = await listenUntilTheEndOf(session, after)
  return {
    before,
    refused,
    after,
    consentId: tokens.consentId ?? '',
    isReported: first.isReported && last.isReported,
    calls: last.calls.slice(earlier),
    accepted: [before, after].map((refresh) => app.taskIdIn(refresh)),
  }
}

const reportedAfterRevocation = scenario(
  'webhook calls after a refresh with a token that was revoked',
  { effect: 'notify', as: 'TPP', authorizations: 2, needs: [...REPORTED, 'revocation'] },
  (session) =>
    refreshAroundTheEnd(session, async ({ accessToken }) => {
      await session.testHooks.revokeToken(accessToken)
    }),
)

const reportedAfterExpiry = scenario(
  'webhook calls after a refresh with a token that has expired',
  { effect: 'notify', as: 'TPP', authorizations: 2, needs: [...REPORTED, 'clock'], waitsMs: days(91) },
  (session) => refreshAroundTheEnd(session, ({ exchange }) => waitForTheEnd(session, exchange)),
)

const assertNothingReported = (record: RecordOf<typeof refreshAroundTheEnd>): void => {
  const { before, refused, after, isReported, calls, consentId, accepted } = record
  if (!before.accepted || refused.accepted || !after.accepted || !isReported)
    throw new NotReached('there is no refused refresh between two that are accepted and reported')
  assertNoTaskReported(calls, { consents: [consentId], accepted })
}

check(REF.refreshWithARevokedTokenHasStatus401, reportedAfterRevocation, assertNothingReported)

check(REF.refreshWithAnExpiredTokenHasStatus401, reportedAfterExpiry, assertNothingReported)

/** A token of one environment must not start a refresh in the other. */
type Environment = Parameters<Session['at']>[0]

const NAMES: Readonly<Record<Environment, string>> = { sandbox: 'the sandbox', production: 'production' }

const refreshInTheOther = (own: Environment, other: Environment) =>
  scenario(
    `refreshes in ${NAMES[other]} with an access token of ${NAMES[own]}`,
    {
      ...notifying(3),
      effectsIn:
        other === 'production'
          ? { sandbox: 'consent', production: 'notify' }
          : { sandbox: 'notify', production: 'consent' },
    },
    async (session) => {
      const { app } = session.at(other)
      const foreign = await session.at(own).app.tokens()
      const tokens = await app.tokens()
      const { accessToken } = foreign
      const before = await app.refreshAccounts(tokens)
      await waitUntilItMayBeRepeated(session)
      const changed = [
        await app.refreshAccounts(foreign),
        await app.refreshAccounts({ ...tokens, accessToken }),
      ]
      const unused = await app.tokens()
      // If tokens recur, which TOK-23 judges, this may be the own token of the consent.
      if (unused.accessToken !== accessToken)
        changed.push(await app.refreshAccounts({ ...unused, accessToken }))
      return { before, changed, after: await app.refreshAccounts(unused) }
    },
  )

for (const [own, other] of [
  ['sandbox', 'production'],
  ['production', 'sandbox'],
] as const)
  checkRefused(REF.refreshWithoutTokenIsRefused, refreshInTheOther(own, other), {
    changed: `the access token is one of ${NAMES[own]}`,
  })
