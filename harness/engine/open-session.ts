import { createRedactor } from '../evidence/redaction.ts'
import { allowedIn } from '../session/http/permissions.ts'
import { createTargetHttp } from '../session/http/create-target-http.ts'
import { createSession } from '../session/session.ts'
import { createTestHookClock, createTestHooks } from '../target/test-hooks.ts'
import { createWallClock } from '../target/wall-clock.ts'
import { tapedClock } from './resume/tape.ts'
import { announcedClock } from './channels.ts'
import { openWebhook } from './open-webhook.ts'
import { yieldingClock } from './places.ts'
import type { Http } from '../session/http/http.ts'
import type { TargetClock } from '../session/clock.ts'
import type { TestHooks } from '../session/test-hooks.ts'
import type { Session } from '../session/session.ts'
import type { Access } from '../session/authorization/grants-file.ts'
import type { Backstage, Opening } from './opening.ts'

/** From a visit at the target to the session that a scenario acts with. */

export const openSession = async (stage: Backstage, opening: Opening): Promise<Session> => {
  const { visit, kind, readsOnly, recording } = opening
  const { profile } = stage.target
  const { baseUrl } = visit
  const { act, place } = opening
  let clock: TargetClock = visit.clock ?? openWallClock(stage, recording.id)
  // What is kept of an exchange has its time already.
  const http = openHttp(stage, opening, () => clock.now())
  const granting = once(() => openGranting(stage, opening))
  if (visit.clock === undefined && !isWaitedFor(stage))
    clock = await createTestHookClock(http, baseUrl, profile)
  if (place !== undefined) {
    // Whoever acts in between tries a shared token again: what was granted here may have ended it.
    const leave = (): void => (readsOnly ? undefined : opening.tokenStore.recheck())
    clock = yieldingClock(clock, place, { leave, back: () => act?.back() })
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
    ...(stage.driver && { driver: stage.driver }),
    ...(opening.sink && {
      webhook: openWebhook(stage, {
        ...{ ...opening, sink: opening.sink, clock, testHooks },
        endTestHooks: createTestHooks(openLeaving(stage, opening), baseUrl, profile),
      }),
    }),
    async access({ kind: acting, name }, customer) {
      const get = async (): Promise<Access> =>
        opening.tokenStore.access((await granting()).applicationOf(acting, name), customer)
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

/** A shared grant is no part of the scenario: its exchanges have ids of their own. */
const openGranting = (stage: Backstage, opening: Opening): Promise<Session> => {
  const redactor = createRedactor(stage.secrets)
  const recording = {
    id: `${opening.recording.id}:grant`,
    redactor,
    exchanges: opening.recording.granted ?? [],
  }
  const { visit, tokenStore } = opening
  return openSession(stage, { visit, tokenStore, kind: 'any', readsOnly: true, recording })
}

/** Whether nobody moves the target's clock, so that time is waited for. */
export const isWaitedFor = ({ target, time }: Pick<Backstage, 'target' | 'time'>): boolean =>
  !target.fresh && (time === 'wall' || target.profile.testHooks.advanceClock === undefined)

const openWallClock = ({ course, announce }: Backstage, scenario: string): TargetClock => {
  const clock = createWallClock({
    ...{ ends: course?.ends, deadline: course?.deadline },
    ...(course && { pace: course.pace }),
  })
  return announce === undefined
    ? clock
    : announcedClock(clock, { scenario, speed: course?.pace.speed ?? 1, announce })
}

const openHttp = (
  stage: Backstage,
  { visit, recording, act }: Pick<Opening, 'visit' | 'recording' | 'act'>,
  now: () => Date,
): Http => {
  const { profile } = stage.target
  const { course } = stage
  return createTargetHttp({
    profile,
    baseUrl: visit.baseUrl,
    allowed: allowedIn(profile, stage.allowed, stage.allowedElsewhere ?? []),
    scenario: recording.id,
    dispatcher: visit.dispatcher,
    now,
    redactor: recording.redactor,
    journal: stage.journal,
    onExchange: (exchange) => recording.exchanges.push(exchange),
    ...(act?.tape && { tape: act.tape }),
    ...(course && { ends: course.ends }),
    ...(course?.turn && { turn: course.turn }),
    ...(course?.budget && { budget: course.budget }),
    ...(course?.pause && { pause: course.pause }),
  })
}

/** For what is put back in the end, however it came: no part of the scenario, so that its exchanges have ids of their own. */
const openLeaving = ({ course, ...stage }: Backstage, { recording, ...opening }: Opening): Http => {
  const own = { id: `${recording.id}:end`, redactor: recording.redactor, exchanges: [] }
  const leaving = course && { course: { ...course, ...course.leaving } }
  return openHttp({ ...stage, ...leaving }, { visit: opening.visit, recording: own }, () => new Date())
}

/** Whoever only reads disturbs nobody: the other scenarios are at the same place. */
const refuse = (): never => {
  throw new Error('a scenario with the effect "read" moves nothing; declare the effect that it has')
}

const withoutMoves = (clock: TargetClock): TargetClock => ({
  kind: clock.kind,
  now: () => clock.now(),
  pass: async () => refuse(),
})

const NO_TEST_HOOKS = new Proxy({} as TestHooks, { get: () => refuse })
