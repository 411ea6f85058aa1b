import { createRedactor } from '../evidence/redaction.ts'
import { allowedIn } from '../session/http/permissions.ts'
import { createTargetHttp } from '../session/http/create-target-http.ts'
import { createSession } from '../session/session.ts'
import { createTestHookClock, createTestHooks } from '../target/test-hooks.ts'
import { createWallClock } from '../target/wall-clock.ts'
import { tapedClock } from './resume/tape.ts'
import { announcedClock } from './channels.ts'
import { openWebhook } from './open-webhook.ts'
import { yieldingClock } from './scheduler.ts'
import type { Http } from '../session/http/http.ts'
import type { TargetClock } from '../session/clock.ts'
import type { TestHooks } from '../session/test-hooks.ts'
import type { Session } from '../session/session.ts'
import type { Access } from '../session/authorization/grants-file.ts'
import type { SessionContext, SessionOptions } from './session-options.ts'

/** Opens the session that a scenario acts with. */

export const openSession = async (context: SessionContext, options: SessionOptions): Promise<Session> => {
  const { visit, kind, readsOnly, recording } = options
  const { profile } = context.target
  const { baseUrl } = visit
  const { act, slot } = options
  let clock: TargetClock = visit.clock ?? openWallClock(context, recording.id)
  const http = openHttp(context, options, () => clock.now())
  const granting = once(() => openGranting(context, options))
  if (visit.clock === undefined && !isWaitedFor(context))
    clock = await createTestHookClock(http, baseUrl, profile)
  if (slot !== undefined) {
    // Grants of this scenario may have ended shared tokens: the next scenario checks them first.
    const leave = (): void => (readsOnly ? undefined : options.tokenStore.recheck())
    clock = yieldingClock(clock, slot, { leave, back: () => act?.back() })
  }
  const seen = act?.tape === undefined ? clock : tapedClock(clock, act.tape)
  const testHooks = readsOnly ? NO_TEST_HOOKS : createTestHooks(http, baseUrl, profile)
  return createSession({
    profile,
    baseUrl,
    http,
    kind,
    clock: readsOnly ? withoutMoves(seen) : seen,
    ...(act && { random: act.random }),
    testHooks,
    ...(context.driver && { driver: context.driver }),
    ...(options.sink && {
      webhook: openWebhook(context, {
        ...{ ...options, sink: options.sink, clock, testHooks },
        endTestHooks: createTestHooks(openCleanUpHttp(context, options), baseUrl, profile),
      }),
    }),
    async access({ kind: acting, name }, customer) {
      const get = async (): Promise<Access> =>
        options.tokenStore.access((await granting()).applicationOf(acting, name), customer)
      const access = await (act?.tape?.access(get) ?? get())
      recording.redactor.learn('access_token', access.accessToken)
      return access
    },
  })
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** A shared grant is not a part of the scenario: its exchanges have ids of their own. */
const openGranting = (context: SessionContext, options: SessionOptions): Promise<Session> => {
  const redactor = createRedactor(context.secrets)
  const recording = {
    id: `${options.recording.id}:grant`,
    redactor,
    exchanges: options.recording.granted ?? [],
  }
  const { visit, tokenStore } = options
  return openSession(context, { visit, tokenStore, kind: 'any', readsOnly: true, recording })
}

/** Whether scenarios wait for the wall clock: nothing moves the target's clock. */
export const isWaitedFor = ({ target, time }: Pick<SessionContext, 'target' | 'time'>): boolean =>
  !target.fresh && (time === 'wall' || target.profile.testHooks.advanceClock === undefined)

const openWallClock = ({ limits, announce }: SessionContext, scenario: string): TargetClock => {
  const clock = createWallClock({
    ...{ ends: limits?.ends, deadline: limits?.deadline },
    ...(limits && { pace: limits.pace }),
  })
  return announce === undefined
    ? clock
    : announcedClock(clock, { scenario, speed: limits?.pace.speed ?? 1, announce })
}

const openHttp = (
  context: SessionContext,
  { visit, recording, act }: Pick<SessionOptions, 'visit' | 'recording' | 'act'>,
  now: () => Date,
): Http => {
  const { profile } = context.target
  const { limits } = context
  return createTargetHttp({
    profile,
    baseUrl: visit.baseUrl,
    allowed: allowedIn(profile, context.allowed, context.allowedElsewhere ?? []),
    scenario: recording.id,
    dispatcher: visit.dispatcher,
    now,
    redactor: recording.redactor,
    journal: context.journal,
    onExchange: (exchange) => recording.exchanges.push(exchange),
    ...(act?.tape && { tape: act.tape }),
    ...(limits && { ends: limits.ends }),
    ...(limits?.turn && { turn: limits.turn }),
    ...(limits?.budget && { budget: limits.budget }),
    ...(limits?.pause && { pause: limits.pause }),
  })
}

/** For restoring settings in the end. It is not a part of the scenario: its exchanges have ids of their own. */
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
