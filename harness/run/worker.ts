import { afterAll, inject, test } from 'vitest'
import { setRegistrar } from '../check/check.ts'
import { renderViolation } from '../check/violation.ts'
import { judgeCheck, observationsOf } from './judge.ts'
import { openStage } from './stage.ts'
import { course } from './worker-course.ts'
import type { Check } from '../check/check.ts'
import type { CheckResult, Observation } from '../check/result.ts'
import type { PlannedCheck } from '../plan/plan.ts'

/** Runs before each spec file in a worker: from here on `check(…)` states a test for each planned check. */

declare module 'vitest' {
  interface TaskMeta {
    result?: CheckResult
    observations?: readonly Observation[]
  }
}

const given = inject('certification')
const stage = openStage(given, course)
afterAll(() => stage.close())

const ordinals = new Map<string, number>()
const described = new Set<string>()

const keyOf = ({ file }: Check): string => {
  const specFile = file.replace(/:\d+$/, '')
  const ordinal = (ordinals.get(specFile) ?? 0) + 1
  ordinals.set(specFile, ordinal)
  return `${specFile}#${ordinal}`
}

const describeOnce = async (planned: PlannedCheck, { scenario }: Check): Promise<readonly Observation[]> => {
  if (scenario.kind === 'property' || described.has(planned.scenario)) return []
  described.add(planned.scenario)
  return observationsOf(scenario, stage.perform(planned, scenario))
}

const state = (check: Check, planned: PlannedCheck): void => {
  test.concurrent(`${planned.id} ${planned.title}`, async ({ task, skip, signal }) => {
    // Vitest gives the test up at an interruption; its requests have to end as well.
    signal.addEventListener('abort', () => course.interrupt(), { once: true })
    const result = await judgeCheck(planned, check, stage.perform(planned, check.scenario), given.plan)
    task.meta.result = result
    task.meta.observations = await describeOnce(planned, check)
    if (result.verdict === 'fail' && result.violation) throw new Error(renderViolation(result.violation))
    if (result.verdict === 'harness-error') throw new Error(result.because)
    if (result.verdict === 'inconclusive' || result.verdict === 'not-reached') skip(result.because)
  })
}

setRegistrar((check) => {
  const key = keyOf(check)
  for (const planned of given.plan.checks)
    if (planned.key === key && planned.heldBack === undefined) state(check, planned)
})
