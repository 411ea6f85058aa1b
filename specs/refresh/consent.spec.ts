import { check, eventOf, isRefusedBetween, NotReached, scenario } from '../../harness/check/index.ts'
import type { Exchange, Observed, Session, TokenSet } from '../../harness/check/index.ts'
import { REF } from './requirements.ts'
import { heardOf, noTaskIsToldOf, refreshFresh } from './refreshing.ts'

/** A refresh that names another consent than that of its token, and what came of it if it was accepted. */
const naming = async ({ app, webhook, profile }: Session, tokens: TokenSet, consentId: string) => {
  if (consentId === tokens.consentId) throw new NotReached('two consents have one consentId')
  const refresh = await app.refreshAccounts({ ...tokens, consentId })
  const taskId = app.taskIdIn(refresh)
  const isOfTheTask = (event: ReturnType<typeof eventOf>): boolean => event?.taskId === taskId
  const event =
    taskId === undefined
      ? undefined
      : await webhook.next((delivery) => isOfTheTask(eventOf(delivery)), {
          within: profile.webhooks.refreshMs,
        })
  return { refresh, own: tokens.consentId ?? '', ...(event !== undefined && { event }) }
}

type Naming = Observed<Awaited<ReturnType<typeof naming>>>

interface Attempts extends Pick<Parameters<typeof isRefusedBetween>[0], 'before' | 'after'> {
  readonly changed: Naming
}

/**
 * Judges that a consent is not refreshed with this token. Where the token's own was refreshed in its place, the target
 * does not read which one the request names: then the other was not.
 */
const isNotRefreshed = ({ before, changed, after }: Attempts, because: string): void => {
  const { refresh, own, event } = changed
  if (before.accepted && refresh.accepted && event?.event?.consentId === own) return
  isRefusedBetween({ before, changed: refresh, after }, because)
}

const NEEDS = ['customer', 'named-consent', 'webhook', 'other-bank-account'] as const

/** What was heard of tasks until a last refresh has ended, of which nothing is said of the consents that were named. */
const heardUntil = async (
  session: Session,
  { before, after }: Record<'before' | 'after', Exchange>,
  consents: readonly (string | undefined)[],
) => {
  const { isHeard, calls } = await heardOf(session, after)
  const named = consents.filter((one) => one !== undefined)
  return {
    isHeard,
    calls,
    consents: named,
    but: [before, after].map((refresh) => session.app.taskIdIn(refresh)),
  }
}

type Heard = Observed<Awaited<ReturnType<typeof heardUntil>>>

/** Judges that nothing was done of what was refused. @throws NotReached where no refresh is heard of. */
const isNotCarriedOut = ({ isHeard, calls, ...tasks }: Heard): void => {
  if (!isHeard) throw new NotReached('nothing was heard of the end of a refresh that was accepted')
  noTaskIsToldOf(calls, tasks)
}

/** With its last sign changed. */
const unlike = (consentId: string): string => consentId.slice(0, -1) + (consentId.endsWith('a') ? 'b' : 'a')

const own = scenario(
  'refreshes of other consents of one application',
  { effect: 'notify', as: 'TPP', authorizations: 3, needs: NEEDS },
  async (session) => {
    const { app, webhook } = session
    await webhook.activate()
    const earlier = await app.tokens()
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    const nobodys = await app.consent()
    const granted = await naming(session, tokens, earlier.consentId ?? '')
    const open = await naming(session, tokens, nobodys ?? '')
    const unknown = await naming(session, tokens, unlike(tokens.consentId ?? ''))
    const after = await refreshFresh(app)
    const heard = await heardUntil(session, { before, after }, [earlier.consentId, nobodys])
    return { before, granted, open, unknown, after, heard }
  },
)

check(REF.anotherConsentIsNotRefreshed, own, ({ before, granted, open, after, heard }) => {
  isNotRefreshed({ before, changed: granted, after }, 'the token was granted for a later consent')
  isNotRefreshed({ before, changed: open, after }, 'nobody has granted the consent')
  isNotCarriedOut(heard)
})

check(REF.unknownConsentIsNotRefreshed, own, ({ before, unknown, after }) =>
  isNotRefreshed({ before, changed: unknown, after }, 'there is no such consent'),
)

const ofAnotherApplication = scenario(
  'a refresh of the consent of another application',
  { effect: 'notify', as: 'TPP', authorizations: 3, needs: [...NEEDS, 'second-application'] },
  async (session) => {
    const { app, other, webhook } = session
    await webhook.activate()
    const theirs = await other.tokens()
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    const changed = await naming(session, tokens, theirs.consentId ?? '')
    return { before, changed, after: await refreshFresh(app) }
  },
)

check(REF.anotherConsentIsNotRefreshed, ofAnotherApplication, (attempts) =>
  isNotRefreshed(attempts, 'the consent is that of another application'),
)

const ofAnotherCustomer = scenario(
  'a refresh of the consent of another customer',
  { effect: 'notify', as: 'TPP', authorizations: 3, needs: [...NEEDS, 'second-customer'] },
  async (session) => {
    const { app, otherCustomer, webhook } = session
    await webhook.activate()
    const theirs = await app.tokens({ customer: otherCustomer })
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    const changed = await naming(session, tokens, theirs.consentId ?? '')
    const after = await refreshFresh(app)
    return { before, changed, after, heard: await heardUntil(session, { before, after }, [theirs.consentId]) }
  },
)

check(REF.anotherConsentIsNotRefreshed, ofAnotherCustomer, ({ heard, ...attempts }) => {
  isNotRefreshed(attempts, 'another customer has granted the consent')
  isNotCarriedOut(heard)
})
