import { check, days, LIFETIME, MARGIN, NotReached, reachAge, scenario } from '../../harness/check/index.ts'
import type { Scenario, Session, TokenSet } from '../../harness/check/index.ts'
import { REF } from './requirements.ts'
import { heardOf, noTaskIsToldOf, refreshFresh } from './refreshing.ts'

/** Nothing is heard of a refresh that was refused for its token: what is answered with 401 is not carried out. */

const HEARING = ['customer', 'webhook', 'other-bank-account'] as const

/** What is heard of a refresh before its token comes to its end, and from its end on. */
const aroundTheEnd = async (session: Session, end: (tokens: TokenSet) => Promise<void>) => {
  const { app, webhook } = session
  await webhook.activate()
  const tokens = await app.tokens()
  const before = await app.refreshAccounts(tokens)
  const first = await heardOf(session, before)
  await end(tokens)
  const earlier = webhook.deliveries().length
  const refused = await app.refreshAccounts(tokens)
  const after = await refreshFresh(app)
  const last = await heardOf(session, after)
  return {
    ...{ before, refused, after, consentId: tokens.consentId ?? '' },
    isHeard: first.isHeard && last.isHeard,
    calls: last.calls.slice(earlier),
    but: [before, after].map((refresh) => app.taskIdIn(refresh)),
  }
}

const revoked = scenario(
  'what is heard of a refresh with a token that was revoked',
  { effect: 'notify', as: 'TPP', authorizations: 2, needs: [...HEARING, 'revocation'] },
  (session) =>
    aroundTheEnd(session, async ({ accessToken }) => {
      await session.levers.revokeToken(accessToken)
    }),
)

const expired = scenario(
  'what is heard of a refresh with a token that has expired',
  { effect: 'notify', as: 'TPP', authorizations: 2, needs: [...HEARING, 'clock'], waitsMs: days(91) },
  (session) => aroundTheEnd(session, ({ exchange }) => reachAge(session, exchange, LIFETIME + MARGIN)),
)

type Row = Parameters<typeof check>[0]
type Hearing = Awaited<ReturnType<typeof aroundTheEnd>>

const statesSilence = (row: Row, heard: Scenario<Hearing>): void => {
  check(row, heard, ({ before, refused, after, isHeard, calls, consentId, but }) => {
    // That it was not refused is judged by itself.
    if (!before.accepted || refused.accepted || !after.accepted || !isHeard)
      throw new NotReached('there is no refused refresh between two that are accepted and heard of')
    noTaskIsToldOf(calls, { consents: [consentId], but })
  })
}

statesSilence(REF.refreshWithARevokedTokenHasStatus401, revoked)
statesSilence(REF.refreshWithAnExpiredTokenHasStatus401, expired)
