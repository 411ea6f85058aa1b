import {
  check,
  isAccepted,
  isChallenged,
  isRefusedBetween,
  note,
  NotReached,
  refusalOf,
} from '../../harness/check/index.ts'
import type { Exchange, Observed } from '../../harness/check/index.ts'
import { days, scenario } from '../../harness/session/index.ts'
import type { Application, Session } from '../../harness/session/index.ts'
import { checkRefused } from '../shared/refused.ts'
import { granting } from '../shared/scenario-options.ts'
import { TOK } from './requirements.ts'

const revocation = scenario(
  'tokens that the user revoked',
  granting(2, 'revocation'),
  async ({ app, testHooks }) => {
    const issued = await app.tokens()
    const renewal = await app.renew(issued)
    const { accessToken, refreshToken } = renewal.tokens
    const earlier = await app.listAccounts(issued.accessToken)
    const before = await app.listAccounts(accessToken)
    const delay = await testHooks.revokeToken(accessToken)
    const revoked = await app.listAccounts(accessToken)
    const earlierRevoked = await app.listAccounts(issued.accessToken)
    const refreshes = [await app.refresh({ refreshToken }), await app.refresh({ refreshToken })]
    const stillRevoked = await app.listAccounts(accessToken)
    // A revoked token cannot be valid again: the controls after it are those of another grant.
    const next = await app.tokens()
    const afterTheNextGrant = await app.listAccounts(accessToken)
    const after = await app.listAccounts(next.accessToken)
    const afterRefresh = await app.refresh(next)
    const calls = { earlier, before, revoked, stillRevoked, afterTheNextGrant, after }
    // A bank may end an access token when it is renewed.
    const ofEarlier = isAccepted(earlier) ? { earlierRevoked } : {}
    return { ...calls, ...ofEarlier, delay, beforeRefresh: renewal.exchange, refreshes, afterRefresh }
  },
)

const REVOKED = 'the user has revoked its access token'

checkRefused(TOK.revokedTokenIsRefused, revocation, {
  revoked: REVOKED,
  stillRevoked: `${REVOKED}, and an attempt to refresh it changes nothing`,
  afterTheNextGrant: `${REVOKED}, and a new grant gives a token of its own`,
  earlierRevoked: 'the user has revoked the access token that a refresh gave in its place',
})

note(TOK.effectOfARevocation, revocation, ({ delay: { refusedAfterMs } }) =>
  refusedAfterMs === undefined
    ? 'not within the deadline'
    : refusedAfterMs === 0
      ? 'at once'
      : `after ${refusedAfterMs / 1_000} s`,
)

check(TOK.revokedTokenHasStatus401, revocation, ({ before, revoked, stillRevoked, after }) => {
  for (const changed of [revoked, stillRevoked]) {
    isRefusedBetween({ before, changed, after }, REVOKED)
    refusalOf(changed).status.equals(401)
  }
})

check(TOK.refusedDataCallIsChallenged, revocation, ({ revoked }) => isChallenged(revoked, 'Bearer'))

check(TOK.revocationEndsTheRefreshToken, revocation, ({ beforeRefresh, refreshes, afterRefresh }) =>
  isRefusedBetween(
    { before: beforeRefresh, changed: refreshes, after: afterRefresh },
    'the user has revoked the access token of the same grant',
  ),
)

const ofAConsent = scenario(
  'tokens of a consent that the customer revoked',
  { effect: 'consent', as: 'TPP', authorizations: 2, needs: ['customer', 'consent-revocation'] },
  async ({ app, testHooks }) => {
    const issued = await app.tokens()
    const before = await app.listAccounts(issued.accessToken)
    if (issued.consentId === undefined) throw new NotReached('the application has no consent')
    await testHooks.revokeConsent(issued.consentId, issued.accessToken)
    const revoked = await app.listAccounts(issued.accessToken)
    const refresh = await app.refresh(issued)
    const next = await app.tokens()
    const after = await app.listAccounts(next.accessToken)
    return { before, revoked, refresh, after, afterRefresh: await app.refresh(next) }
  },
)

const CONSENT_REVOKED = 'the customer has revoked its consent'

checkRefused(TOK.revokedTokenIsRefused, ofAConsent, { revoked: CONSENT_REVOKED })

check(TOK.revocationEndsTheRefreshToken, ofAConsent, ({ before, refresh, afterRefresh }) =>
  isRefusedBetween({ before, changed: refresh, after: afterRefresh }, CONSENT_REVOKED),
)

const daysAgo = scenario(
  'tokens that the user revoked eight days ago',
  { ...granting(2, 'revocation', 'clock'), waitsMs: days(8) },
  async ({ app, testHooks, clock }) => {
    // From a code exchange: a bank may look up tokens from a refresh elsewhere.
    const { accessToken } = await app.tokens()
    const before = await app.listAccounts(accessToken)
    await testHooks.revokeToken(accessToken)
    const atOnce = await app.listAccounts(accessToken)
    await clock.pass(days(8))
    const later = await app.listAccounts(accessToken)
    const next = await app.tokens()
    return { before, revoked: [atOnce, later], after: await app.listAccounts(next.accessToken) }
  },
)

checkRefused(TOK.revokedTokenIsRefused, daysAgo, { revoked: `${REVOKED}, for good` })

check(TOK.revokedTokenHasStatus401, daysAgo, ({ before, revoked, after }) => {
  isRefusedBetween({ before, changed: revoked, after }, `${REVOKED}, for good`)
  for (const call of revoked) refusalOf(call).status.equals(401)
})

/** Two tokens before and after the revocation of one of them. */
interface Bystander {
  readonly revoked: { readonly before: Exchange; readonly after: Exchange }
  readonly other: { readonly before: Exchange; readonly after: Exchange }
}

const revokedWithBystander = async (
  session: Session,
  other: Application,
  customer?: Session['customer'],
): Promise<Bystander> => {
  const { app, testHooks } = session
  const mine = await app.tokens()
  const theirs = await other.tokens(customer && { customer })
  const before = {
    mine: await app.listAccounts(mine.accessToken),
    theirs: await other.listAccounts(theirs.accessToken),
  }
  await testHooks.revokeToken(mine.accessToken)
  return {
    revoked: { before: before.mine, after: await app.listAccounts(mine.accessToken) },
    other: { before: before.theirs, after: await other.listAccounts(theirs.accessToken) },
  }
}

const withAnotherCustomer = scenario(
  'tokens of another customer after a revocation',
  granting(2, 'second-customer', 'revocation'),
  (session) => revokedWithBystander(session, session.app, session.otherCustomer),
)

const withAnotherApplication = scenario(
  'tokens of another application after a revocation',
  granting(2, 'second-application', 'revocation'),
  (session) => revokedWithBystander(session, session.other),
)

const isStillValid = ({ revoked, other }: Observed<Bystander>): void => {
  if (!revoked.before.accepted || !other.before.accepted)
    throw new NotReached('an access token was not accepted before the revocation')
  if (revoked.after.accepted) throw new NotReached('the revoked access token is still accepted')
  other.after.isAccepted('the user revoked another token')
}

check(TOK.revocationEndsNoOtherGrant, withAnotherCustomer, isStillValid)

check(TOK.revocationEndsNoOtherGrant, withAnotherApplication, isStillValid)
