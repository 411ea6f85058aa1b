import { pathToFileURL } from 'node:url'
import { inject, test, type TaskMeta } from 'vitest'
import { collectChecks } from '../check/check.ts'
import { renderViolation } from '../check/verdict.ts'
import { createKeys, isStated, type StatedCheck } from '../plan/catalogue.ts'
import { groupBy } from '../plan/lists.ts'
import { importOwn, specFileOf, specPath } from '../plan/own-checks.ts'
import { moduleOf } from '../plan/root.ts'
import { openLog } from './resume/log-file.ts'
import { onInterruption } from './channels.ts'
import { describeScenario, judgeCheck } from './judge.ts'
import { openScenarioRunner, type OpenScenarioRunner } from './open-scenario-runner.ts'
import { openRunLimits } from './run-limits.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { ProfileMismatch } from '../profile/mismatch/mismatch.ts'
import type { ScenarioRun } from './run-scenario.ts'

/** Registers the planned checks of spec files as vitest tests. Loaded once in each thread. */

const input = inject('run')
const isBuilt = import.meta.url.endsWith('.js')
// Vitest shows the places of what it has translated. If there is nothing such, Node shows them by the source maps in `dist`.
if (isBuilt && input.ownChecks === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace')
/** For all spec files of this thread: a target that stops answering in one is not tried again in the next. */
const limits = openRunLimits(input)
const opened = openLog(input.log)
const { log } = opened
onInterruption(() => limits.interrupt())

const plannedByKey = groupBy(input.plan.checks, ({ key }) => key)

const catalogued = input.catalogued && new Set(input.catalogued)

const described = new Set<string>()

/** The first check of a scenario reports what the reports show of it. */
const describeOnce = async (
  { scenario: id }: PlannedCheck,
  { scenario }: StatedCheck,
  run: ScenarioRun,
): Promise<TaskMeta> => {
  if (described.has(id)) return {}
  described.add(id)
  return { ...(await describeScenario(id, scenario, run)), spans: run.spans }
}

/** What one check of a scenario shows. Stores that it was judged; a final result goes to the resume log. */
const judged = async (
  check: StatedCheck,
  planned: PlannedCheck,
  run: ScenarioRun,
  { records, startedAt }: Pick<OpenScenarioRunner, 'records'> & { readonly startedAt: number },
): Promise<TaskMeta> => {
  const { id, scenario } = planned
  let mismatches: readonly ProfileMismatch[] = []
  const result = await judgeCheck(
    planned,
    check,
    run,
    input.plan,
    (violated) => (mismatches = run.explain(violated)),
  )
  const waits = result.until !== undefined
  records.write({
    kind: 'check',
    id,
    scenario,
    ...(mismatches.length > 0 && { mismatches }),
    ...((waits || run.isOpen) && { open: true }),
  })
  const durationMs = performance.now() - startedAt
  const found: TaskMeta = { result: { ...result, durationMs }, ...(await describeOnce(planned, check, run)) }
  if (waits) log.storeWait(id, result.until)
  else if (!run.isOpen) log.storeResult(id, found)
  return found
}

/** The result from an earlier part of a resumed run. */
const foundBefore = (planned: PlannedCheck): TaskMeta | undefined => {
  const meta = log.storedResult(planned.id)
  if (meta?.observations !== undefined) described.add(planned.scenario)
  return meta
}

/** Has vitest run the scenario, and judge it. */
const registerTest = (
  check: StatedCheck,
  planned: PlannedCheck,
  { runScenario, records }: OpenScenarioRunner,
): void => {
  const name = `${planned.id} ${planned.title}`
  const { heldBack } = planned
  if (heldBack?.kind === 'not-selected') return
  // Vitest runs only consecutive concurrent tests together: a test of another kind would be a barrier.
  if (heldBack !== undefined) return test.concurrent(name, ({ skip }) => skip(heldBack.because))
  const known = foundBefore(planned)
  const register = check.isOnly ? test.concurrent.only : test.concurrent
  register(name, async ({ task: { meta }, skip }) => {
    if (known === undefined) {
      const startedAt = performance.now()
      const run = runScenario(planned, check.scenario)
      // A property is run by its judging, value by value.
      if (check.scenario.kind !== 'property') await run.outcome()
      Object.assign(meta, await judged(check, planned, run, { records, startedAt }))
    } else Object.assign(meta, known)
    const { result } = meta
    if (result === undefined) return
    if (result.verdict === 'fail' && result.violation) {
      if (input.reproduceBase === undefined) throw new Error(renderViolation(result.violation))
      const { failureOf } = await import('./vitest-failure.ts')
      throw failureOf(check, planned, result, input)
    }
    if (result.verdict === 'harness-error') throw new Error(result.because)
    if (result.verdict === 'inconclusive' || result.verdict === 'not-reached') skip(result.because)
  })
}

/** A check that was stated after the plan was made has no id, and its effects were not planned. */
const registerNewCheck = ({ requirement, scenario }: StatedCheck): void =>
  test(`${requirement.id} ${requirement.claim}: ${scenario.title}`, () => {
    throw new Error('restart vitest: this check is new, and checks are planned when vitest starts')
  })

let runner: OpenScenarioRunner | undefined

/** From now on, checks belong to this spec file, such as `specs/tokens/issuing.spec.ts`. */
const registerChecksOf = (specFile: string): void => {
  const keyOf = createKeys(specFile)
  collectChecks((check) => {
    if (runner === undefined || !isStated(check))
      throw new Error(`${specFile} registers a check while another file is loaded`)
    const key = keyOf(check)
    if (catalogued?.has(key) === false) return registerNewCheck(check)
    for (const planned of plannedByKey.get(key) ?? []) registerTest(check, planned, runner)
  })
}

/**
 * Opens what the scenarios of a test file need: the target, the sink of its webhooks, the journal.
 * @param testPath absolute. @returns what closes all of that when its tests have ended.
 */
export const openTestFile = (testPath: string): (() => Promise<void>) => {
  const ownRunner = openScenarioRunner(input, limits, log)
  runner = ownRunner
  registerChecksOf(specFileOf(testPath, input.ownChecks))
  return async () => {
    await ownRunner.close()
    if (input.baseUrl !== undefined) opened.close()
  }
}

/** Loads a further spec file into the test file that is open. @param specFile relative to the root. */
export const loadSpecFile = async (specFile: string): Promise<void> => {
  registerChecksOf(specFile)
  const path = specPath(specFile, input.ownChecks)
  await (path === moduleOf(specFile) ? import(/* @vite-ignore */ pathToFileURL(path).href) : importOwn(path))
}
