import { afterAll, test } from 'vitest'
import { renderViolation } from '../check/violation.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { openLog } from '../resume/open-log.ts'
import { judgeCheck, observationsOf, timeLinesOf, visitsOf } from './judge.ts'
import { handedOut } from './certification.ts'
import { openStage } from './stage.ts'
import { openCourse } from './course.ts'
import { EVERY_SHELF, running, specFileOf } from './spec-files.ts'
import type { TaskMeta } from 'vitest'
import type { Check } from '../check/check.ts'
import type { CheckResult, KeptTimeLine, KeptVisits, Observation } from '../check/result.ts'
import type { Stage } from './stage.ts'
import type { Performer } from './perform.ts'
import type { PlannedCheck } from '../plan/plan.ts'

/** Loaded once in a thread: states the checks of spec files as tests, those that are planned. */

declare module 'vitest' {
  interface TaskMeta {
    result?: CheckResult
    observations?: readonly Observation[]
    visits?: readonly KeptVisits[]
    timeLines?: readonly KeptTimeLine[]
  }
}

const given = handedOut()
/**
 * One for all spec files of this worker: a target that went silent in one is not waited for in the next, and a grant
 * of one serves the others.
 */
const course = openCourse(given)
const opened = openLog(given.log)
const { log } = opened
let current: { readonly specFile: string; readonly stage: Stage } | undefined

/** Where each scenario has a bank of its own, a spec file has a stage of its own; a target is shared by all of them. */
const stageOf = (specFile: string): Stage => {
  if (current !== undefined && (given.baseUrl !== undefined || current.specFile === specFile))
    return current.stage
  const stage = openStage(given, course, log)
  current = { specFile, stage }
  afterAll(async () => {
    await stage.close()
    if (given.baseUrl !== undefined) opened.close()
  })
  return stage
}

const described = new Set<string>()

/** What the first of a scenario's checks tells for all of them. */
type Description = Pick<TaskMeta, 'observations' | 'visits' | 'timeLines'>

const describeOnce = async (
  planned: PlannedCheck,
  { scenario }: Check,
  perform: Performer,
): Promise<Description> => {
  if (described.has(planned.scenario)) return {}
  described.add(planned.scenario)
  const performance = perform(planned, scenario)
  return {
    observations: await observationsOf(scenario, performance),
    visits: await visitsOf(planned, scenario, performance),
    timeLines: await timeLinesOf(planned, scenario, performance),
  }
}

/** All that a check finds, kept as far as nobody who goes on with the run could find anything else. */
const find = async (check: Check, planned: PlannedCheck, { perform }: Stage): Promise<TaskMeta> => {
  const performance = perform(planned, check.scenario)
  const result = await judgeCheck(planned, check, performance, given.plan)
  const meta: TaskMeta = { result, ...(await describeOnce(planned, check, perform)) }
  if (result.until !== undefined) log.waits(planned.id, result.until)
  else if (!performance.isOpen) log.keep(planned.id, meta)
  return meta
}

const found = (planned: PlannedCheck): TaskMeta | undefined => {
  const meta = log.found(planned.id)
  if (meta?.observations !== undefined) described.add(planned.scenario)
  return meta
}

const state = (check: Check, planned: PlannedCheck, stage: Stage): void => {
  const known = found(planned)
  test.concurrent(`${planned.id} ${planned.title}`, async ({ task, skip }) => {
    Object.assign(task.meta, known ?? (await find(check, planned, stage)))
    const { result } = task.meta
    if (result === undefined) return
    if (result.verdict === 'fail' && result.violation) throw new Error(renderViolation(result.violation))
    if (result.verdict === 'harness-error') throw new Error(result.because)
    if (result.verdict === 'inconclusive' || result.verdict === 'not-reached') skip(result.because)
  })
}

const { checks } = await loadCatalogue()
const known = new Map(checks.map(({ key, check }) => [key, check]))

/** Ends what is under way: nothing more is sent but what puts something back. */
export const interruptChecks = (): void => course.interrupt()

/** Called while vitest collects the tests of a file. @param file from the root on. */
export const stateChecksOf = (file: string): void => {
  const stage = stageOf(file)
  for (const planned of running(given.plan)) {
    const check = known.get(planned.key)
    if (check !== undefined && (file === EVERY_SHELF || specFileOf(planned) === file))
      state(check, planned, stage)
  }
}
