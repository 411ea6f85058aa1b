import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { targetOf } from '../../engine/vitest-options.ts'
import { resultOf } from '../../engine/run-plan.ts'
import { makeFolder } from '../../evidence/make-folder.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { ROOT } from '../../plan/root.ts'
import { createAllureReporter, openAllureResults, type AllureResults } from '../../report/allure/results.ts'
import { STEPS } from '../../engine/run.ts'
import { judgeRun } from '../../engine/judge-run.ts'
import { inputOf, runToJudge } from '../../engine/run/act.ts'
import { baseOf } from '../../engine/run/command-line.ts'
import { allureRunOf } from '../../engine/run/folder.ts'
import { reportOf } from '../../engine/run/report.ts'
import { evidenceOf, type PreparedRun } from '../../engine/run/prepare.ts'
import { failureOf } from '../../engine/vitest-failure.ts'
import { parseRunOptions } from './options.ts'
import type { Reporter, TestProject } from 'vitest/node'
import type { CheckResult } from '../../check/result.ts'
import type { Plan } from '../../plan/plan.ts'

/** The folder of the evidence and the Allure results when vitest runs the spec files itself; there are no other reports. */
const OUT = join(ROOT, 'reports', 'vitest')

let planned:
  | { readonly prepared: PreparedRun; readonly reproduceBase: string; readonly allure: AllureResults }
  | undefined

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
  const prepared = await STEPS.prepare(options, argv, process.env)
  makeFolder(OUT)
  rmSync(evidenceOf(prepared), { force: true })
  const catalogued = prepared.catalogue.checks.map(({ key }) => key)
  const reproduceBase = baseOf(argv)
  planned = { prepared, reproduceBase, allure: openAllureResults(allureRunOf(prepared)) }
  project.provide('run', {
    ...inputOf(prepared, evidenceOf(prepared)),
    catalogued,
    reproduceBase,
  })
}

/** The part of a plan that vitest ran: a file, or the tests that `-t` selects. */
const partOf = (plan: Plan, ids: Pick<ReadonlyMap<string, unknown>, 'has'>): Plan => {
  const checks = plan.checks.filter(({ id }) => ids.has(id))
  if (checks.length === plan.checks.length) return plan
  const kept = new Set(checks.map(({ requirement }) => requirement))
  const all = new Set([...plan.checks, ...plan.leftOut].map(({ requirement }) => requirement))
  const because = 'vitest did not run it'
  const others = [...all].filter((requirement) => !kept.has(requirement))
  const leftOut = others.map((requirement) => ({ requirement, kind: 'not-selected' as const, because }))
  return { ...plan, checks, leftOut }
}

/** A watched file runs again: the conclusion is that of all tests since the start. */
const complete = ({ allure, prepared }: NonNullable<typeof planned>): void => {
  const plan = partOf(prepared.plan, allure.written)
  const part = { ...prepared, plan }
  const acted = { results: allure.results(), observations: [], created: [] }
  const { strict } = prepared.options
  const judged = STEPS.judge({ ...part, evidence: evidenceOf(prepared) }, acted.results, {
    strict,
    interrupted: false,
    unreachable: false,
  })
  const since = { startedAt: new Date(), resumed: 0 }
  allure.complete(reportOf(part, since, acted, judged), plan)
}

/** A check that judges all answers of the run is no failed test: it is judged when all tests have ended. */
const reportFailure = (
  result: CheckResult,
  { prepared, reproduceBase }: Pick<NonNullable<typeof planned>, 'prepared' | 'reproduceBase'>,
): void => {
  const { plan, catalogue } = prepared
  const check = plan.checks.find(({ id }) => id === result.id)
  const stated = catalogue.checks.find(({ key }) => key === check?.key)?.check
  if (result.verdict !== 'fail' || check?.judgesRun !== true || stated === undefined) return
  const input = { plan, reproduceBase, evidenceFile: evidenceOf(prepared) }
  console.error(`\n${failureOf(stated, check, result, input).message}`)
  process.exitCode = 1
}

/** Writes Allure results as `npm test` does. */
export const createReporters = (): readonly Reporter[] => {
  rmSync(join(OUT, OUTPUT.allureResults), { recursive: true, force: true })
  const collecting: Reporter = {
    onTestCaseResult(test) {
      const meta = test.meta()
      const wasSkipped = test.result().state === 'skipped' && meta.result === undefined
      if (planned === undefined || wasSkipped) return
      const { plan, subject } = planned.prepared
      planned.allure.add(resultOf(test, { ...subject, plan }), meta)
    },
    onTestRunEnd: () => planned && complete(planned),
  }
  const judging: Reporter = {
    onTestRunEnd() {
      if (planned === undefined) return
      const { allure, prepared } = planned
      for (const result of judgeRun(allure.added(), runToJudge(prepared))) {
        allure.add(result)
        reportFailure(result, planned)
      }
    },
  }
  return [judging, createAllureReporter(OUT, (result) => planned?.allure.fill(result)), collecting]
}
