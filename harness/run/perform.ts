import { stringify } from 'fast-check'
import { Semaphore } from 'async-mutex'
import { createRedactor } from '../evidence/redaction.ts'
import { createHttp } from '../session/http.ts'
import { createSession } from '../session/session.ts'
import { createLeverClock, createLevers, wallClock } from '../target/levers.ts'
import type { Property, Scenario } from '../check/scenario.ts'
import type { Effect } from '../evidence/effect.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Journal } from '../evidence/journal.ts'
import type { KnownSecret, Redactor } from '../evidence/redaction.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { Http } from '../session/http.ts'
import type { Session, TargetClock } from '../session/session.ts'
import type { Target, Visit } from '../target/target.ts'
import type { Course } from './course.ts'

/** What an act came to: its record, or what stopped it. */
export type Outcome = { readonly record: unknown } | { readonly stopped: unknown }

/** A scenario done on the target, once for all its checks. */
export interface Performance {
  /** Takes out what was secret before the run, and what was learned in it. */
  readonly redactor: Redactor
  /** Takes out what was secret before the run alone. */
  readonly known: Redactor
  readonly exchanges: readonly Exchange[]
  /** What the act came to; of a property, with this value. The same value is acted on once. */
  outcome(value?: unknown): Promise<Outcome>
}

export interface PerformerOptions {
  readonly target: Target
  readonly journal: Journal
  readonly secrets: readonly KnownSecret[]
  readonly allowed: readonly Effect[]
  /** Scenarios under way at once. */
  readonly concurrency: number
  /** `wall` leaves the target's clock alone. */
  readonly time: 'auto' | 'wall'
  /** What bounds the run; a run that nothing bounds has none. */
  readonly course?: Course
}

export type Performer = (planned: PlannedCheck, scenario: Scenario | Property) => Performance

/** Does each scenario of a plan once, however many checks ask for it. */
export const createPerformer = (options: PerformerOptions): Performer => {
  const performances = new Map<string, Performance>()
  const places = new Semaphore(options.concurrency)

  return (planned, scenario) => {
    const known = performances.get(planned.scenario)
    if (known !== undefined) return known
    const performance = perform({ ...options, places }, planned, scenario)
    performances.set(planned.scenario, performance)
    return performance
  }
}

interface Circumstances extends PerformerOptions {
  readonly places: Semaphore
}

const perform = (stage: Circumstances, planned: PlannedCheck, scenario: Scenario | Property): Performance => {
  const redactor = createRedactor(stage.secrets)
  const exchanges: Exchange[] = []
  const outcomes = new Map<string, Promise<Outcome>>()

  const act = async (id: string, value: unknown): Promise<Outcome> => {
    const before = exchanges.length
    try {
      stage.course?.ends.throwIfAborted()
      stage.course?.breaker?.admit()
      return { record: await visited(stage, planned, scenario, { id, redactor, exchanges }, value) }
    } catch (stopped) {
      return { stopped }
    } finally {
      stage.course?.breaker?.hear(exchanges.slice(before))
    }
  }

  return {
    redactor,
    known: createRedactor(stage.secrets),
    exchanges,
    outcome(value) {
      const key = scenario.kind === 'property' ? stringify(value) : ''
      const id = scenario.kind === 'property' ? `${planned.scenario}.${outcomes.size + 1}` : planned.scenario
      const known = outcomes.get(key) ?? withPlace(stage, scenario, () => act(id, value))
      outcomes.set(key, known)
      return known
    },
  }
}

/**
 * A scenario that moves the clock of a shared target, or revokes what the customer has granted, has the target for
 * itself: nobody else's tokens may end under their feet.
 */
const withPlace = <T>(
  { target, places, concurrency }: Circumstances,
  scenario: Scenario | Property,
  run: () => Promise<T>,
) => {
  const { needs = [] } = scenario.options
  const endsTokens = needs.includes('clock') || needs.includes('revocation')
  return places.runExclusive(run, endsTokens && !target.fresh ? concurrency : 1)
}

interface Record {
  readonly id: string
  readonly redactor: Redactor
  readonly exchanges: Exchange[]
}

const visited = async (
  stage: Circumstances,
  planned: PlannedCheck,
  scenario: Scenario | Property,
  record: Record,
  value: unknown,
): Promise<unknown> => {
  const visit = await stage.target.open(planned.scenario)
  const session = await openSession(stage, planned, visit, record)
  return scenario.kind === 'property' ? scenario.act(session, value) : scenario.act(session)
}

const openSession = async (
  stage: Circumstances,
  planned: PlannedCheck,
  visit: Visit,
  record: Record,
): Promise<Session> => {
  const { profile } = stage.target
  const { baseUrl } = visit
  let clock: TargetClock = visit.clock ?? wallClock
  const http: Http = createHttp({
    scenario: record.id,
    dispatcher: visit.dispatcher,
    origins: [baseUrl, ...profile.origins].map((address) => new URL(address).origin),
    allowed: stage.allowed,
    headers: profile.headers,
    requestMs: profile.deadlines.requestMs,
    now: () => clock.now(),
    redactor: record.redactor,
    journal: stage.journal,
    onExchange: (exchange) => record.exchanges.push(exchange),
    ...(stage.course && { ends: stage.course.ends }),
    ...(stage.course?.turn && { turn: stage.course.turn }),
  })
  if (visit.clock === undefined && stage.time === 'auto' && profile.levers.advanceClock !== undefined)
    clock = await createLeverClock(http, baseUrl, profile)
  const levers = createLevers(http, baseUrl, profile)
  const kind = planned.application ?? 'any'
  return createSession({ profile, baseUrl, http, clock, levers, kind })
}
