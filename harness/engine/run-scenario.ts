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
import type { CleanUp, ScenarioRunnerOptions, SessionOptions } from './session-options.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { RecordLine } from '../evidence/stored/record-file.ts'
import type { ScenarioSpan } from '../check/result.ts'
import type { PlannedCheck } from '../plan/plan.ts'
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

/** Reads what was stored. */
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

/** The keys of the profile that explain a finding, without secrets. */
const explained = (
  { target, all }: RunnerContext,
  violated: Parameters<JudgedRun['explain']>[0],
  exchanges: readonly Exchange[],
  redactor: Redactor,
): ReturnType<JudgedRun['explain']> =>
  mismatchesExplaining(violated, { profile: target.profile, exchanges, all }).map((mismatch) =>
    hideMismatch(mismatch, redactor),
  )

const startRun = (
  context: RunnerContext,
  planned: PlannedCheck,
  scenario: Scenario | Property,
): ScenarioRun => {
  const { secrets, target } = context
  const redactor = createRedactor(secrets, target.profile)
  const known = createRedactor(secrets, target.profile)
  const exchanges: Exchange[] = []
  const granted: Exchange[] = []
  const lines = new Map<string, Line>()
  const spans: ScenarioSpan[] = []
  const runAttempt = async (id: string, value: unknown, slot: Slot): Promise<RecordLine> => {
    const before = exchanges.length
    const { ends, breaker } = context.limits ?? {}
    const own = { redactor, exchanges, granted }
    const { outcome, attempt } = await attemptOnce(context, planned, scenario, { id, value, slot, own })
    if (ends?.aborted === true || isStillToRun(outcome, attempt)) run.isOpen = true
    breaker?.record(exchanges.slice(before))
    if (attempt !== undefined && isTooLate(outcome, attempt)) {
      context.announce?.({ scenario: attempt.id, anew: redactor.sentence(reasonOf(outcome.stopped)) })
      exchanges.splice(before)
      return runAttempt(id, value, slot)
    }
    if (isTimed(planned)) run.interferingScenario ??= attempt?.interferingScenario()
    const origin = {
      scenario: planned.scenario,
      attempt: attempt?.id ?? id,
      ...(scenario.kind === 'property' && { of: digestOfValue(value) }),
      ...(run.interferingScenario !== undefined && { interfering: run.interferingScenario }),
    }
    return store(context, outcome, origin, redactor)
  }

  const run: ScenarioRun & { isOpen: boolean; interferingScenario: string | undefined } = {
    get exchanges() {
      return [...exchanges, ...granted]
    },
    isOpen: false,
    interferingScenario: undefined,
    spans,
    explain: (violated) => explained(context, violated, run.exchanges, redactor),
    hideKnown: (text) => known.text(text),
    async outcome(value) {
      const key = scenario.kind === 'property' ? stringify(value) : ''
      const id = scenario.kind === 'property' ? `${planned.scenario}.${lines.size + 1}` : planned.scenario
      const one = lines.get(key) ?? {
        value,
        line: inSlot(context, { planned, scenario, spans }, (slot) => runAttempt(id, value, slot)),
      }
      lines.set(key, one)
      return context.outcomeOf(await one.line)
    },
    async outcomes() {
      const read = async ({ value, line }: Line) => ({ value, outcome: context.outcomeOf(await line) })
      return Promise.all([...lines.values()].map(read))
    },
  }
  return run
}

/** Acts when a slot is free. Notes when the scenario runs, and when it waits. */
const inSlot = async <T>(
  context: RunnerContext,
  { planned, scenario, spans }: InSlot,
  act: (slot: Slot) => Promise<T>,
): Promise<T> => {
  const slot = await context.schedule(planned, scenario.options.needs ?? [])
  const waits: ScenarioSpan['waits'][number][] = []
  const from = steadyNow()
  const meanwhile: Slot['meanwhile'] = async (wait) => {
    const since = steadyNow()
    await slot.meanwhile(wait).finally(() => waits.push({ from: since, to: steadyNow() }))
  }
  try {
    return await act({ ...slot, meanwhile })
  } finally {
    spans.push({ scenario: planned.scenario, from, to: steadyNow(), waits })
    slot.release()
  }
}

interface InSlot {
  readonly planned: PlannedCheck
  readonly scenario: Scenario | Property
  readonly spans: ScenarioSpan[]
}

interface Attempt {
  readonly id: string
  readonly value: unknown
  readonly slot: Slot
  readonly own: Omit<SessionOptions['recording'], 'id'>
}

/** Runs a scenario once. The attempt is left out if it could not begin. */
const attemptOnce = async (
  context: RunnerContext,
  planned: PlannedCheck,
  scenario: Scenario | Property,
  { id, value, slot, own }: Attempt,
): Promise<{ readonly outcome: Outcome; readonly attempt?: ScenarioAttempt }> => {
  const place = placeOf(scenario.options, context.target.profile.environment)
  let begun: { readonly attempt?: ScenarioAttempt } = {}
  try {
    context.limits?.ends.throwIfAborted()
    context.limits?.breaker?.admit()
    const attempt = (context.log ?? noLog).begin(startOf(planned, id, isWaitedFor(context, place)))
    begun = { attempt }
    const recording = { id: attempt.id, ...own }
    const execution = runInSession(context, planned, scenario, { attempt, recording, slot }, value)
    context.pending?.add(execution)
    return { ...begun, outcome: { record: await execution } }
  } catch (stopped) {
    giveUpIfDiskIsFull(context, stopped)
    return { ...begun, outcome: { stopped } }
  }
}

const giveUpIfDiskIsFull = ({ limits }: RunnerContext, error: unknown): void => {
  const diskFull = diskFullReason(error)
  if (diskFull !== undefined) limits?.giveUp(diskFull)
}

/** Writes what a scenario returned. */
const store = (
  context: RunnerContext,
  outcome: Outcome,
  origin: Omit<RecordLine, 'kind' | 'outcome'>,
  redactor: Redactor,
): RecordLine => {
  const exchangeOf: ExchangeOf = (id) => context.journal.read(id)
  const stored = storeOutcome(outcome, { attempt: origin.attempt, redactor, exchangeOf })
  const line: RecordLine = { kind: 'record', ...origin, outcome: stored }
  try {
    context.records?.write(line)
    return line
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

/** Only scenarios about webhooks wait until the sink listens. */
const sinkFor = async ({ sink }: RunnerContext, { options: { needs = [] } }: Scenario | Property) =>
  needs.includes('webhook') || needs.includes('webhook-settings') ? sink?.() : undefined

const runInSession = async (
  context: RunnerContext,
  planned: PlannedCheck,
  scenario: Scenario | Property,
  {
    attempt,
    recording,
    slot,
  }: Pick<SessionOptions, 'recording'> & { readonly attempt: ScenarioAttempt; readonly slot: Slot },
  value: unknown,
): Promise<unknown> => {
  const bank = bankOf(context, planned, scenario)
  const tokenStore = context.tokenStoreOf(bank)
  const cleanUps: CleanUp[] = []
  const sink = await sinkFor(context, scenario)
  const place = placeOf(scenario.options, context.target.profile.environment)
  const session = await openSession(context, {
    connection: await context.target.open(bank),
    kind: planned.application ?? 'any',
    ...(planned.rotation && { rotation: planned.rotation }),
    place,
    readsOnly: isReading(scenario.options),
    tokenStore,
    recording,
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
