import { check, isChallenged, isRefusedBetween, scenario } from '../../harness/check/index.ts'
import { TOK } from './requirements.ts'

const revocation = scenario(
  'tokens that the user revoked',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'revocation'] },
  async ({ app, levers }) => {
    const renewal = await app.renew(await app.tokens())
    const { accessToken, refreshToken } = renewal.tokens
    const before = await app.listAccounts(accessToken)
    await levers.revokeToken(accessToken)
    const revoked = await app.listAccounts(accessToken)
    const refresh = await app.refresh({ refreshToken })
    const revokedStill = await app.listAccounts(accessToken)
    // What is revoked cannot be valid again: the controls behind it are those of another grant.
    const next = await app.tokens()
    const after = await app.listAccounts(next.accessToken)
    const afterRefresh = await app.refresh(next)
    return { before, revoked, revokedStill, after, beforeRefresh: renewal.exchange, refresh, afterRefresh }
  },
)

check(TOK.revokedTokenIsRefused, revocation, ({ before, revoked, revokedStill, after }) => {
  isRefusedBetween({ before, changed: revoked, after }, 'the user has revoked its access token')
  isRefusedBetween(
    { before, changed: revokedStill, after },
    'the user has revoked its access token, and an attempt to refresh it changes nothing',
  )
})

check(TOK.revokedTokenHasStatus401, revocation, ({ before, revoked, after }) => {
  isRefusedBetween({ before, changed: revoked, after }, 'the user has revoked its access token')
  revoked.status.equals(401)
})

check(TOK.refusedDataCallIsChallenged, revocation, ({ revoked }) => isChallenged(revoked, 'Bearer'))

check(TOK.revocationEndsTheRefreshToken, revocation, ({ beforeRefresh, refresh, afterRefresh }) =>
  isRefusedBetween(
    { before: beforeRefresh, changed: refresh, after: afterRefresh },
    'the user has revoked the access token of the same grant',
  ),
)
