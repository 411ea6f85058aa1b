import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { targetOf } from '../../engine/vitest-options.ts'
import { idOf, resultOf } from '../../engine/run-plan.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { ROOT } from '../../plan/root.ts'
import { createAllureReporter, openAllureResults, type AllureResults } from '../../report/allure/results.ts'
import { conclude } from '../../report/conclude.ts'
import { allureRunOf, reportOf, runInputOf } from './run-and-report.ts'
import { parseRunOptions } from './options.ts'
import { evidenceOf, prepareRun, type PreparedRun } from './prepare.ts'
import type { Reporter, TestProject } from 'vitest/node'
import type { CheckResult } from '../../check/result.ts'
import type { LeftOut, Plan } from '../../plan/plan.ts'

/** The folder of the evidence and the Allure results when vitest runs the spec files itself; there are no other reports. */
const OUT = join(ROOT, 'reports', 'vitest')

/** What vitest runs; known when its first test is about to run. */
let planned: { readonly prepared: PreparedRun; readonly allure: AllureResults } | undefined

/**
 * Plans all checks when vitest runs the spec files itself, from an editor or with `npx vitest --project conformance`:
 * against the embedded bank, or against the target of PROFILE and BASE_URL.
 * @throws ConfigurationError if the profile or the base URL is wrong.
 */
export default async (project: TestProject): Promise<void> => {
  const { profile, baseUrl } = targetOf(process.env)
  const argv = [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(baseUrl === undefined ? [] : ['--base-url', baseUrl]),
    ...['--out', OUT],
  ]
  const options = parseRunOptions(argv)
  if (options.kind !== 'run') throw new Error('these options always mean a run')
  const prepared = await prepareRun(options, argv, process.env)
  mkdirSync(OUT, { recursive: true })
  rmSync(evidenceOf(prepared), { force: true })
  const catalogued = prepared.catalogue.checks.map(({ key }) => key)
  planned = { prepared, allure: openAllureResults(allureRunOf(prepared)) }
  project.provide('run', { ...runInputOf(prepared), catalogued })
}

const NOT_SELECTED = { kind: 'not-selected', because: 'vitest did not run it' } as const

/** The part of a plan that vitest ran: a file, or the tests that `-t` selects. */
const partOf = (plan: Plan, ids: ReadonlySet<string>): Plan => {
  const checks = plan.checks.filter(({ id }) => ids.has(id))
  if (checks.length === plan.checks.length) return plan
  const kept = new Set(checks.map(({ requirement }) => requirement))
  const all = new Set([...plan.checks, ...plan.leftOut].map(({ requirement }) => requirement))
  const leftOut = [...all]
    .filter((requirement) => !kept.has(requirement))
    .map((requirement): LeftOut => ({ requirement, ...NOT_SELECTED }))
  return { ...plan, checks, leftOut }
}

const complete = (results: readonly CheckResult[], ids: ReadonlySet<string>, startedAt: Date): void => {
  if (planned === undefined || ids.size === 0) return
  const { allure, prepared } = planned
  const plan = partOf(prepared.plan, ids)
  const levels = new Map(prepared.catalogue.requirements.map(({ id, level }) => [id, level]))
  const flags = { strict: prepared.options.strict, interrupted: false, unreachable: false }
  const concluded = conclude(plan, levels, results, flags)
  const result = { results, observations: [] }
  const part = { ...prepared, plan }
  allure.complete(
    reportOf(part, { startedAt, resumed: 0 }, { ...concluded, result, waivers: [], created: [] }),
    plan,
  )
}

/** Writes Allure results as `npm test` does. */
export const createReporters = (): readonly Reporter[] => {
  rmSync(join(OUT, OUTPUT.allureResults), { recursive: true, force: true })
  let startedAt = new Date()
  const results = new Map<string, CheckResult>()
  const ids = new Set<string>()
  const collecting: Reporter = {
    onTestRunStart() {
      startedAt = new Date()
      results.clear()
      ids.clear()
    },
    onTestCaseResult(test) {
      const check = planned?.prepared.plan.checks.find(({ id }) => id === idOf(test))
      const ended = test.result()
      // A test that `-t` leaves out is skipped too, without a note.
      if (planned === undefined || check === undefined) return
      if (ended.state === 'skipped' && ended.note === undefined) return
      ids.add(check.id)
      if (check.heldBack !== undefined) return
      const result = resultOf(test, planned.prepared.plan)
      results.set(check.id, result)
      planned.allure.add(result, test.meta())
    },
    onTestRunEnd: () => complete([...results.values()], ids, startedAt),
  }
  return [createAllureReporter(OUT, (result) => planned?.allure.fill(result)), collecting]
}
