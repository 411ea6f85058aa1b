import { check, isChallenged, isRefusedBetween, NotReached, refusalOf } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
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
    const stillRevoked = await app.listAccounts(accessToken)
    // A revoked token cannot be valid again: the controls after it are those of another grant.
    const next = await app.tokens()
    const afterTheNextGrant = await app.listAccounts(accessToken)
    const after = await app.listAccounts(next.accessToken)
    const afterRefresh = await app.refresh(next)
    const calls = { before, revoked, stillRevoked, afterTheNextGrant, after }
    return { ...calls, beforeRefresh: renewal.exchange, refresh, afterRefresh }
  },
)

const REVOKED = 'the user has revoked its access token'

check(
  TOK.revokedTokenIsRefused,
  revocation,
  ({ before, revoked, stillRevoked, afterTheNextGrant, after }) => {
    isRefusedBetween({ before, changed: revoked, after }, REVOKED)
    isRefusedBetween(
      { before, changed: stillRevoked, after },
      `${REVOKED}, and an attempt to refresh it changes nothing`,
    )
    isRefusedBetween(
      { before, changed: afterTheNextGrant, after },
      `${REVOKED}, and a new grant gives a token of its own`,
    )
  },
)

check(TOK.revokedTokenHasStatus401, revocation, ({ before, revoked, stillRevoked, after }) => {
  for (const changed of [revoked, stillRevoked]) {
    isRefusedBetween({ before, changed, after }, REVOKED)
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

const withAnotherApplication = scenario(
  'tokens of another application after a revocation',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 2,
    needs: ['customer', 'second-application', 'revocation'],
  },
  async ({ app, other, testHooks }) => {
    const mine = await app.tokens()
    const theirs = await other.tokens()
    const before = {
      mine: await app.listAccounts(mine.accessToken),
      theirs: await other.listAccounts(theirs.accessToken),
    }
    await testHooks.revokeToken(mine.accessToken)
    const after = {
      mine: await app.listAccounts(mine.accessToken),
      theirs: await other.listAccounts(theirs.accessToken),
    }
    return { before, after }
  },
)

check(TOK.revocationEndsNoOtherGrant, withAnotherApplication, ({ before, after }) => {
  if (!before.mine.accepted || !before.theirs.accepted)
    throw new NotReached('an access token was not accepted before the revocation')
  if (after.mine.accepted) throw new NotReached('the revoked access token is still accepted')
  after.theirs.isAccepted('the user revoked another token')
})
