import { stringify } from 'fast-check'
import { createRedactor, type Redactor } from '../evidence/redaction.ts'
import { createTokenStore, type TokenStore } from '../session/authorization/token-store.ts'
import { isReading, placeOf, type Property, type Scenario } from '../session/scenario.ts'
import { noLog, type ScenarioAttempt } from './resume/run-log.ts'
import { steadyNow } from '../evidence/steady-clock.ts'
import { Missed, Waiting } from '../evidence/signals.ts'
import { diskFullReason } from '../evidence/journal.ts'
import { digestOfValue, reasonOf, recordLineOf, type Outcome } from './records/outcome.ts'
import { isWaitedFor, openSession } from './open-session.ts'
import { createScheduler, isTimed, type Slot, type Schedule } from './scheduler.ts'
import type { CleanUp, ScenarioRunnerOptions, SessionOptions } from './session-options.ts'
import type { RunExchanges } from '../profile/mismatch/mismatch.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { RecordLine } from '../evidence/stored/record-file.ts'
import type { ScenarioSpan } from '../check/result.ts'
import type { PlannedCheck } from '../plan/plan.ts'

/** One scenario, run once on the target for all its checks. */
export interface ScenarioRun {
  /** Removes secrets of the profile and those that were learned in the run. */
  readonly redactor: Redactor
  /** Removes secrets of the profile only. */
  readonly known: Redactor
  /** The exchanges of this scenario and of the whole run. */
  readonly seen: () => RunExchanges
  /** Whether it was interrupted or waits, so that a resumed run may have another result. */
  readonly isOpen: boolean
  /** The id of another scenario that may have ended the tokens of this one while it waited. */
  readonly interferingScenario: string | undefined
  /** Runs the scenario; a property is run once for each value. */
  outcome(value?: unknown): Promise<Outcome>
  /** All values of a property so far, with their outcomes. */
  outcomes(): Promise<readonly ValueOutcome[]>
  /** When it ran, once for each value of a property; left out of a stored run. */
  readonly spans?: readonly ScenarioSpan[]
  /** What was stored of its outcomes, by the digest of the value. */
  readonly stored: ReadonlyMap<string, RecordLine>
}

export interface ValueOutcome {
  readonly value: unknown
  readonly outcome: Outcome
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
    *all() {
      for (const { seen } of runs.values()) yield* seen().exchanges
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

interface RunnerContext extends ScenarioRunnerOptions {
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

const startRun = (
  context: RunnerContext,
  planned: PlannedCheck,
  scenario: Scenario | Property,
): ScenarioRun => {
  const redactor = createRedactor(context.secrets, context.target.profile)
  const exchanges: Exchange[] = []
  const granted: Exchange[] = []
  const known = new Map<string, { readonly value: unknown; readonly outcome: Promise<Outcome> }>()
  const stored = new Map<string, RecordLine>()
  const spans: ScenarioSpan[] = []
  const runAttempt = async (id: string, value: unknown, slot: Slot): Promise<Outcome> => {
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
    const of = scenario.kind === 'property' ? digestOfValue(value) : undefined
    const { interferingScenario: interfering } = run
    const origin = { scenario: planned.scenario, attempt: attempt?.id ?? id, of, interfering, redactor }
    return store(context, outcome, stored, origin)
  }

  /** Also notes when the scenario runs, and when it waits. */
  const runInSlot = async (id: string, value: unknown): Promise<Outcome> => {
    const slot = await context.schedule(planned, scenario.options.needs ?? [])
    const waits: ScenarioSpan['waits'][number][] = []
    const from = steadyNow()
    const meanwhile: Slot['meanwhile'] = async (wait) => {
      const since = steadyNow()
      await slot.meanwhile(wait).finally(() => waits.push({ from: since, to: steadyNow() }))
    }
    try {
      return await runAttempt(id, value, { ...slot, meanwhile })
    } finally {
      spans.push({ scenario: planned.scenario, from, to: steadyNow(), waits })
      slot.release()
    }
  }

  const run: ScenarioRun & { isOpen: boolean; interferingScenario: string | undefined } = {
    redactor,
    known: createRedactor(context.secrets, context.target.profile),
    seen: () => ({
      profile: context.target.profile,
      exchanges: [...exchanges, ...granted],
      all: context.all,
    }),
    isOpen: false,
    interferingScenario: undefined,
    spans,
    stored,
    outcome(value) {
      const key = scenario.kind === 'property' ? stringify(value) : ''
      const id = scenario.kind === 'property' ? `${planned.scenario}.${known.size + 1}` : planned.scenario
      const one = known.get(key) ?? {
        value,
        outcome: runInSlot(id, value),
      }
      known.set(key, one)
      return one.outcome
    },
    outcomes: () =>
      Promise.all([...known.values()].map(async ({ value, outcome }) => ({ value, outcome: await outcome }))),
  }
  return run
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

/** Writes what a scenario returned. @param stored gets it by the digest of the value. */
const store = (
  context: RunnerContext,
  outcome: Outcome,
  stored: Map<string, RecordLine>,
  origin: Parameters<typeof recordLineOf>[1],
): Outcome => {
  if (context.records === undefined) return outcome
  try {
    const line = recordLineOf(outcome, origin)
    context.records.write(line)
    stored.set(origin.of ?? '', line)
    return outcome
  } catch (error) {
    giveUpIfDiskIsFull(context, error)
    return { stopped: error }
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
    ...(planned.turn && { turn: planned.turn }),
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
