import { announcedClock, type Announce } from './channels.ts'
import { recordedClock, type ScenarioAttempt, type RunLog } from './resume/run-log.ts'
import { yieldingClock, type Slot } from './scheduler.ts'
import { anywhere, jsonOf } from '../evidence/record/answer.ts'
import { eventOf, type Delivery } from '../evidence/record/webhook-event.ts'
import { createRedactor, type KnownSecret, type Redactor } from '../evidence/redaction.ts'
import { testHooksIn } from '../profile/test-hooks.ts'
import { allowedIn, createTargetHttp } from '../session/http/permissions.ts'
import { settling } from '../session/http/settling.ts'
import { createSession, type Session } from '../session/session.ts'
import { CallDelay, createWebhook, type Webhook } from '../session/webhooks/webhook.ts'
import { exchangeOf, openInbox } from '../session/webhooks/sink/inbox.ts'
import { createTestHookClock, createTestHooks } from '../connection/test-hooks.ts'
import { createWallClock } from '../connection/wall-clock.ts'
import type { Place } from '../profile/schema/places.ts'
import type { RunLimits } from './run-limits.ts'
import type { Effect, Exchange } from '../evidence/exchange.ts'
import type { ReplayLog } from '../evidence/recorder.ts'
import type { Journal } from '../evidence/journal.ts'
import type { RecordFile } from '../evidence/stored/record-file.ts'
import type { Application } from '../session/application.ts'
import type { AuthorizationDriver } from '../session/authorization/driver.ts'
import type { Access } from '../session/authorization/grant-store.ts'
import type { TokenStore } from '../session/authorization/token-store.ts'
import type { Random } from '../session/random.ts'
import type { TargetClock, TestHooks } from '../session/clock.ts'
import type { Http } from '../session/http/http.ts'
import type { Arrival, Sink } from '../session/webhooks/sink/sink.ts'
import type { Target, Visit } from '../connection/target.ts'

/** Gives a scenario its own address at the sink, and restores the target's settings afterwards. */

const isLoopback = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** How long calls take is measured once for all scenarios. */
const delays = new WeakMap<Sink, CallDelay>()

const callDelayAt = (sink: Sink, settleMs: number): CallDelay => {
  const delay = delays.get(sink) ?? new CallDelay(settleMs)
  delays.set(sink, delay)
  return delay
}

/** Whether a call contains a consent id that was created in these exchanges: then it cannot be a late call of an earlier scenario. */
const namesConsentOf =
  (exchanges: readonly Exchange[]) =>
  (arrival: Arrival): boolean => {
    const delivery: Delivery = { kind: 'delivery', exchange: exchangeOf(arrival, 'claimed', new Date()) }
    const { consentId } = eventOf(delivery) ?? {}
    return (
      consentId !== undefined &&
      exchanges
        .filter(({ operation, response }) => operation === 'createConsent' && response !== undefined)
        .some((creation) => anywhere(jsonOf(creation), 'consentId').includes(consentId))
    )
  }

interface Reception extends Pick<SessionOptions, 'visit' | 'recording' | 'attempt' | 'onEnd'> {
  readonly sink: Sink
  readonly clock: TargetClock
  readonly testHooks: TestHooks
  readonly endTestHooks: TestHooks
}

const openWebhook =
  (
    context: SessionContext,
    { sink, clock, testHooks, endTestHooks, visit: { baseUrl }, recording, attempt, onEnd }: Reception,
  ) =>
  (app: () => Application): Webhook => {
    const { profile, fresh } = context.target
    // Without a test hook that sets the address, all calls go to the address of the whole sink.
    const canConfigure = testHooksIn(profile).configureWebhook !== undefined
    const { redactor, exchanges, id } = recording
    const isOurs = namesConsentOf(exchanges)
    // Before that, a call to the address of an earlier scenario may be lawful.
    let isActive = false
    const claims = (arrival: Arrival): boolean => isActive && isOurs(arrival)
    const inbox = openInbox(
      (receive) => (canConfigure ? sink.open(receive, claims) : sink.openWhole(receive)),
      {
        scenario: id,
        now: () => clock.now(),
        redactor,
        journal: context.journal,
        onExchange: (exchange) => exchanges.push(exchange),
        ...(context.limits && { ends: context.limits.ends }),
      },
    )
    const opened = createWebhook({
      inbox,
      clock,
      testHooks,
      endTestHooks,
      app,
      configured: canConfigure ? [] : profile.webhooks.configured.map(({ application }) => application),
      delay: callDelayAt(sink, profile.webhooks.settleMs),
      speed: profile.clock.speed,
      isReached: () => fresh || sink.calls > 0 || (isLoopback(inbox.url) && isLoopback(baseUrl)),
      learn: (securityHeader) => redactor.learn('security_header', securityHeader),
      onActive: () => void (isActive = true),
      ...(attempt && !fresh && { onChange: (before) => attempt.storeSettings(before) }),
    })
    onEnd?.(async () => {
      // A failure here says nothing about what the scenario has seen.
      if (!fresh) await opened.restore().catch(() => undefined)
      inbox.close()
    })
    return opened.webhook
  }

/** Opens the session of a scenario. */

export const openSession = async (context: SessionContext, options: SessionOptions): Promise<Session> => {
  const { visit, kind, place, readsOnly, recording } = options
  const { profile } = context.target
  const { baseUrl } = visit
  const { attempt, slot } = options
  let clock: TargetClock = visit.clock ?? openWallClock(context, recording.id)
  const sent = openHttp(context, options, () => clock.now())
  const isSettling = Object.values(testHooksIn(profile)).some((hook) => hook?.settleMs !== undefined)
  const http = isSettling ? settling(sent) : sent
  const granting = once(() => openGranting(context, options))
  if (visit.clock === undefined && !isWaitedFor(context, place))
    clock = await createTestHookClock(http, baseUrl, profile, place)
  if (slot !== undefined) {
    // Grants of this scenario may have ended shared tokens: the next scenario checks them first.
    const releaseSlot = (): void => (readsOnly ? undefined : options.tokenStore.recheck())
    clock = yieldingClock(clock, slot, {
      release: releaseSlot,
      reacquire: () => attempt?.continueAfterWait(),
    })
  }
  const seen = attempt?.replayLog === undefined ? clock : recordedClock(clock, attempt.replayLog)
  const testHooks = readsOnly ? NO_TEST_HOOKS : createTestHooks(http, baseUrl, profile)
  const random = attempt?.random ?? context.grantRandom
  return createSession({
    profile,
    baseUrl,
    http,
    kind,
    clock: readsOnly ? withoutMoves(seen) : seen,
    ...(random && { random }),
    ...(context.limits?.pause && { pause: context.limits.pause }),
    testHooks,
    ...(context.driver && { driver: context.driver }),
    ...(options.sink && {
      webhook: openWebhook(context, {
        ...options,
        sink: options.sink,
        clock,
        testHooks,
        endTestHooks: createTestHooks(openCleanUpHttp(context, options), baseUrl, profile),
      }),
    }),
    async access({ kind: acting, name }, customer, variant) {
      const get = async (): Promise<Access> =>
        options.tokenStore.access((await granting()).applicationOf(acting, name).for(variant), customer)
      const access = await (attempt?.replayLog?.access(get) ?? get())
      recording.redactor.learn('access_token', access.accessToken)
      return access
    },
  })
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** A shared grant is not a part of the scenario: its exchanges have separate ids. */
const openGranting = (context: SessionContext, options: SessionOptions): Promise<Session> => {
  const redactor = createRedactor(context.secrets, context.target.profile)
  const { attempt } = options
  const recording = {
    id: `${options.recording.id}:grant`,
    redactor,
    exchanges: options.recording.granted ?? [],
  }
  const { visit, tokenStore } = options
  return openSession(context, {
    visit,
    tokenStore,
    kind: 'any',
    readsOnly: true,
    recording,
    ...(attempt?.requestLog && { requestLog: attempt.requestLog }),
  })
}

/** Whether scenarios in a place wait for the wall clock: nothing moves the target's clock there. */
export const isWaitedFor = (
  { target, time }: Pick<SessionContext, 'target' | 'time'>,
  place?: Place,
): boolean =>
  !target.fresh && (time === 'wall' || testHooksIn(target.profile, place).advanceClock === undefined)

const openWallClock = ({ limits, announce }: SessionContext, scenario: string): TargetClock => {
  const clock = createWallClock({
    ends: limits?.ends,
    deadline: limits?.deadline,
    ...(limits && { pace: limits.pace }),
  })
  return announce === undefined
    ? clock
    : announcedClock(clock, { scenario, speed: limits?.pace.speed ?? 1, announce })
}

const openHttp = (
  context: SessionContext,
  {
    visit,
    recording,
    attempt,
    requestLog,
  }: Pick<SessionOptions, 'visit' | 'recording' | 'attempt' | 'requestLog'>,
  now: () => Date,
): Http => {
  const replayLog = attempt?.replayLog ?? attempt?.requestLog ?? requestLog
  const { profile } = context.target
  const { limits } = context
  return createTargetHttp({
    profile,
    baseUrl: visit.baseUrl,
    allowed: allowedIn(profile, context.allowed, context.allowedInOtherEnvironment ?? []),
    scenario: recording.id,
    dispatcher: visit.dispatcher,
    now,
    redactor: recording.redactor,
    journal: context.journal,
    onExchange: (exchange) => recording.exchanges.push(exchange),
    ...(replayLog && { replayLog }),
    ...(limits && { ends: limits.ends }),
    ...(limits?.turn && { turn: limits.turn }),
    ...(limits?.budget && { budget: limits.budget }),
    ...(limits?.requestBreaker && { breaker: limits.requestBreaker }),
    ...(limits?.pause && { pause: limits.pause }),
  })
}

/** For restoring settings at the end. It is not a part of the scenario: its exchanges have separate ids. */
const openCleanUpHttp = (
  { limits, ...context }: SessionContext,
  { recording, ...options }: SessionOptions,
): Http => {
  const own = { id: `${recording.id}:end`, redactor: recording.redactor, exchanges: [] }
  const cleanUp = limits && { limits: { ...limits, ...limits.cleanUp } }
  return openHttp({ ...context, ...cleanUp }, { visit: options.visit, recording: own }, () => new Date())
}

/** Scenarios that only read share a bank, and must not change it. */
const refuse = (): never => {
  throw new Error(
    'a scenario with the effect "read" must not use test hooks or move the clock; declare the effect that it has',
  )
}

const withoutMoves = (clock: TargetClock): TargetClock => ({
  kind: clock.kind,
  now: () => clock.now(),
  pass: async () => refuse(),
})

const NO_TEST_HOOKS = new Proxy({} as TestHooks, { get: () => refuse })

/** The options of a scenario runner, and of the session of one scenario. */

export interface ScenarioRunnerOptions {
  readonly target: Target
  readonly journal: Journal
  /** Where outcomes are stored; nowhere by default. */
  readonly records?: RecordFile
  readonly secrets: readonly KnownSecret[]
  readonly allowed: readonly Effect[]
  /** Effects that are allowed in the environment that is not judged; none by default. */
  readonly allowedInOtherEnvironment?: readonly Effect[]
  /** The number of concurrent scenarios. */
  readonly concurrency: number
  /** `wall` never moves the target's clock. */
  readonly time: 'auto' | 'wall'
  /** How customers authorize; by default as the profile says. */
  readonly driver?: AuthorizationDriver
  /** Where webhook calls arrive; opened for the first scenario that waits for one. */
  readonly sink?: () => Promise<Sink>
  /** Deadline, rate and budget of the run; no limit by default. */
  readonly limits?: RunLimits
  /** The resume log; none by default. */
  readonly log?: RunLog
  /** The random values of shared grants, if they are to be repeatable. */
  readonly grantRandom?: Random
  /** Reports until when a scenario waits. */
  readonly announce?: Announce
  /** Running scenarios, which have not restored the target yet. */
  readonly pending?: Set<Promise<unknown>>
}

/** Collects the exchanges of one scenario. */
interface ScenarioRecording {
  /** The beginning of the id of each exchange. */
  readonly id: string
  readonly redactor: Redactor
  readonly exchanges: Exchange[]
  /** Exchanges of shared grants that this scenario was the first to ask for. */
  readonly granted?: Exchange[]
}

export interface SessionOptions {
  readonly visit: Visit
  readonly kind: 'FAC' | 'TPP' | 'any'
  /** Whose clock passes; by default that of the environment that is judged. */
  readonly place?: Place
  readonly readsOnly: boolean
  readonly tokenStore: TokenStore
  readonly recording: ScenarioRecording
  /** The attempt in the resume log; absent for a grant that scenarios share. */
  readonly attempt?: Pick<
    ScenarioAttempt,
    'random' | 'replayLog' | 'requestLog' | 'storeSettings' | 'continueAfterWait'
  >
  /** For a grant that scenarios share: logs its requests. */
  readonly requestLog?: ReplayLog
  /** Is released while the scenario waits. */
  readonly slot?: Slot
  /** The sink, if the scenario waits for webhook calls. */
  readonly sink?: Sink
  /** Registers what restores the target after the scenario. */
  readonly onEnd?: (cleanUp: CleanUp) => void
}

/** Restores what a scenario has changed at the target. */
export type CleanUp = () => Promise<void>

/** What the sessions of all scenarios have in common. */
type SessionContext = Omit<ScenarioRunnerOptions, 'concurrency'>
