import { join, relative } from 'node:path'
import { createVitest } from 'vitest/node'
import { moduleFile, ROOT } from '../modules.ts'
import { leadToSources } from '../sources.mjs'
import { unkeptBecause } from '../evidence/unkept.ts'
import { hearOn } from './announcement.ts'
import { EVERY_SHELF, running, specFilesOf } from './spec-files.ts'
import { graced, LEAVING_MS } from './interruption.ts'
import type { Reporter, SerializedError, TestCase, Vitest } from 'vitest/node'
import type { CheckResult, KeptTimeLine, KeptVisits, Observation } from '../check/result.ts'
import type { Plan } from '../plan/plan.ts'
import type { Announce } from './announcement.ts'
import type { Certification } from './certification.ts'
import type { Threads } from './threads.ts'

/** The one place that starts vitest: carries out a plan, and collects what its checks found. */

export interface Findings {
  readonly results: readonly CheckResult[]
  readonly observations: readonly Observation[]
  readonly visits?: readonly KeptVisits[]
  readonly timeLines?: readonly KeptTimeLine[]
}

export interface RunHooks {
  readonly onResult: (result: CheckResult) => void
  /** A fault of the suite that no check shows. */
  readonly onFault: (sentence: string) => void
  /** Nothing more can be written, so that the run is to end. */
  readonly onUnkept: (because: string) => void
  /** What the run waits for, where somebody wants to know. */
  readonly onWait?: Announce
  /** Ends the run early; what was found until then is given back. */
  readonly interruption: AbortSignal
}

type Named = Pick<CheckResult, 'id' | 'requirement' | 'title'>

/** A check that was to run and gave no result: a fault of ours. */
const lost = ({ id, requirement, title }: Named, because: string): CheckResult => ({
  ...{ id, requirement, title, verdict: 'harness-error', because },
  durationMs: 0,
  exchanges: [],
})

interface Fault extends Pick<SerializedError, 'message'> {
  readonly stack?: string | undefined
  readonly cause?: unknown
}

const isFault = (reason: unknown): reason is Fault =>
  typeof reason === 'object' && reason !== null && 'message' in reason

/** Of a thread the test runner tells that it has ended, and not of what. */
const isOfPool = ({ message }: Fault): boolean => message.startsWith('[vitest-pool]')

/** The innermost of what is said around one another says the most. */
const rootOf = (fault: Fault): Fault => (isFault(fault.cause) ? rootOf(fault.cause) : fault)

const causeOf = (error: Fault | undefined): string | undefined => {
  if (error === undefined) return undefined
  const { stack, message } = rootOf(error)
  return stack === undefined ? message : leadToSources(stack)
}

const resultOf = (test: TestCase, plan: Plan): CheckResult => {
  const { result } = test.meta()
  if (result !== undefined) return result
  const id = test.name.split(' ', 1)[0] ?? ''
  const planned = plan.checks.find((check) => check.id === id)
  const because = causeOf(test.result().errors?.[0]) ?? 'the check ended without a result'
  return lost(planned ?? { id, requirement: id, title: test.name }, because)
}

/** Listens to what vitest tells, and makes sure in the end that every check has its result. */
const createCollector = (
  plan: Plan,
  threads: Threads,
  { onResult, onFault, onUnkept, interruption }: RunHooks,
) => {
  const results: CheckResult[] = []
  const observations: Observation[] = []
  const visits: KeptVisits[] = []
  const timeLines: KeptTimeLine[] = []
  const errors: Fault[] = []
  const add = (result: CheckResult): void => {
    results.push(result)
    onResult(result)
  }
  const rejected = (reason: unknown): void => {
    const unkept = unkeptBecause(reason)
    if (unkept !== undefined) return onUnkept(unkept)
    const fault = isFault(reason) ? reason : { message: String(reason) }
    errors.push((isOfPool(fault) && threads.fault()) || fault)
  }
  const reporter: Reporter = {
    onTestCaseResult(test) {
      const wasCancelled = interruption.aborted && test.meta().result === undefined
      if (wasCancelled) return
      observations.push(...(test.meta().observations ?? []))
      visits.push(...(test.meta().visits ?? []))
      timeLines.push(...(test.meta().timeLines ?? []))
      add(resultOf(test, plan))
    },
    onTestModuleEnd: (module) => module.errors().forEach(rejected),
    onTestRunEnd: (_, unhandled) => unhandled.forEach(rejected),
  }
  const complete = (): Findings => {
    const reported = new Set(results.map(({ id }) => id))
    const findings = { results, observations, visits, timeLines }
    if (interruption.aborted) return findings
    const [because = 'the run ended without a result of this check'] = errors.flatMap(
      (error) => causeOf(error) ?? [],
    )
    for (const check of running(plan)) if (!reported.has(check.id)) add(lost(check, because))
    const causes = new Set(errors.map((error) => causeOf(error) ?? 'without a message'))
    for (const cause of causes) onFault(`A fault of the suite: ${cause}`)
    return findings
  }
  return { reporter, rejected, complete }
}

const ENDINGS = ['SIGINT', 'SIGTERM', 'unhandledRejection'] as const

const listenersOf = (event: (typeof ENDINGS)[number]) => process.listeners(event as 'SIGINT')

/**
 * Vitest and vite end the process at a signal, before any report is written, and at a stray rejection with the exit
 * code of a target that does not conform. When and how the process ends is for the command to say.
 */
const withoutEndings = async <T>(create: () => Promise<T>): Promise<T> => {
  const known = new Map(ENDINGS.map((event) => [event, new Set(listenersOf(event))]))
  const created = await create()
  for (const [event, ours] of known)
    for (const listener of listenersOf(event)) if (!ours.has(listener)) process.off(event, listener)
  return created
}

export const runPlan = async (
  certification: Certification,
  threads: Threads,
  hooks: RunHooks,
  reporters: readonly Reporter[] = [],
): Promise<Findings> => {
  const { plan, baseUrl } = certification
  const { interruption } = hooks
  const collector = createCollector(plan, threads, hooks)
  const stating = specFilesOf(plan)
  if (stating.length === 0) return collector.complete()
  const files = (baseUrl === undefined ? stating : [EVERY_SHELF]).map((file) => join(ROOT, file))

  const vitest = await withoutEndings(() => startEngine(threads, files, [collector.reporter, ...reporters]))
  const { announceOn } = certification
  const stopHearing = announceOn && hooks.onWait && hearOn(announceOn, hooks.onWait)
  const cancel = (): void => void vitest.cancelCurrentRun('keyboard-input').catch(() => undefined)
  interruption.addEventListener('abort', cancel, { once: true })
  process.on('unhandledRejection', collector.rejected)
  const run = async (): Promise<void> => {
    if (!interruption.aborted) await vitest.start(files)
    await vitest.close()
  }
  await graced(run(), interruption, GRACE_MS)
  process.off('unhandledRejection', collector.rejected)
  if (stopHearing) stopHearing()
  interruption.removeEventListener('abort', cancel)
  return collector.complete()
}

const startEngine = (threads: Threads, files: readonly string[], reporters: Reporter[]): Promise<Vitest> =>
  createVitest(
    'test',
    {
      root: ROOT,
      config: false,
      run: true,
      watch: false,
      // By name: a pattern would have every file of the project looked at, and of its packages.
      include: files.map((file) => relative(ROOT, file)),
      exclude: [],
      runner: moduleFile(join(ROOT, 'harness/run/check-runner.ts')),
      reporters,
      pool: threads.runner,
      isolate: false,
      maxWorkers: threads.size,
      maxConcurrency: EVERY_CHECK_AT_ONCE,
      testTimeout: 0,
      hookTimeout: 0,
      teardownTimeout: GRACE_MS,
      passWithNoTests: true,
    },
    { cacheDir: join(ROOT, 'node_modules/.vite') },
  )

/** Checks wait for their scenario; how many scenarios are under way is for the performer to say. */
const EVERY_CHECK_AT_ONCE = 10_000

/** How long what is under way may still take after an interruption: what is put back needs no longer than that. */
const GRACE_MS = LEAVING_MS + 500
