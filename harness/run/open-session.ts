import { createRedactor } from '../evidence/redaction.ts'
import { createHttp } from '../session/http.ts'
import { createSession } from '../session/session.ts'
import { createLeverClock, createLevers, createWallClock } from '../target/levers.ts'
import { openWebhook } from './open-webhook.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Redactor } from '../evidence/redaction.ts'
import type { Http } from '../session/http.ts'
import type { Levers, Session, TargetClock } from '../session/session.ts'
import type { Wallet } from '../session/wallet.ts'
import type { Sink } from '../sink/sink.ts'
import type { Visit } from '../target/target.ts'
import type { PerformerOptions } from './perform.ts'

/** From a visit at the target to the session that a scenario acts with. */

/** What is kept of one act. */
export interface Recording {
  /** Begins the id of each of its exchanges. */
  readonly id: string
  readonly redactor: Redactor
  readonly exchanges: Exchange[]
}

export interface Opening {
  readonly visit: Visit
  readonly kind: 'FAC' | 'TPP' | 'any'
  readonly readsOnly: boolean
  readonly wallet: Wallet
  readonly recording: Recording
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
  let clock: TargetClock = visit.clock ?? createWallClock(stage.course?.ends)
  const http = openHttp(stage, visit, recording, () => clock.now())
  const granting = once(() => openGranting(stage, opening))
  const hasLever = stage.time === 'auto' && profile.levers.advanceClock !== undefined
  if (visit.clock === undefined && hasLever) clock = await createLeverClock(http, baseUrl, profile)
  const levers = readsOnly ? NO_LEVERS : createLevers(http, baseUrl, profile)
  return createSession({
    profile,
    baseUrl,
    http,
    kind,
    clock: readsOnly ? withoutMoves(clock) : clock,
    levers,
    ...(opening.sink && { webhook: openWebhook(stage, { ...opening, sink: opening.sink, clock, levers }) }),
    async access({ kind: acting, name }, customer) {
      const granter = (await granting()).applicationOf(acting, name)
      const access = await opening.wallet.access(granter, customer)
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
  const recording = { id: `${opening.recording.id}:grant`, redactor, exchanges: [] }
  return openSession(stage, { ...opening, kind: 'any', readsOnly: true, recording })
}

const openHttp = (stage: Backstage, visit: Visit, recording: Recording, now: () => Date): Http => {
  const { profile } = stage.target
  const { course } = stage
  return createHttp({
    scenario: recording.id,
    dispatcher: visit.dispatcher,
    origins: [visit.baseUrl, ...profile.origins].map((address) => new URL(address).origin),
    allowed: stage.allowed,
    headers: profile.headers,
    requestMs: profile.deadlines.requestMs,
    now,
    redactor: recording.redactor,
    journal: stage.journal,
    onExchange: (exchange) => recording.exchanges.push(exchange),
    ...(course && { ends: course.ends }),
    ...(course?.turn && { turn: course.turn }),
  })
}

/** Whoever only reads disturbs nobody: the other scenarios are at the same place. */
const refuse = (): never => {
  throw new Error('a scenario with the effect "read" moves nothing; declare the effect that it has')
}

const withoutMoves = (clock: TargetClock): TargetClock => ({
  kind: clock.kind,
  now: () => clock.now(),
  advance: async () => refuse(),
  pass: async () => refuse(),
})

const NO_LEVERS = new Proxy({} as Levers, { get: () => refuse })
