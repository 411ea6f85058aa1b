import { check, eventOf, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { Exchange, RecordOf } from '../../harness/check/index.ts'
import type { Session, TokenSet } from '../../harness/session/index.ts'
import { REF } from './requirements.ts'
import {
  assertNoTaskReported,
  assertStatusGivesTheResult,
  listenBeforeANewGrant,
  listenUntilTheEndOf,
  refreshWithNewGrant,
} from './steps.ts'

/** A refresh that names another consent than that of its token, and its first event if it was accepted. */
const refreshNaming = async ({ app, webhook, profile }: Session, tokens: TokenSet, consentId: string) => {
  if (consentId === tokens.consentId) throw new NotReached('two consents have one consentId')
  const refresh = await app.refreshAccounts({ ...tokens, consentId })
  const taskId = app.taskIdIn(refresh)
  const event =
    taskId === undefined
      ? undefined
      : await webhook.next((delivery) => eventOf(delivery)?.taskId === taskId, {
          within: profile.webhooks.refreshMs,
        })
  return { refresh, own: tokens.consentId ?? '', ...(event !== undefined && { event }) }
}

interface Attempts extends Pick<Parameters<typeof isRefusedBetween>[0], 'before' | 'after'> {
  readonly changed: RecordOf<typeof refreshNaming>
}

/**
 * Asserts that a consent is not refreshed with the token of another one. A target that ignores which consent the request
 * names, and refreshes that of the token, has not refreshed the named one.
 */
const assertNotRefreshed = ({ before, changed, after }: Attempts, because: string): void => {
  const { refresh, own, event } = changed
  if (before.accepted && refresh.accepted && event?.event?.consentId === own)
    return event.field('consentId').equals(own)
  isRefusedBetween({ before, changed: refresh, after }, because)
}

const NEEDS = ['customer', 'named-consent', 'webhook', 'other-bank-account'] as const

/** The calls until the last refresh has ended. None may report a task of the consents that were named. */
const listenUntilLastRefresh = async (
  session: Session,
  { before, after }: Record<'before' | 'after', Exchange>,
  consents: readonly (string | undefined)[],
) => {
  const { isReported, calls } = await listenUntilTheEndOf(session, after)
  return {
    isReported,
    calls,
    consents: consents.filter((one) => one !== undefined),
    accepted: [before, after].map((refresh) => session.app.taskIdIn(refresh)),
  }
}

type Reported = RecordOf<typeof listenUntilLastRefresh>

/** Asserts that a refused refresh starts no task. @throws NotReached where no refresh is reported at all. */
const assertNoTaskStarted = ({ isReported, calls, ...tasks }: Reported): void => {
  if (!isReported) throw new NotReached('the end of an accepted refresh was not reported')
  assertNoTaskReported(calls, tasks)
}

/** The same id with another last character. */
const withOtherEnd = (consentId: string): string =>
  consentId.slice(0, -1) + (consentId.endsWith('a') ? 'b' : 'a')

const own = scenario(
  'refreshes of other consents of one application',
  { effect: 'notify', as: 'TPP', authorizations: 3, needs: NEEDS },
  async (session) => {
    const { app, webhook } = session
    await webhook.activate()
    const earlier = await app.tokens()
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    const notGranted = await app.consent()
    const granted = await refreshNaming(session, tokens, earlier.consentId ?? '')
    const open = await refreshNaming(session, tokens, notGranted ?? '')
    const unknown = await refreshNaming(session, tokens, withOtherEnd(tokens.consentId ?? ''))
    await listenBeforeANewGrant(session)
    const after = await refreshWithNewGrant(app)
    const reported = await listenUntilLastRefresh(session, { before, after }, [earlier.consentId, notGranted])
    return { before, granted, open, unknown, after, reported }
  },
)

check(REF.anotherConsentIsNotRefreshed, own, ({ before, granted, open, after, reported }) => {
  assertNotRefreshed({ before, changed: granted, after }, 'the token was granted for a later consent')
  assertNotRefreshed({ before, changed: open, after }, 'the consent was not granted')
  assertNoTaskStarted(reported)
})

check(REF.unknownConsentIsNotRefreshed, own, ({ before, unknown, after }) =>
  assertNotRefreshed({ before, changed: unknown, after }, 'there is no such consent'),
)

check(REF.statusGivesTheResult, own, ({ before, granted, open, unknown, after }) =>
  assertStatusGivesTheResult({
    valid: [before, after],
    changed: [granted.refresh, open.refresh, unknown.refresh],
  }),
)

const ofAnotherApplication = scenario(
  'a refresh of the consent of another application',
  { effect: 'notify', as: 'TPP', authorizations: 3, needs: [...NEEDS, 'second-application'] },
  async (session) => {
    const { app, other, webhook } = session
    await webhook.activate()
    const foreign = await other.tokens()
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    const changed = await refreshNaming(session, tokens, foreign.consentId ?? '')
    return { before, changed, after: await refreshWithNewGrant(app) }
  },
)

check(REF.anotherConsentIsNotRefreshed, ofAnotherApplication, (attempts) =>
  assertNotRefreshed(attempts, 'the consent is that of another application'),
)

const ofAnotherCustomer = scenario(
  'a refresh of the consent of another customer',
  { effect: 'notify', as: 'TPP', authorizations: 3, needs: [...NEEDS, 'second-customer'] },
  async (session) => {
    const { app, otherCustomer, webhook } = session
    await webhook.activate()
    const foreign = await app.tokens({ customer: otherCustomer })
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    const changed = await refreshNaming(session, tokens, foreign.consentId ?? '')
    const after = await refreshWithNewGrant(app)
    return {
      before,
      changed,
      after,
      reported: await listenUntilLastRefresh(session, { before, after }, [foreign.consentId]),
    }
  },
)

check(REF.anotherConsentIsNotRefreshed, ofAnotherCustomer, ({ reported, ...attempts }) => {
  assertNotRefreshed(attempts, 'another customer has granted the consent')
  assertNoTaskStarted(reported)
})
