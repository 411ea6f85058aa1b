import { afterAll, inject, test } from 'vitest'
import { setRegistrar } from '../check/check.ts'
import { renderViolation } from '../check/violation.ts'
import { judgeCheck, observationsOf, visitsOf } from './judge.ts'
import { openStage } from './stage.ts'
import { openCourse } from './course.ts'
import type { Check } from '../check/check.ts'
import type { CheckResult, Observation, Visits } from '../check/result.ts'
import type { Stage } from './stage.ts'
import type { Performer } from './perform.ts'
import type { PlannedCheck } from '../plan/plan.ts'

/** Loaded once in a worker, before its spec files: from here on `check(…)` states a test for each planned check. */

declare module 'vitest' {
  interface TaskMeta {
    result?: CheckResult
    observations?: readonly Observation[]
    visits?: readonly Visits[]
  }
}

const given = inject('certification')
/**
 * One for all spec files of this worker: a target that went silent in one is not waited for in the next, and a grant
 * of one serves the others.
 */
const course = openCourse(given)
let current: { readonly specFile: string; readonly stage: Stage } | undefined

/** A spec file has a stage of its own, opened by its first check and closed behind its last. */
const stageOf = (specFile: string): Stage => {
  if (current?.specFile === specFile) return current.stage
  const stage = openStage(given, course)
  current = { specFile, stage }
  afterAll(() => stage.close())
  return stage
}

const ordinals = new Map<string, number>()
const described = new Set<string>()

const keyOf = (specFile: string): string => {
  const ordinal = (ordinals.get(specFile) ?? 0) + 1
  ordinals.set(specFile, ordinal)
  return `${specFile}#${ordinal}`
}

const describeOnce = async (
  planned: PlannedCheck,
  { scenario }: Check,
  perform: Performer,
): Promise<{ readonly observations: readonly Observation[]; readonly visits: readonly Visits[] }> => {
  if (described.has(planned.scenario)) return { observations: [], visits: [] }
  described.add(planned.scenario)
  const performance = perform(planned, scenario)
  return {
    observations: await observationsOf(scenario, performance),
    visits: await visitsOf(scenario, performance),
  }
}

const state = (check: Check, planned: PlannedCheck, { perform }: Stage): void => {
  test.concurrent(`${planned.id} ${planned.title}`, async ({ task, skip, signal }) => {
    // Vitest gives the test up at an interruption; its requests have to end as well.
    signal.addEventListener('abort', () => course.interrupt(), { once: true })
    const result = await judgeCheck(planned, check, perform(planned, check.scenario), given.plan)
    task.meta.result = result
    Object.assign(task.meta, await describeOnce(planned, check, perform))
    if (result.verdict === 'fail' && result.violation) throw new Error(renderViolation(result.violation))
    if (result.verdict === 'harness-error') throw new Error(result.because)
    if (result.verdict === 'inconclusive' || result.verdict === 'not-reached') skip(result.because)
  })
}

setRegistrar((check) => {
  const specFile = check.file.replace(/:\d+$/, '')
  const stage = stageOf(specFile)
  const key = keyOf(specFile)
  for (const planned of given.plan.checks)
    if (planned.key === key && planned.heldBack === undefined) state(check, planned, stage)
})
