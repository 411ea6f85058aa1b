import { createRedactor } from '../evidence/redaction.ts'
import { guardElsewhere } from '../session/elsewhere.ts'
import { standingHeaders } from '../profile/connection.ts'
import { createHttp } from '../session/http.ts'
import { createSession } from '../session/session.ts'
import { createLeverClock, createLevers } from '../target/levers.ts'
import { createWallClock } from '../target/wall-clock.ts'
import { tapedClock } from '../resume/tape.ts'
import { announcedClock } from './announcement.ts'
import { openWebhook } from './open-webhook.ts'
import { yieldingClock } from './places.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Redactor } from '../evidence/redaction.ts'
import type { Http } from '../session/http.ts'
import type { Levers, Session, TargetClock } from '../session/session.ts'
import type { Access, Wallet } from '../session/wallet.ts'
import type { Sink } from '../sink/sink.ts'
import type { Visit } from '../target/target.ts'
import type { Act } from '../resume/run-log.ts'
import type { PerformerOptions } from './perform.ts'
import type { Place } from './places.ts'

/** From a visit at the target to the session that a scenario acts with. */

/** What is kept of one act. */
export interface Recording {
  /** Begins the id of each of its exchanges. */
  readonly id: string
  readonly redactor: Redactor
  readonly exchanges: Exchange[]
  /** Those of the grants that it shares with others, where it was the one to ask for them. */
  readonly granted?: Exchange[]
}

export interface Opening {
  readonly visit: Visit
  readonly kind: 'FAC' | 'TPP' | 'any'
  readonly readsOnly: boolean
  readonly wallet: Wallet
  readonly recording: Recording
  /** The act that the session is for; none for a grant that scenarios share. */
  readonly act?: Pick<Act, 'random' | 'tape' | 'back'>
  /** Is given away while the act waits. */
  readonly place?: Place
  /** The sink, where the scenario waits for webhook calls. */
  readonly sink?: Sink
  /** Is told what to do when the scenario has ended. */
  readonly onEnd?: (end: Ending) => void
}

/** Leaves the target as it was found. */
export type Ending = () => Promise<void>

/** What a session is opened with, whoever acts. */
export type Backstage = Omit<PerformerOptions, 'concurrency'>

export const openSession = async (stage: Backstage, opening: Opening): Promise<Session> => {
  const { visit, kind, readsOnly, recording } = opening
  const { profile } = stage.target
  const { baseUrl } = visit
  const { act, place } = opening
  let clock: TargetClock = visit.clock ?? openWallClock(stage, recording.id)
  // What is kept of an exchange has its time already.
  const http = openHttp(stage, opening, () => clock.now())
  const granting = once(() => openGranting(stage, opening))
  if (visit.clock === undefined && !isWaitedFor(stage)) clock = await createLeverClock(http, baseUrl, profile)
  if (place !== undefined) {
    // Whoever acts in between tries a shared token again: what was granted here may have ended it.
    const leave = (): void => (readsOnly ? undefined : opening.wallet.distrust())
    clock = yieldingClock(clock, place, { leave, back: () => act?.back() })
  }
  const seen = act?.tape === undefined ? clock : tapedClock(clock, act.tape)
  const levers = readsOnly ? NO_LEVERS : createLevers(http, baseUrl, profile)
  return createSession({
    profile,
    baseUrl,
    http,
    kind,
    clock: readsOnly ? withoutMoves(seen) : seen,
    ...(act && { random: act.random }),
    levers,
    ...(stage.way && { way: stage.way }),
    ...(opening.sink && {
      webhook: openWebhook(stage, {
        ...{ ...opening, sink: opening.sink, clock, levers },
        endLevers: createLevers(openLeaving(stage, opening), baseUrl, profile),
      }),
    }),
    async access({ kind: acting, name }, customer) {
      const get = async (): Promise<Access> =>
        opening.wallet.access((await granting()).applicationOf(acting, name), customer)
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
  const { visit, wallet } = opening
  return openSession(stage, { visit, wallet, kind: 'any', readsOnly: true, recording })
}

/** Whether nobody moves the target's clock, so that time is waited for. */
export const isWaitedFor = ({ target, time }: Pick<Backstage, 'target' | 'time'>): boolean =>
  !target.fresh && (time === 'wall' || target.profile.levers.advanceClock === undefined)

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
  return createHttp({
    scenario: recording.id,
    dispatcher: visit.dispatcher,
    origins: [visit.baseUrl, ...profile.origins].map((address) => new URL(address).origin),
    allowed: stage.allowed,
    allowedElsewhere: guardElsewhere(profile, visit.baseUrl, stage.allowedElsewhere ?? []),
    headers: standingHeaders(profile.headers),
    requestMs: profile.deadlines.requestMs,
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

const NO_LEVERS = new Proxy({} as Levers, { get: () => refuse })
