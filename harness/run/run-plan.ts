import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { ROOT } from '../plan/catalogue.ts'
import type { Reporter, TestCase } from 'vitest/node'
import type { CheckResult, Observation } from '../check/result.ts'
import type { Plan } from '../plan/plan.ts'
import type { Certification } from './certification.ts'

/** The one place that starts vitest: carries out a plan, and collects what its checks found. */

export interface Findings {
  readonly results: readonly CheckResult[]
  readonly observations: readonly Observation[]
}

export interface RunHooks {
  /** Further vitest reporters, such as the one that writes Allure results. */
  readonly reporters: readonly Reporter[]
  readonly onResult: (result: CheckResult) => void
  /** Ends the run early; what was found until then is given back. */
  readonly interruption: AbortSignal
}

/** A test that ended without a result is a fault of ours. */
const resultOf = (test: TestCase, plan: Plan): CheckResult => {
  const { result } = test.meta()
  if (result !== undefined) return result
  const id = test.name.split(' ', 1)[0] ?? ''
  const planned = plan.checks.find((check) => check.id === id)
  const [error] = test.result().errors ?? []
  return {
    id,
    requirement: planned?.requirement ?? id,
    title: planned?.title ?? test.name,
    verdict: 'harness-error',
    because: error?.stack ?? error?.message ?? 'the check ended without a result',
    durationMs: 0,
    exchanges: [],
  }
}

const specFilesOf = (plan: Plan): string[] => [
  ...new Set(
    plan.checks
      .filter(({ heldBack }) => heldBack === undefined)
      .map(({ key }) => join(ROOT, key.replace(/#\d+$/, ''))),
  ),
]

/** Scenarios of a remote target share its connections, its rate and its clock, so one worker does them all. */
const workersFor = ({ baseUrl }: Certification, files: number): number =>
  baseUrl === undefined ? Math.max(1, Math.min(availableParallelism(), files)) : 1

export const runPlan = async (
  certification: Certification,
  { reporters, onResult, interruption }: RunHooks,
): Promise<Findings> => {
  const { plan } = certification
  const results: CheckResult[] = []
  const observations: Observation[] = []
  const files = specFilesOf(plan)
  if (files.length === 0) return { results, observations }

  const collector: Reporter = {
    onTestCaseResult(test) {
      const wasCancelled = interruption.aborted && test.meta().result === undefined
      if (wasCancelled) return
      const result = resultOf(test, plan)
      results.push(result)
      observations.push(...(test.meta().observations ?? []))
      onResult(result)
    },
  }
  const vitest = await createVitest(
    'test',
    {
      root: ROOT,
      config: false,
      run: true,
      watch: false,
      include: ['specs/*/*.spec.ts'],
      setupFiles: [join(ROOT, 'harness/run/worker.ts')],
      reporters: [collector, ...reporters],
      pool: 'threads',
      isolate: false,
      maxWorkers: workersFor(certification, files.length),
      maxConcurrency: EVERY_CHECK_AT_ONCE,
      testTimeout: 0,
      hookTimeout: 0,
      teardownTimeout: GRACE_MS,
      passWithNoTests: true,
      provide: { certification },
    },
    { cacheDir: join(ROOT, 'node_modules/.vite') },
  )
  await untilInterrupted(vitest.start(files), interruption, () => vitest.cancelCurrentRun('keyboard-input'))
  await untilInterrupted(vitest.close(), interruption)
  return { results, observations }
}

/** Checks wait for their scenario; how many scenarios are under way is for the performer to say. */
const EVERY_CHECK_AT_ONCE = 10_000

/** How long what is under way may still take after an interruption. */
const GRACE_MS = 2_000

/** Waits for the work; once interrupted, no longer than the grace. */
const untilInterrupted = async (
  work: Promise<unknown>,
  interruption: AbortSignal,
  cancel: () => unknown = () => undefined,
): Promise<void> => {
  const interrupted = new Promise<void>((resolve) => {
    const stop = (): void => {
      cancel()
      setTimeout(resolve, GRACE_MS).unref()
    }
    if (interruption.aborted) stop()
    else interruption.addEventListener('abort', stop, { once: true })
  })
  await Promise.race([work, interrupted])
}
