import { stringify } from 'fast-check'
import { createRedactor } from '../evidence/redaction.ts'
import { createTokenStore } from '../session/authorization/token-store.ts'
import { isReading } from '../session/scenario.ts'
import { noLog } from './resume/run-log.ts'
import { Waiting } from '../evidence/signals.ts'
import { diskFullReason } from '../evidence/append-line.ts'
import { isWaitedFor, openSession } from './open-session.ts'
import { createPlaces, isTimed } from './places.ts'
import type { Property, Scenario } from '../session/scenario.ts'
import type { Seen } from '../profile/binding/misfit.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Redactor } from '../evidence/redaction.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { TokenStore } from '../session/authorization/token-store.ts'
import type { Act } from './resume/run-log.ts'
import type { Ending, Opening, PerformerOptions } from './opening.ts'
import type { Place, WithPlace } from './places.ts'

/** What an act came to: its record, or what stopped it. */
export type Outcome = { readonly record: unknown } | { readonly stopped: unknown }

/** A scenario done on the target, once for all its checks. */
export interface Performance {
  /** Takes out what was secret before the run, and what was learned in it. */
  readonly redactor: Redactor
  /** Takes out what was secret before the run alone. */
  readonly known: Redactor
  /** What was sent and answered, here and in the whole run. */
  readonly seen: () => Seen
  /** Whether its end came from without, so that whoever goes on with the run may come to something else. */
  readonly isOpen: boolean
  /** Another scenario that may have ended its tokens while it waited. */
  readonly disturber: string | undefined
  /** What the act came to; of a property, with this value. The same value is acted on once. */
  outcome(value?: unknown): Promise<Outcome>
  /** Everything that was acted on until now, with what it came to. */
  done(): Promise<readonly Done[]>
}

export interface Done {
  readonly value: unknown
  readonly outcome: Outcome
}

export type Performer = (planned: PlannedCheck, scenario: Scenario | Property) => Performance

/** Does each scenario of a plan once, however many checks ask for it. */
export const createPerformer = (options: PerformerOptions): Performer => {
  const performances = new Map<string, Performance>()
  const circumstances = {
    ...options,
    withPlace: createPlaces({ ...options, waits: isWaitedFor(options) }),
    tokenStoreOf: createTokenStores(options),
    *all() {
      for (const { seen } of performances.values()) yield* seen().exchanges
    },
  }

  return (planned, scenario) => {
    const known = performances.get(planned.scenario)
    if (known !== undefined) return known
    const performance = perform(circumstances, planned, scenario)
    performances.set(planned.scenario, performance)
    return performance
  }
}

interface Circumstances extends PerformerOptions {
  readonly withPlace: WithPlace
  /** The token store of a place on the target. */
  readonly tokenStoreOf: (place: string) => TokenStore
  /** What was sent and answered in every scenario so far. */
  readonly all: () => Iterable<Exchange>
}

/** A target that all scenarios share has one token store for the whole run; a bank of its own has its own. */
const createTokenStores = ({ target, course }: PerformerOptions): ((place: string) => TokenStore) => {
  const stores = new Map<string, TokenStore>()
  return (place) => {
    if (!target.fresh && course !== undefined) return course.tokenStore
    const tokenStore = stores.get(place) ?? createTokenStore(target.profile)
    stores.set(place, tokenStore)
    return tokenStore
  }
}

/** Where those scenarios go that only read. */
const READING = 'reading'

const placeOf = (
  { target }: Circumstances,
  planned: PlannedCheck,
  { options }: Scenario | Property,
): string => (target.shared && isReading(options) ? READING : planned.scenario)

const perform = (stage: Circumstances, planned: PlannedCheck, scenario: Scenario | Property): Performance => {
  const redactor = createRedactor(stage.secrets)
  const exchanges: Exchange[] = []
  const granted: Exchange[] = []
  const outcomes = new Map<string, { readonly value: unknown; readonly outcome: Promise<Outcome> }>()
  const act = async (of: string, value: unknown, place: Place): Promise<Outcome> => {
    const before = exchanges.length
    const { ends, breaker } = stage.course ?? {}
    let begun: Act | undefined
    try {
      ends?.throwIfAborted()
      breaker?.admit()
      begun = (stage.log ?? noLog).begin(beginningOf(planned, of))
      const recording = { id: begun.id, redactor, exchanges, granted }
      const visit = visited(stage, planned, scenario, { act: begun, recording, place }, value)
      stage.visitors?.add(visit)
      return { record: await visit }
    } catch (stopped) {
      if (begun === undefined || stopped instanceof Waiting) performance.isOpen = true
      const unkept = diskFullReason(stopped)
      if (unkept !== undefined) stage.course?.giveUp(unkept)
      return { stopped }
    } finally {
      if (ends?.aborted === true) performance.isOpen = true
      if (isTimed(planned)) performance.disturber ??= begun?.disturber()
      breaker?.hear(exchanges.slice(before))
    }
  }

  const performance: Performance & { isOpen: boolean; disturber: string | undefined } = {
    redactor,
    known: createRedactor(stage.secrets),
    seen: () => ({
      profile: stage.target.profile,
      exchanges: [...exchanges, ...granted],
      all: stage.all,
    }),
    isOpen: false,
    disturber: undefined,
    outcome(value) {
      const key = scenario.kind === 'property' ? stringify(value) : ''
      const id = scenario.kind === 'property' ? `${planned.scenario}.${outcomes.size + 1}` : planned.scenario
      const { needs = [] } = scenario.options
      const known = outcomes.get(key) ?? {
        value,
        outcome: stage.withPlace(planned, needs, (place) => act(id, value, place)),
      }
      outcomes.set(key, known)
      return known.outcome
    },
    done: () =>
      Promise.all(
        [...outcomes.values()].map(async ({ value, outcome }) => ({ value, outcome: await outcome })),
      ),
  }
  return performance
}

const beginningOf = (planned: PlannedCheck, of: string) => ({
  of,
  taped: isTimed(planned),
  grants: planned.authorizations > 0 || planned.sharesGrant,
  ...(planned.application !== undefined && { application: planned.application }),
})

/** Whoever has no use for the sink does not wait until it listens. */
const sinkFor = async ({ sink }: Circumstances, { options: { needs = [] } }: Scenario | Property) =>
  needs.includes('webhook') || needs.includes('webhook-settings') ? sink?.() : undefined

const visited = async (
  stage: Circumstances,
  planned: PlannedCheck,
  scenario: Scenario | Property,
  { act, recording, place: from }: Pick<Opening, 'recording'> & { readonly act: Act; readonly place: Place },
  value: unknown,
): Promise<unknown> => {
  const place = placeOf(stage, planned, scenario)
  const tokenStore = stage.tokenStoreOf(place)
  const endings: Ending[] = []
  const sink = await sinkFor(stage, scenario)
  const session = await openSession(stage, {
    visit: await stage.target.open(place),
    kind: planned.application ?? 'any',
    readsOnly: isReading(scenario.options),
    tokenStore,
    recording,
    act,
    ...(isWaitedFor(stage) && isTimed(planned) && { place: from }),
    ...(sink && { sink }),
    onEnd: (end) => endings.push(end),
  })
  try {
    return await (scenario.kind === 'property' ? scenario.act(session, value) : scenario.act(session))
  } finally {
    for (const end of endings) await end()
    if (!isReading(scenario.options)) tokenStore.recheck()
  }
}
