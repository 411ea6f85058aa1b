import { availableParallelism } from 'node:os'
import { createVitest, type Reporter, type SerializedError, type TestCase, type Vitest } from 'vitest/node'
import { moduleOf, ROOT } from '../plan/root.ts'
import { specPath } from '../plan/own-checks.ts'
import { diskFullReason } from '../evidence/journal.ts'
import { createRedactor } from '../evidence/redaction.ts'
import { running, specFilesOf } from '../plan/plan.ts'
import { onWaits, interruptThreads, type Announce } from './channels.ts'
import { conformanceOptions } from './vitest-options.ts'
import { CLEAN_UP_MS, withGracePeriod } from './run-limits.ts'
import {
  identityOf,
  type CheckIdentity,
  type CheckResult,
  type Description,
  type KeptTimeLine,
  type KeptVisits,
  type Observation,
  type ScenarioSpan,
} from '../check/result.ts'
import type { RunInput } from './run-input.ts'

/** Runs a plan, and collects the results of its checks. Only this file starts vitest. */

export interface RunResult
  extends Pick<Description, 'observations'>, Partial<Pick<Description, 'visits' | 'timeLines'>> {
  readonly results: readonly CheckResult[]
  /** When each scenario ran, once for each value of a property. */
  readonly spans?: readonly ScenarioSpan[]
}

export interface RunHooks {
  readonly onResult: (result: CheckResult, drawings?: Pick<RunResult, 'visits' | 'timeLines'>) => void
  /** Judges what holds in the whole run, when all scenarios have ended. */
  readonly judgeRun?: (results: readonly CheckResult[]) => readonly CheckResult[]
  /** A fault of the suite that no check reports. */
  readonly onFault: (sentence: string) => void
  /** Nothing more can be written: the run has to end. */
  readonly onDiskFull: (because: string) => void
  /** Called when a scenario starts to wait, and when it continues. */
  readonly onWait?: Announce
  /** Ends the run early; the result contains the checks that were judged until then. */
  readonly interruption: AbortSignal
}

/** A planned check without a result: a fault of the suite. */
const missingResult = (check: CheckIdentity, because: string): CheckResult => ({
  ...identityOf(check),
  verdict: 'harness-error',
  because,
  durationMs: 0,
  exchanges: [],
})

interface Fault extends Pick<SerializedError, 'message'> {
  readonly stack?: string | undefined
  readonly cause?: unknown
}

const isFault = (reason: unknown): reason is Fault =>
  typeof reason === 'object' && reason !== null && 'message' in reason

const NO_RESULT = 'the run ended without a result of this check'

/** The innermost cause is the most specific one. */
const innermostCause = (fault: Fault): Fault => (isFault(fault.cause) ? innermostCause(fault.cause) : fault)

/** The plan, and what redacts the text of an error. */
type Known = Pick<RunInput, 'plan' | 'secrets' | 'profile'>

const renderCause = (error: Fault | undefined, { secrets, profile }: Known): string | undefined => {
  if (error === undefined) return undefined
  const { stack, message } = innermostCause(error)
  return createRedactor(secrets, profile).sentence(stack ?? message)
}

/** The name of a test begins with the id of its check. */
const idOf = ({ name }: TestCase): string => name.split(' ', 1)[0] ?? ''

export const resultOf = (test: TestCase, known: Known): CheckResult => {
  const { result } = test.meta()
  if (result !== undefined) return result
  const id = idOf(test)
  const planned = known.plan.checks.find((check) => check.id === id)
  const because = renderCause(test.result().errors?.[0], known) ?? 'the check ended without a result'
  return missingResult(planned ?? { id, requirement: id, title: test.name }, because)
}

/** Collects results from vitest, and reports checks without a result. */
const createCollector = (
  known: Known,
  { onResult, onFault, onDiskFull, judgeRun = (results) => results, interruption }: RunHooks,
) => {
  const results: CheckResult[] = []
  const observations: Observation[] = []
  const visits: KeptVisits[] = []
  const timeLines: KeptTimeLine[] = []
  const spans: ScenarioSpan[] = []
  const errors: Fault[] = []
  const planned = new Map(running(known.plan).map((check) => [check.id, check]))
  /** What is known only when all scenarios have ended. */
  const pending: CheckResult[] = []
  const add = (...[result, drawings]: Parameters<RunHooks['onResult']>): void => {
    results.push(result)
    onResult(result, drawings)
  }
  const recordError = (reason: unknown): void => {
    const diskFull = diskFullReason(reason)
    if (diskFull !== undefined) return onDiskFull(diskFull)
    const fault = isFault(reason) ? reason : { message: String(reason) }
    errors.push(fault)
  }
  const judgePending = (): void => {
    const judged = pending.length === 0 ? results : judgeRun([...results, ...pending.splice(0)])
    for (const result of judged.slice(results.length)) add(result)
  }
  const reporter: Reporter = {
    onTestCaseResult(test) {
      const check = planned.get(idOf(test))
      if (check === undefined) return
      const wasCancelled = interruption.aborted && test.meta().result === undefined
      if (wasCancelled) return
      const meta = test.meta()
      observations.push(...(meta.observations ?? []))
      visits.push(...(meta.visits ?? []))
      timeLines.push(...(meta.timeLines ?? []))
      spans.push(...(meta.spans ?? []))
      if (check.judgesRun === true) pending.push(resultOf(test, known))
      else add(resultOf(test, known), meta)
    },
    onTestModuleEnd: (module) => module.errors().forEach(recordError),
    onTestRunEnd(_, unhandled) {
      unhandled.forEach(recordError)
      judgePending()
    },
  }
  const complete = (): RunResult => {
    judgePending()
    const reported = new Set(results.map(({ id }) => id))
    const result = { results, observations, visits, timeLines, spans }
    if (interruption.aborted) return result
    const [because = NO_RESULT] = errors.flatMap((error) => renderCause(error, known) ?? [])
    for (const check of running(known.plan)) if (!reported.has(check.id)) add(missingResult(check, because))
    const causes = new Set(errors.map((error) => renderCause(error, known) ?? 'without a message'))
    for (const cause of causes) onFault(`A fault of the suite: ${cause}`)
    return result
  }
  return { reporter, rejected: recordError, complete }
}

const PROCESS_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'unhandledRejection'] as const

const listenersOf = (event: (typeof PROCESS_EVENTS)[number]) => process.listeners(event as 'SIGINT')

/**
 * Vitest and vite end the process on a signal, before any report is written, and after an unhandled rejection with exit
 * code 1, which would mean that the target does not conform. Only the command ends the process.
 */
const withoutProcessListeners = async <T>(create: () => Promise<T>): Promise<T> => {
  const known = new Map(PROCESS_EVENTS.map((event) => [event, new Set(listenersOf(event))]))
  const created = await create()
  for (const [event, present] of known)
    for (const listener of listenersOf(event)) if (!present.has(listener)) process.off(event, listener)
  return created
}

export type RunChecks = (
  runInput: RunInput,
  hooks: RunHooks,
  reporters?: readonly Reporter[],
) => Promise<RunResult>

/** Runs the checks of a plan. @param reporters further reporters of vitest. */
export const runPlan: RunChecks = async (runInput, hooks, reporters = []) => {
  const { interruption } = hooks
  const collector = createCollector(runInput, hooks)
  if (specFilesOf(runInput.plan).length === 0) return collector.complete()

  const vitest = await withoutProcessListeners(() =>
    startVitest(runInput, [collector.reporter, ...reporters]),
  )
  const stopListening = hooks.onWait && onWaits(hooks.onWait)
  const cancel = (): void => {
    interruptThreads()
    void vitest.cancelCurrentRun('keyboard-input').catch(() => undefined)
  }
  interruption.addEventListener('abort', cancel, { once: true })
  process.on('unhandledRejection', collector.rejected)
  const started = interruption.aborted ? undefined : vitest.start().catch(collector.rejected)
  const closed = Promise.resolve(started).then(() => vitest.close())
  await withGracePeriod(closed, interruption, GRACE_MS)
  process.off('unhandledRejection', collector.rejected)
  stopListening?.()
  interruption.removeEventListener('abort', cancel)
  return collector.complete()
}

/** For a shared target all spec files are one test file, in one thread. */
const WHOLE_PLAN = 'harness/engine/whole-plan.spec.ts'

const startVitest = (runInput: RunInput, reporters: Reporter[]): Promise<Vitest> => {
  const { plan, baseUrl, budget, ownChecks } = runInput
  const files =
    baseUrl === undefined
      ? specFilesOf(plan).map((file) => specPath(file, ownChecks))
      : [moduleOf(WHOLE_PLAN)]
  // One thread must count all requests of a budget.
  const inOneThread = baseUrl !== undefined || budget !== undefined
  return createVitest('test', {
    ...conformanceOptions,
    root: ROOT,
    config: false,
    watch: false,
    allowOnly: false,
    include: [...files],
    provide: { run: runInput },
    reporters,
    maxWorkers: inOneThread ? 1 : Math.min(availableParallelism(), files.length),
    teardownTimeout: CLOSING_MS,
    passWithNoTests: true,
    // The installed package may be read-only.
    cache: false,
  })
}

/** How long restoring the target may take after an interruption, in ms. */
const GRACE_MS = CLEAN_UP_MS + 500

/**
 * When vitest reports that a thread has not ended, in ms. Its reporters wait for the disk when all tests have ended, and
 * meanwhile no answer of a thread is read. Vitest itself gives up after this time.
 */
const CLOSING_MS = 60_000
