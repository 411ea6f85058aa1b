import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inject, test } from 'vitest'
import { collectChecks } from '../check/check.ts'
import { renderViolation } from '../check/verdict.ts'
import { isStated, keyOf } from '../plan/catalogue.ts'
import { ROOT } from '../plan/root.ts'
import { openLog } from './resume/open-log.ts'
import { hearInterruption } from './channels.ts'
import { judgeCheck, observationsOf, timeLinesOf, visitsOf } from './judge.ts'
import { openStage } from './stage.ts'
import { openCourse } from './course.ts'
import type { TaskMeta } from 'vitest'
import type { PlannedCheck } from '../plan/plan.ts'
import type { StatedCheck } from '../plan/catalogue.ts'
import type { Stage } from './stage.ts'
import type { Performer } from './perform.ts'

/** Registers the checks of spec files as tests of vitest: those that are planned. Loaded once in a thread. */

const input = inject('run')
/** For all spec files of this thread: a target that went silent in one is not waited for in the next. */
const course = openCourse(input)
const opened = openLog(input.log)
const { log } = opened
hearInterruption(() => course.interrupt())

const plannedByKey = new Map<string, PlannedCheck[]>()
for (const planned of input.plan.checks)
  plannedByKey.set(planned.key, [...(plannedByKey.get(planned.key) ?? []), planned])

const described = new Set<string>()

/** What the report shows of a scenario; the first of its checks brings it. */
type Description = Pick<TaskMeta, 'observations' | 'visits' | 'timeLines'>

const describeOnce = async (
  planned: PlannedCheck,
  { scenario }: StatedCheck,
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

/** Runs the scenario and judges it. What cannot come out differently is kept in the log of a run that may be resumed. */
const judge = async (check: StatedCheck, planned: PlannedCheck, { perform }: Stage): Promise<TaskMeta> => {
  const performance = perform(planned, check.scenario)
  const result = await judgeCheck(planned, check, performance, input.plan)
  const meta: TaskMeta = { result, ...(await describeOnce(planned, check, perform)) }
  if (result.until !== undefined) log.waits(planned.id, result.until)
  else if (!performance.isOpen) log.keep(planned.id, meta)
  return meta
}

/** What an earlier part of a resumed run has found. */
const foundBefore = (planned: PlannedCheck): TaskMeta | undefined => {
  const meta = log.found(planned.id)
  if (meta?.observations !== undefined) described.add(planned.scenario)
  return meta
}

const registerTest = (check: StatedCheck, planned: PlannedCheck, stage: Stage): void => {
  const name = `${planned.id} ${planned.title}`
  const { heldBack } = planned
  if (heldBack !== undefined) return test(name, ({ skip }) => skip(heldBack))
  const known = foundBefore(planned)
  test.concurrent(name, async ({ task, skip }) => {
    Object.assign(task.meta, known ?? (await judge(check, planned, stage)))
    const { result } = task.meta
    if (result === undefined) return
    if (result.verdict === 'fail' && result.violation) throw new Error(renderViolation(result.violation))
    if (result.verdict === 'harness-error') throw new Error(result.because)
    if (result.verdict === 'inconclusive' || result.verdict === 'not-reached') skip(result.because)
  })
}

let stage: Stage | undefined

/** From here on, checks are those of this spec file: `specs/tokens/issuing.spec.ts`. */
const registerChecksOf = (specFile: string): void => {
  let ordinal = 0
  collectChecks((check) => {
    ordinal += 1
    if (stage === undefined || !isStated(check)) throw new Error(`${specFile} states a check out of turn`)
    for (const planned of plannedByKey.get(keyOf(specFile, ordinal)) ?? [])
      registerTest(check, planned, stage)
  })
}

/**
 * Opens what the scenarios of a test file need: the target, the sink of its webhooks, the journal.
 * @param testPath absolute. @returns what closes all of that when its tests have ended.
 */
export const openTestFile = (testPath: string): (() => Promise<void>) => {
  const ownStage = openStage(input, course, log)
  stage = ownStage
  registerChecksOf(relative(ROOT, testPath).replaceAll(sep, '/'))
  return async () => {
    await ownStage.close()
    if (input.baseUrl !== undefined) opened.close()
  }
}

/** Loads a further spec file into the test file that is open. @param specFile relative to the root. */
export const loadSpecFile = async (specFile: string): Promise<void> => {
  registerChecksOf(specFile)
  await import(/* @vite-ignore */ pathToFileURL(join(ROOT, specFile)).href)
}
