import { randomBytes } from 'node:crypto'
import { chance, keyedRandom, type Random } from '../../session/random.ts'
import { throwIfLate } from '../../connection/wall-clock.ts'
import type { TaskMeta } from 'vitest'
import type { Exchange, Operation } from '../../evidence/exchange.ts'
import type { Intent, ReplayLog } from '../../evidence/recorder.ts'
import type { Access } from '../../session/authorization/grant-store.ts'
import type { TargetClock, WebhookSettings } from '../../session/clock.ts'

/** The inputs of a scenario: first those in the log of an earlier run, then new ones. */
interface AttemptLog extends ReplayLog {
  /** The latest recorded instant, by the target's clock, if it has inputs of an earlier run. */
  readonly recordedUntil: number | undefined
  /** Called before the first input that is not recorded, unless the run ended in a wait. @param verify throws if it is too late */
  beforeContinuing(verify: () => void): void
  /** A reading of the target's clock, in ms since 1970. */
  reading(now: () => number): number
  /** The end of a wait. `wasPassed`: whether the scenario already continued after it in an earlier run. */
  recordWait(due: () => number): { readonly due: number; readonly wasPassed: boolean }
  /** Called after a wait: the same before the next request, if it is not recorded. */
  beforeNextRequest(verify: () => void): void
  access(get: () => Promise<Access>): Promise<Access>
}

const pathOf = (url: string): string => new URL(url).pathname

const renderRequest = ({ method, url }: { readonly method: string; readonly url: string }): string =>
  `${method} ${pathOf(url)}`

/** A request without a recorded answer may have been processed: its scenario cannot be repeated from the log. */
const hasUnansweredRequest = (inputs: readonly InputEntry[]): boolean => {
  const answered = new Set(inputs.flatMap((one) => (one.kind === 'exchange' ? [one.exchange.id] : [])))
  return inputs.some((one) => one.kind === 'intent' && !answered.has(one.intent.id))
}

/** @param append writes a new entry before the scenario uses its value. */
const createAttemptLog = (
  attempt: string,
  before: readonly InputEntry[],
  append: (input: InputEntry) => void,
): AttemptLog => {
  const exchanges = new Map(
    before.flatMap((one) => (one.kind === 'exchange' ? [[one.exchange.id, one.exchange] as const] : [])),
  )
  const readings = before.flatMap((one) => (one.kind === 'reading' ? [one.at] : []))
  const dues = before.flatMap((one) => (one.kind === 'due' ? [one.at] : []))
  const accesses = before.flatMap((one) => (one.kind === 'access' ? [one.access] : []))
  const recordInput = <T>(input: InputEntry, value: T): T => {
    append(input)
    return value
  }
  const instants = [...exchanges.values()].map(({ sentAt, durationMs }) => Date.parse(sentAt) + durationMs)
  let verifyNext: (() => void) | undefined
  let verifyContinuing: (() => void) | undefined
  const continues = (): void => {
    const verify = verifyContinuing
    verifyContinuing = undefined
    verify?.()
  }
  return {
    recordedUntil: before.length === 0 ? undefined : Math.max(0, ...readings, ...instants),
    beforeContinuing: (verify) => void (verifyContinuing = verify),
    exchange(request) {
      const known = exchanges.get(request.id)
      if (known === undefined) {
        continues()
        verifyNext?.()
      }
      verifyNext = undefined
      if (known === undefined || renderRequest(known.request) === renderRequest(request)) return known
      throw new Error(
        `repeated from its log, the scenario sends another request: ${request.id} was ${renderRequest(known.request)} and is now ${renderRequest(request)}`,
      )
    },
    recordIntent: (intent) => append({ kind: 'intent', attempt, intent }),
    recordExchange: (exchange) => append({ kind: 'exchange', attempt, exchange }),
    reading(now) {
      const known = readings.shift()
      if (known !== undefined) return known
      continues()
      const at = now()
      return recordInput({ kind: 'reading', attempt, at }, at)
    },
    recordWait(due) {
      const known = dues.shift()
      if (known !== undefined) {
        const wasPassed = readings.length > 0
        if (!wasPassed) verifyContinuing = undefined
        return { due: known, wasPassed }
      }
      const at = due()
      return recordInput({ kind: 'due', attempt, at }, { due: at, wasPassed: false })
    },
    beforeNextRequest: (verify) => void (verifyNext = verify),
    async access(get) {
      const known = accesses.shift()
      if (known !== undefined) return known
      const access = await get()
      return recordInput({ kind: 'access', attempt, access }, access)
    },
  }
}

/** Between two requests without a wait: a code lives for minutes. */
const LONGEST_PAUSE_MS = 60_000

/** A clock whose readings and waits are recorded. */
export const recordedClock = (clock: TargetClock, replayLog: AttemptLog): TargetClock => {
  const read = (): number => clock.now().getTime()
  const { recordedUntil } = replayLog
  if (recordedUntil !== undefined)
    replayLog.beforeContinuing(() =>
      throwIfLate({ due: recordedUntil, now: read(), slackMs: LONGEST_PAUSE_MS }),
    )
  return {
    kind: clock.kind,
    isResumed: recordedUntil !== undefined,
    now: () => new Date(replayLog.reading(read)),
    async pass(ms, slackMs) {
      const { due, wasPassed } = replayLog.recordWait(() => read() + ms)
      const left = due - read()
      if (!wasPassed && left > 0) await clock.pass(left)
      throwIfLate({ due, now: replayLog.reading(read), slackMs })
      // The run may have ended between the wait and the request.
      if (wasPassed) replayLog.beforeNextRequest(() => throwIfLate({ due, now: read(), slackMs }))
    },
  }
}

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

interface LoggedRun {
  readonly begun: readonly BeginEntry[]
  /** The order in which scenarios started, and continued after waits. */
  readonly active: readonly BeginEntry[]
  readonly inputs: ReadonlyMap<string, readonly InputEntry[]>
}

const loggedRunOf = (entries: readonly Entry[]): LoggedRun => {
  const begun = entries.filter((entry) => entry.kind === 'begin')
  const attemptsById = new Map(begun.map((one) => [one.attempt, one]))
  const inputs = new Map<string, InputEntry[]>()
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
        requestLog: {
          exchange: () => undefined,
          recordIntent(intent) {
            if (CREATING.has(intent.operation))
              append({ kind: 'intent', attempt: `${own.attempt}${UNREPEATED}`, intent })
          },
          recordExchange: () => undefined,
        },
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

/** The entries of a resume log, in chronological order. */

/** A scenario starts. */
interface BeginEntry {
  readonly kind: 'begin'
  /** The beginning of the ids of its exchanges: the id of the scenario, with `~2` for the second start and so on. */
  readonly attempt: string
  /** The id of the scenario. */
  readonly scenario: string
  /** Whether its inputs are recorded, so that it can be repeated without the network. */
  readonly recorded: boolean
  /** The key of its random values, in base64. */
  readonly key: string
  /** The kind of the application, if there is only one. */
  readonly application?: string
  /** Whether a customer grants in it, which may end earlier grants. */
  readonly grants: boolean
}

/** An input of a scenario, or a request that it is about to send. */
type InputEntry =
  | { readonly kind: 'intent'; readonly attempt: string; readonly intent: Intent }
  | { readonly kind: 'exchange'; readonly attempt: string; readonly exchange: Exchange }
  /** A reading of the target's clock, in ms since 1970. */
  | { readonly kind: 'reading'; readonly attempt: string; readonly at: number }
  /** The end of a wait, by the target's clock. */
  | { readonly kind: 'due'; readonly attempt: string; readonly at: number }
  | { readonly kind: 'access'; readonly attempt: string; readonly access: Access }

export type Entry =
  | BeginEntry
  /** A scenario continues after a wait. */
  | { readonly kind: 'continued'; readonly attempt: string }
  | InputEntry
  /** The result of a check, with what its scenario observed. */
  | { readonly kind: 'result'; readonly check: string; readonly meta: TaskMeta }
  /** A check that can be judged from then on. */
  | { readonly kind: 'waits'; readonly check: string; readonly until: string }
  /** The webhook settings of an application before a scenario changes them. */
  | { readonly kind: 'settings'; readonly settings: WebhookSettings }
  /** The run is resumed. */
  | { readonly kind: 'resumed'; readonly at: string }
