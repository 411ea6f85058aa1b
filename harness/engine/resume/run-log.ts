import { randomBytes } from 'node:crypto'
import { chance, keyedRandom, type Random } from '../../session/random.ts'
import { hasUnansweredRequest, createAttemptLog, type AttemptLog } from './attempt-log.ts'
import type { TaskMeta } from 'vitest'
import type { Exchange, Operation } from '../../evidence/exchange.ts'
import type { Intent, ReplayLog } from '../../evidence/recorder.ts'
import type { WebhookSettings } from '../../session/clock.ts'
import type { InputEntry, BeginEntry, Entry } from './log-entries.ts'

/** The part of a run in its log, and its continuation. */

/** What is known of a scenario before it starts. */
type ScenarioStart = Pick<BeginEntry, 'scenario' | 'recorded' | 'application' | 'grants'>

/** One start of a scenario. A resumed run continues it, or starts the scenario again under another id. */
export interface ScenarioAttempt {
  /** Begins the ids of its exchanges. */
  readonly id: string
  readonly random: Random
  /** Its inputs, if they are recorded. */
  readonly replayLog?: AttemptLog
  /** Its requests that create objects, and those of its shared grants. */
  readonly requestLog?: ReplayLog
  /** Called before webhook settings are changed. @param before what restores them. */
  storeSettings(before: WebhookSettings): void
  /** Called when it continues after a wait. */
  continueAfterWait(): void
  /** The id of another scenario that ran after this one had started, and in which a customer may have granted to the same application. */
  interferingScenario(): string | undefined
}

/** What an earlier part of a run left at the target. */
export interface Leftovers {
  /** Requests that were sent, and whose answers no scenario will read: the run was killed before. */
  readonly unanswered: readonly Intent[]
  /** Answers that no scenario will read again. */
  readonly unread: readonly Exchange[]
  /** What restores the webhook settings that it changed, by the id of the application. */
  readonly settings: ReadonlyMap<string, WebhookSettings>
}

export const leftoversIn = (entries: readonly Entry[]): Leftovers => {
  const { begun, inputs } = loggedRunOf(entries)
  const last = new Map(begun.map(({ scenario, attempt }) => [scenario, attempt]))
  const isRepeated = ({ attempt, scenario, recorded }: BeginEntry): boolean =>
    recorded && last.get(scenario) === attempt && !hasUnansweredRequest(inputs.get(attempt) ?? [])
  const repeated = new Set(begun.filter(isRepeated).map(({ attempt }) => attempt))
  const unread: Exchange[] = []
  const answered = new Set<string>()
  const intents: Intent[] = []
  const settings = new Map<string, WebhookSettings>()
  for (const entry of entries) {
    if (entry.kind === 'settings') {
      const { clientId } = entry.settings
      // The first settings are those of before the run.
      if (!settings.has(clientId)) settings.set(clientId, entry.settings)
    }
    if (entry.kind === 'intent') intents.push(entry.intent)
    if (entry.kind !== 'exchange') continue
    answered.add(entry.exchange.id)
    if (!repeated.has(entry.attempt)) unread.push(entry.exchange)
  }
  return { unanswered: intents.filter(({ id }) => !answered.has(id)), unread, settings }
}

export interface RunLog {
  /** The result of a check from an earlier part of the run. */
  storedResult(check: string): TaskMeta | undefined
  storeResult(check: string, meta: TaskMeta): void
  storeWait(check: string, until: string): void
  begin(start: ScenarioStart): ScenarioAttempt
}

/**
 * For a run that cannot be resumed: it stores nothing.
 * @param randomOf the random values of a scenario, if they are to be repeatable.
 */
export const withoutLog = (randomOf: (attempt: string) => Random = () => chance): RunLog => ({
  storedResult: () => undefined,
  storeResult: () => undefined,
  storeWait: () => undefined,
  begin: ({ scenario }) => ({
    id: scenario,
    random: randomOf(scenario),
    storeSettings: () => undefined,
    continueAfterWait: () => undefined,
    interferingScenario: () => undefined,
  }),
})

export const noLog: RunLog = withoutLog()

/** Operations whose request must be known even if the run is killed before the answer. */
const CREATING: ReadonlySet<string> = new Set<Operation>([
  'createConsent',
  'initiatePayment',
  'applyForLoan',
  'configureWebhook',
])

/** Marks intents of requests that are never repeated from the log. */
const UNREPEATED = ' unrepeated'

/** A grant to one kind of application does not end grants to another kind. */
const mayAffectGrants = (one: BeginEntry, other: BeginEntry): boolean =>
  one.application === undefined || other.application === undefined || one.application === other.application

const loggedRunOf = (entries: readonly Entry[]) => {
  const begun = entries.filter((entry) => entry.kind === 'begin')
  const attemptsById = new Map(begun.map((one) => [one.attempt, one]))
  const inputs = new Map<string, InputEntry[]>()
  /** The order in which scenarios started, and continued after waits. */
  const active: BeginEntry[] = []
  for (const entry of entries) {
    if (!('attempt' in entry)) continue
    const attempt = attemptsById.get(entry.attempt)
    if (attempt === undefined) continue
    if (entry.kind === 'begin' || entry.kind === 'continued') active.push(attempt)
    else {
      const own = inputs.get(entry.attempt) ?? []
      own.push(entry)
      inputs.set(entry.attempt, own)
    }
  }
  return { begun, active, inputs }
}

/** Logs requests that are never repeated from the log. */
const unrepeatedLog = (attempt: string, append: (entry: Entry) => void): ReplayLog => ({
  exchange: () => undefined,
  recordIntent(intent) {
    if (CREATING.has(intent.operation)) append({ kind: 'intent', attempt: `${attempt}${UNREPEATED}`, intent })
  },
  recordExchange: () => undefined,
})

/** @param entries the entries of the log. @param append writes a new entry. */
export const createRunLog = (entries: readonly Entry[], append: (entry: Entry) => void): RunLog => {
  const results = new Map(
    entries.flatMap((entry) => (entry.kind === 'result' ? [[entry.check, entry.meta] as const] : [])),
  )
  const { inputs, ...before } = loggedRunOf(entries)
  const begun = [...before.begun]
  const active = [...before.active]
  /** Scenarios that this process has started or resumed. */
  const runningHere = new Set<string>()
  const inputsOf = (attempt: string): readonly InputEntry[] => inputs.get(attempt) ?? []

  const begin = ({ scenario, recorded, application, grants }: ScenarioStart): BeginEntry => {
    const attempts = begun.filter((entry) => entry.scenario === scenario)
    const last = attempts.at(-1)
    const canResume =
      last?.recorded === true &&
      !runningHere.has(last.attempt) &&
      !hasUnansweredRequest(inputsOf(last.attempt))
    if (last !== undefined && canResume) return last
    const entry: BeginEntry = {
      kind: 'begin',
      attempt: attempts.length === 0 ? scenario : `${scenario}~${attempts.length + 1}`,
      scenario,
      recorded,
      grants,
      key: randomBytes(32).toString('base64'),
      ...(application !== undefined && { application }),
    }
    begun.push(entry)
    active.push(entry)
    append(entry)
    return entry
  }

  return {
    storedResult: (check) => results.get(check),
    storeResult: (check, meta) => append({ kind: 'result', check, meta }),
    storeWait: (check, until) => append({ kind: 'waits', check, until }),
    begin(start) {
      const own = begin(start)
      runningHere.add(own.attempt)
      const since = active.indexOf(own) + 1
      const mayInterfere = (other: BeginEntry): boolean =>
        other !== own && other.grants && mayAffectGrants(own, other)
      return {
        id: own.attempt,
        random: keyedRandom(Buffer.from(own.key, 'base64')),
        ...(own.recorded && { replayLog: createAttemptLog(own.attempt, inputsOf(own.attempt), append) }),
        requestLog: unrepeatedLog(own.attempt, append),
        storeSettings: (settings) => append({ kind: 'settings', settings }),
        continueAfterWait() {
          active.push(own)
          append({ kind: 'continued', attempt: own.attempt })
        },
        interferingScenario: () => (own.grants ? active.slice(since).find(mayInterfere)?.attempt : undefined),
      }
    },
  }
}
