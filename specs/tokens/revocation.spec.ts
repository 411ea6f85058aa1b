import { check, isChallenged, isRefusedBetween, refusalOf } from '../../harness/check/index.ts'
import { days, scenario } from '../../harness/session/index.ts'
import { TOK } from './requirements.ts'

const revocation = scenario(
  'tokens that the user revoked',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'revocation'] },
  async ({ app, testHooks }) => {
    const renewal = await app.renew(await app.tokens())
    const { accessToken, refreshToken } = renewal.tokens
    const before = await app.listAccounts(accessToken)
    await testHooks.revokeToken(accessToken)
    const revoked = await app.listAccounts(accessToken)
    const refresh = await app.refresh({ refreshToken })
    const revokedStill = await app.listAccounts(accessToken)
    // What is revoked cannot be valid again: the controls behind it are those of another grant.
    const next = await app.tokens()
    const besideTheNext = await app.listAccounts(accessToken)
    const after = await app.listAccounts(next.accessToken)
    const afterRefresh = await app.refresh(next)
    const calls = { before, revoked, revokedStill, besideTheNext, after }
    return { ...calls, beforeRefresh: renewal.exchange, refresh, afterRefresh }
  },
)

check(TOK.revokedTokenIsRefused, revocation, ({ before, revoked, revokedStill, besideTheNext, after }) => {
  isRefusedBetween({ before, changed: revoked, after }, 'the user has revoked its access token')
  isRefusedBetween(
    { before, changed: revokedStill, after },
    'the user has revoked its access token, and an attempt to refresh it changes nothing',
  )
  isRefusedBetween(
    { before, changed: besideTheNext, after },
    'the user has revoked its access token, and a new grant gives a token of its own',
  )
})

check(TOK.revokedTokenHasStatus401, revocation, ({ before, revoked, revokedStill, after }) => {
  for (const changed of [revoked, revokedStill]) {
    isRefusedBetween({ before, changed, after }, 'the user has revoked its access token')
    refusalOf(changed).status.equals(401)
  }
})

check(TOK.refusedDataCallIsChallenged, revocation, ({ revoked }) => isChallenged(revoked, 'Bearer'))

check(TOK.revocationEndsTheRefreshToken, revocation, ({ beforeRefresh, refresh, afterRefresh }) =>
  isRefusedBetween(
    { before: beforeRefresh, changed: refresh, after: afterRefresh },
    'the user has revoked the access token of the same grant',
  ),
)

const aDayAgo = scenario(
  'tokens that the user revoked a day ago',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 2,
    needs: ['customer', 'revocation', 'clock'],
    waitsMs: days(1),
  },
  async ({ app, testHooks, clock }) => {
    // Of a code exchange: where tokens are renewed, others may be looked up.
    const { accessToken } = await app.tokens()
    const before = await app.listAccounts(accessToken)
    await testHooks.revokeToken(accessToken)
    const atOnce = await app.listAccounts(accessToken)
    await clock.pass(days(1))
    const later = await app.listAccounts(accessToken)
    const next = await app.tokens()
    return { before, revoked: [atOnce, later], after: await app.listAccounts(next.accessToken) }
  },
)

check(TOK.revokedTokenIsRefused, aDayAgo, ({ before, revoked, after }) =>
  isRefusedBetween({ before, changed: revoked, after }, 'the user has revoked its access token, for good'),
)

check(TOK.revokedTokenHasStatus401, aDayAgo, ({ before, revoked, after }) => {
  isRefusedBetween({ before, changed: revoked, after }, 'the user has revoked its access token, for good')
  for (const call of revoked) refusalOf(call).status.equals(401)
})
