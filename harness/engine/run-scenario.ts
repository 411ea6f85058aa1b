import { stringify } from 'fast-check'
import { createRedactor, type Redactor } from '../evidence/redaction.ts'
import { createTokenStore, type TokenStore } from '../session/authorization/token-store.ts'
import { isReading, placeOf, type Property, type Scenario } from '../session/scenario.ts'
import { noLog, type ScenarioAttempt } from './resume/run-log.ts'
import { steadyNow } from '../evidence/steady-clock.ts'
import { Missed, Waiting } from '../evidence/signals.ts'
import { diskFullReason } from '../evidence/journal.ts'
import { mismatchesExplaining } from '../profile/mismatch/explain.ts'
import {
  digestOfValue,
  hideMismatch,
  outcomeIn,
  reasonOf,
  storeOutcome,
  storeStop,
  type ExchangeOf,
  type JudgedOutcome,
  type Outcome,
} from './records/outcome.ts'
import { isWaitedFor, openSession } from './open-session.ts'
import { createScheduler, isTimed, type Slot, type Schedule } from './scheduler.ts'
import type { CleanUp, ScenarioRunnerOptions } from './session-options.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { RecordLine } from '../evidence/stored/record-file.ts'
import type { ScenarioSpan } from '../check/result.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { Place } from '../profile/schema/places.ts'
import type { JudgedRun } from './judge.ts'

/** One scenario, run once on the target for all its checks. What it returned is stored at once, and read from there. */
export interface ScenarioRun extends JudgedRun {
  /** Its exchanges, as they were sent and received. */
  readonly exchanges: readonly Exchange[]
  /** Whether it was interrupted or waits, so that a resumed run may have another result. */
  readonly isOpen: boolean
  /** When it ran, once for each value of a property. */
  readonly spans: readonly ScenarioSpan[]
}

export type ScenarioRunner = (planned: PlannedCheck, scenario: Scenario | Property) => ScenarioRun

/** Runs each scenario of a plan once, however many checks judge it. */
export const createScenarioRunner = (options: ScenarioRunnerOptions): ScenarioRunner => {
  const runs = new Map<string, ScenarioRun>()
  const context = {
    ...options,
    schedule: createScheduler({
      ...options,
      waits: (needs) => isWaitedFor(options, placeOf({ needs }, options.target.profile.environment)),
    }),
    tokenStoreOf: createTokenStores(options),
    outcomeOf: createReader((id) => options.journal.read(id)),
    *all() {
      for (const { exchanges } of runs.values()) yield* exchanges
    },
  }

  return (planned, scenario) => {
    const known = runs.get(planned.scenario)
    if (known !== undefined) return known
    const run = startRun(context, planned, scenario)
    runs.set(planned.scenario, run)
    return run
  }
}

/** The checks of a scenario are judged one after the other: the last outcomes are kept decoded. */
const MOST_DECODED = 32

type OutcomeOf = (line: RecordLine) => JudgedOutcome

const createReader = (exchangeOf: ExchangeOf): OutcomeOf => {
  const decoded = new Map<RecordLine, JudgedOutcome>()
  return (line) => {
    const known = decoded.get(line)
    if (known !== undefined) return known
    const outcome = outcomeIn(line, exchangeOf)
    decoded.set(line, outcome)
    const [oldest] = decoded.keys()
    if (decoded.size > MOST_DECODED && oldest !== undefined) decoded.delete(oldest)
    return outcome
  }
}

interface RunnerContext extends ScenarioRunnerOptions {
  readonly outcomeOf: OutcomeOf
  readonly schedule: Schedule
  /** The token store for a bank: see `bankOf`. */
  readonly tokenStoreOf: (bank: string) => TokenStore
  /** The exchanges of all scenarios so far. */
  readonly all: () => Iterable<Exchange>
}

/** One token store for a target that all scenarios share; one for each bank of the embedded target. */
const createTokenStores = ({ target, limits }: ScenarioRunnerOptions): ((bank: string) => TokenStore) => {
  const stores = new Map<string, TokenStore>()
  return (bank) => {
    if (!target.fresh && limits !== undefined) return limits.tokenStore
    const tokenStore = stores.get(bank) ?? createTokenStore(target.profile)
    stores.set(bank, tokenStore)
    return tokenStore
  }
}

/** The bank of all scenarios that only read. */
const SHARED_READERS = 'reading'

/** The name of the bank that the embedded target opens for a scenario. */
const bankOf = (
  { target }: RunnerContext,
  planned: PlannedCheck,
  { options }: Scenario | Property,
): string => (target.shared && isReading(options) ? SHARED_READERS : planned.scenario)

interface Line {
  readonly value: unknown
  readonly line: Promise<RecordLine>
}

/** What is known of a scenario while it runs. */
interface RunningScenario {
  readonly planned: PlannedCheck
  readonly scenario: Scenario | Property
  readonly place: Place
  readonly redactor: Redactor
  readonly exchanges: Exchange[]
  readonly granted: Exchange[]
  readonly spans: ScenarioSpan[]
  isOpen: boolean
  interferingScenario: string | undefined
}

const startRun = (
  context: RunnerContext,
  planned: PlannedCheck,
  scenario: Scenario | Property,
): ScenarioRun => {
  const { secrets, target, all, outcomeOf } = context
  const { profile } = target
  const redactor = createRedactor(secrets, profile)
  const known = createRedactor(secrets, profile)
  const own: RunningScenario = {
    planned,
    scenario,
    place: placeOf(scenario.options, profile.environment),
    redactor,
    exchanges: [],
    granted: [],
    spans: [],
    isOpen: false,
    interferingScenario: undefined,
  }
  const lines = new Map<string, Line>()
  const run: ScenarioRun = {
    get exchanges() {
      return [...own.exchanges, ...own.granted]
    },
    get isOpen() {
      return own.isOpen
    },
    get interferingScenario() {
      return own.interferingScenario
    },
    spans: own.spans,
    // The keys of the profile that explain a finding, without secrets.
    explain: (violated) =>
      mismatchesExplaining(violated, { profile, exchanges: run.exchanges, all }).map((mismatch) =>
        hideMismatch(mismatch, redactor),
      ),
    hideKnown: (text) => known.text(text),
    async outcome(value) {
      const key = scenario.kind === 'property' ? stringify(value) : ''
      const id = scenario.kind === 'property' ? `${planned.scenario}.${lines.size + 1}` : planned.scenario
      const one = lines.get(key) ?? { value, line: runOnce(context, own, id, value) }
      lines.set(key, one)
      return outcomeOf(await one.line)
    },
    async outcomes() {
      const read = async ({ value, line }: Line) => ({ value, outcome: outcomeOf(await line) })
      return Promise.all([...lines.values()].map(read))
    },
  }
  return run
}

/** Notes when a scenario runs, and when it waits. */
const notedSlot = (slot: Slot, scenario: string, spans: ScenarioSpan[]): Slot => {
  const waits: ScenarioSpan['waits'][number][] = []
  const from = steadyNow()
  return {
    async meanwhile(wait) {
      const since = steadyNow()
      await slot.meanwhile(wait).finally(() => waits.push({ from: since, to: steadyNow() }))
    },
    release() {
      spans.push({ scenario, from, to: steadyNow(), waits })
      slot.release()
    },
  }
}

/** Runs a scenario when a slot is free; anew, if a resumed one is too late. @returns what was stored of it. */
const runOnce = async (
  context: RunnerContext,
  own: RunningScenario,
  id: string,
  value: unknown,
): Promise<RecordLine> => {
  const { planned, scenario, exchanges, redactor } = own
  const { ends, breaker } = context.limits ?? {}
  const free = await context.schedule(planned, scenario.options.needs ?? [])
  const slot = notedSlot(free, planned.scenario, own.spans)
  try {
    for (;;) {
      const before = exchanges.length
      let attempt: ScenarioAttempt | undefined
      let outcome: Outcome
      try {
        ends?.throwIfAborted()
        breaker?.admit()
        attempt = (context.log ?? noLog).begin(startOf(planned, id, isWaitedFor(context, own.place)))
        const execution = runInSession(context, own, { attempt, slot, value })
        context.pending?.add(execution)
        outcome = { record: await execution }
      } catch (stopped) {
        giveUpIfDiskIsFull(context, stopped)
        outcome = { stopped }
      }
      if (ends?.aborted === true || isStillToRun(outcome, attempt)) own.isOpen = true
      breaker?.record(exchanges.slice(before))
      if (attempt === undefined || !isTooLate(outcome, attempt))
        return store(context, own, outcome, { attempt, id, value })
      context.announce?.({ scenario: attempt.id, anew: redactor.sentence(reasonOf(outcome.stopped)) })
      exchanges.splice(before)
    }
  } finally {
    slot.release()
  }
}

interface Attempt {
  /** Left out if the scenario could not begin. */
  readonly attempt: ScenarioAttempt | undefined
  readonly id: string
  readonly value: unknown
}

const giveUpIfDiskIsFull = ({ limits }: RunnerContext, error: unknown): void => {
  const diskFull = diskFullReason(error)
  if (diskFull !== undefined) limits?.giveUp(diskFull)
}

/** Writes what a scenario returned. */
const store = (
  context: RunnerContext,
  own: RunningScenario,
  outcome: Outcome,
  { attempt, id, value }: Attempt,
): RecordLine => {
  const { planned, scenario, redactor } = own
  if (isTimed(planned)) own.interferingScenario ??= attempt?.interferingScenario()
  const line: Omit<RecordLine, 'outcome'> = {
    kind: 'record',
    scenario: planned.scenario,
    attempt: attempt?.id ?? id,
    ...(scenario.kind === 'property' && { of: digestOfValue(value) }),
    ...(own.interferingScenario !== undefined && { interfering: own.interferingScenario }),
  }
  const exchangeOf: ExchangeOf = (one) => context.journal.read(one)
  const stored = { ...line, outcome: storeOutcome(outcome, { attempt: line.attempt, redactor, exchangeOf }) }
  try {
    context.records?.write(stored)
    return stored
  } catch (error) {
    giveUpIfDiskIsFull(context, error)
    return { ...line, outcome: { stopped: storeStop(error, redactor) } }
  }
}

/** Whether it was not begun, or waits. */
const isStillToRun = (outcome: Outcome, attempt: ScenarioAttempt | undefined): boolean =>
  'stopped' in outcome && (attempt === undefined || outcome.stopped instanceof Waiting)

/** Whether a resumed scenario has missed what it had to observe: it is begun anew, under another id. */
const isTooLate = (
  outcome: Outcome,
  { replayLog }: ScenarioAttempt,
): outcome is { readonly stopped: Missed } =>
  'stopped' in outcome && outcome.stopped instanceof Missed && replayLog?.recordedUntil !== undefined

const startOf = (planned: PlannedCheck, scenario: string, waits: boolean) => ({
  scenario,
  // Repeated from its log, a scenario would not move the clock of the target.
  recorded: waits && isTimed(planned),
  grants: planned.authorizations > 0 || planned.sharesGrant,
  ...(planned.application !== undefined && { application: planned.application }),
})

const runInSession = async (
  context: RunnerContext,
  { planned, scenario, place, redactor, exchanges, granted }: RunningScenario,
  { attempt, slot, value }: Omit<Attempt, 'id'> & { readonly attempt: ScenarioAttempt; readonly slot: Slot },
): Promise<unknown> => {
  const bank = bankOf(context, planned, scenario)
  const tokenStore = context.tokenStoreOf(bank)
  const cleanUps: CleanUp[] = []
  const { needs = [] } = scenario.options
  // Only scenarios about webhooks wait until the sink listens.
  const isAboutWebhooks = needs.includes('webhook') || needs.includes('webhook-settings')
  const sink = isAboutWebhooks ? await context.sink?.() : undefined
  const session = await openSession(context, {
    connection: await context.target.open(bank),
    kind: planned.application ?? 'any',
    ...(planned.rotation && { rotation: planned.rotation }),
    place,
    readsOnly: isReading(scenario.options),
    tokenStore,
    recording: { id: attempt.id, redactor, exchanges, granted },
    attempt,
    ...(isWaitedFor(context, place) && isTimed(planned) && { slot }),
    ...(sink && { sink }),
    onEnd: (cleanUp) => cleanUps.push(cleanUp),
  })
  try {
    return await (scenario.kind === 'property' ? scenario.act(session, value) : scenario.act(session))
  } finally {
    for (const cleanUp of cleanUps) await cleanUp()
    if (!isReading(scenario.options)) tokenStore.recheck()
  }
}
