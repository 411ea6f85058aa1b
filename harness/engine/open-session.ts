import { announcedClock } from './channels.ts'
import { recordedClock } from './resume/attempt-log.ts'
import { yieldingClock } from './scheduler.ts'
import { createRedactor } from '../evidence/redaction.ts'
import { rotated } from '../profile/rotation.ts'
import { testHooksIn } from '../profile/test-hooks.ts'
import { allowedIn } from '../session/http/permissions.ts'
import { createTargetHttp } from '../session/http/target-http.ts'
import { settling } from '../session/http/settling.ts'
import { createSession, type Session } from '../session/session.ts'
import { createTestHookClock, createTestHooks } from '../connection/test-hooks.ts'
import { createWallClock } from '../connection/wall-clock.ts'
import { openWebhook } from './open-webhook.ts'
import { createVariants } from '../session/accounts/variants.ts'
import { isAccepted } from '../evidence/record/answer.ts'
import type { TargetContext } from '../session/target.ts'
import type { Place } from '../profile/schema/places.ts'
import type { Access } from '../session/authorization/grants-file.ts'
import type { TargetClock, TestHooks } from '../session/clock.ts'
import type { Http } from '../session/http/http.ts'
import type { SessionContext, SessionOptions } from './session-options.ts'

/** Opens the session of a scenario. */

export const openSession = async (context: SessionContext, options: SessionOptions): Promise<Session> => {
  const { connection, kind, place, readsOnly, recording } = options
  const profile = rotated(context.target.profile, options.rotation)
  const { baseUrl } = connection
  const { attempt, slot } = options
  let clock: TargetClock = connection.clock ?? openWallClock(context, recording.id)
  const sent = openHttp(context, options, () => clock.now())
  const isSettling = Object.values(testHooksIn(profile)).some((hook) => hook?.settleMs !== undefined)
  const http = withClock(isSettling ? settling(sent) : sent, options)
  const granting = once(() => openGranting(context, options))
  if (connection.clock === undefined && !isWaitedFor(context, place))
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
  const testHooks = readsOnly
    ? NO_TEST_HOOKS
    : createTestHooks(http, baseUrl, profile, accountsOpenTo({ http, baseUrl, profile }))
  const random = attempt?.random ?? context.grantRandom
  return createSession({
    profile,
    baseUrl,
    http,
    kind,
    clock: readsOnly ? withoutMoves(seen) : seen,
    ...(random && { random }),
    turn: options.rotation?.turn,
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

const accountsOpenTo = (target: TargetContext): ((token: string) => Promise<boolean>) => {
  const accounts = createVariants({ ...target, hasNoAccount: () => false })
  const variants = target.profile.secondVariant ? (['first', 'second'] as const) : (['first'] as const)
  return async (token) => {
    for (const variant of variants) if (isAccepted(await accounts(variant).list(token))) return true
    return false
  }
}

/** The time of an embedded bank passes by its clock, which scenarios that only read must not move. */
const withClock = (http: Http, { connection: { clock }, readsOnly }: SessionOptions): Http =>
  clock === undefined ? http : { ...http, wait: async (ms) => (readsOnly ? undefined : clock.pass(ms)) }

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
  const { connection, tokenStore } = options
  return openSession(context, {
    connection,
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
    connection,
    recording,
    attempt,
    requestLog,
  }: Pick<SessionOptions, 'connection' | 'recording' | 'attempt' | 'requestLog'>,
  now: () => Date,
): Http => {
  const replayLog = attempt?.replayLog ?? attempt?.requestLog ?? requestLog
  const { profile } = context.target
  const { limits } = context
  return createTargetHttp({
    profile,
    baseUrl: connection.baseUrl,
    allowed: allowedIn(profile, context.allowed, context.allowedInOtherEnvironment ?? []),
    scenario: recording.id,
    dispatcher: connection.dispatcher,
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
  return openHttp(
    { ...context, ...cleanUp },
    { connection: options.connection, recording: own },
    () => new Date(),
  )
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
