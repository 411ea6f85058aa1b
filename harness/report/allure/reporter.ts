import { join, relative } from 'node:path'
import AllureVitestReporter from 'allure-vitest/reporter'
import { reportCheck, reproduceCommand } from '../assemble.ts'
import { OUTPUT } from '../output.ts'
import { renderFailure } from '../terminal/failure.ts'
import { categoryDefinitions } from './categories.ts'
import { createEvidenceReader } from './evidence-reader.ts'
import { createResultWriter } from './result-writer.ts'
import type { RunnerTestCase } from 'vitest'
import type { Reporter, TestCase, Vitest } from 'vitest/node'
import type { CheckResult } from '../../check/result.ts'
import type { Plan, PlannedCheck } from '../../plan/plan.ts'
import type { CatalogueRow } from '../assemble.ts'
import type { CheckReport, Report } from '../schema.ts'
import type { EvidenceLookup } from '../terminal/failure.ts'
import type { CheckCase } from './check-case.ts'

export interface AllureRun {
  readonly outDir: string
  readonly suite: Report['suite']
  readonly target: Report['target']
  readonly plan: Plan
  readonly catalogue: readonly CatalogueRow[]
  readonly reproduceBase?: string
}

const environmentOf = ({ suite, target, plan }: AllureRun): Record<string, string> => ({
  Target: target.name,
  'Base URL': target.baseUrl,
  Environment: target.environment,
  Clock: target.clock,
  Seed: String(plan.seed),
  Suite: `${suite.name} ${suite.version}`,
  Catalogue: suite.catalogueDigest,
  Profile: target.profileDigest,
  Node: process.version,
})

const isCheckResult = (value: unknown): value is CheckResult =>
  typeof value === 'object' && value !== null && 'id' in value && 'verdict' in value && 'exchanges' in value

/** The task behind a test, which vitest keeps from its declarations and allure-vitest works on. */
const taskOf = (testCase: TestCase): RunnerTestCase =>
  (testCase as unknown as { readonly task: RunnerTestCase }).task

/** What is shown with a check as a drawing. */
type Drawn = Pick<CheckCase, 'visits' | 'timeLines'>

const drawnIn = (testCase: TestCase): Drawn => {
  const { visits = [], timeLines = [] } = testCase.meta()
  return { visits, timeLines }
}

/** vitest without its projects. */
const alone = (vitest: Vitest): Vitest => Object.create(vitest, { projects: { value: [] } }) as Vitest

/** A directory of the project by its short name. */
const shownAs = (directory: string): string => {
  const path = relative(process.cwd(), directory)
  return path.startsWith('..') ? directory : path
}

/**
 * The Allure results of a certification run: one for each planned check, written when its test ends, so that a
 * killed run keeps them. A test that is no check is reported as allure-vitest does.
 */
export class AllureReporter extends AllureVitestReporter implements Reporter {
  readonly #run: AllureRun
  readonly #rows: ReadonlyMap<string, CatalogueRow>
  readonly #checks: ReadonlyMap<string, PlannedCheck>
  readonly #written = new Set<string>()
  readonly #evidence: EvidenceLookup
  readonly #write: (one: CheckCase) => void

  constructor(run: AllureRun) {
    const resultsDir = join(run.outDir, OUTPUT.allureResults)
    super({ resultsDir, environmentInfo: environmentOf(run), categories: categoryDefinitions() })
    this.#run = run
    this.#rows = new Map(run.catalogue.map((row) => [row.id, row]))
    this.#checks = new Map(run.plan.checks.map((check) => [check.id, check]))
    this.#evidence = createEvidenceReader(join(run.outDir, OUTPUT.evidence))
    this.#write = createResultWriter(resultsDir, this.#evidence)
  }

  /** Hides the projects: else a setup file in every worker would copy each asserted value into the results. */
  override onInit(vitest: Vitest): void {
    super.onInit(alone(vitest))
    const { plan } = this.#run
    // Of what the plan leaves out, the chapters that this run looks at: `--only` asks for one page, not for the rest.
    const chapters = new Set(plan.checks.map(({ chapter }) => chapter))
    const judged = new Set(plan.checks.map(({ requirement }) => requirement))
    for (const { requirement, because } of plan.leftOut) {
      const row = this.#rows.get(requirement)
      if (row !== undefined && chapters.has(row.chapter) && !judged.has(requirement))
        this.#writeLeftOut(row, because)
    }
    for (const check of plan.checks) if (check.heldBack !== undefined) this.#writeCheck(check, [])
  }

  onTestCaseResult(testCase: TestCase): void {
    const { result } = testCase.meta() as { readonly result?: unknown }
    const found = isCheckResult(result) ? result : this.#crashOf(testCase)
    const check = this.#checks.get(found?.id ?? '')
    if (found !== undefined && check !== undefined)
      this.#writeCheck(check, [found], testCase.diagnostic()?.startTime, drawnIn(testCase))
    else if (testCase.result().state === 'failed') this.handleTask(taskOf(testCase))
  }

  /** Everything that ran is written by now; what was planned and did not run is not passed over. */
  override onTestRunEnd(): void {
    for (const check of this.#run.plan.checks) this.#writeCheck(check, [])
  }

  /** A test that broke before it had a result; its name begins with the id of its check. */
  #crashOf(testCase: TestCase): CheckResult | undefined {
    const check = this.#checks.get(testCase.name.split(' ', 1)[0] ?? '')
    const [error] = testCase.result().errors ?? []
    if (check === undefined || error === undefined) return undefined
    const { id, requirement, title } = check
    return {
      id,
      requirement,
      title,
      verdict: 'harness-error',
      because: error.message,
      durationMs: 0,
      exchanges: [],
    }
  }

  #writeCheck(
    check: PlannedCheck,
    results: readonly CheckResult[],
    startedAt = Date.now(),
    drawn: Drawn = {},
  ): void {
    const row = this.#rows.get(check.requirement)
    if (row === undefined || this.#written.has(check.id)) return
    this.#written.add(check.id)
    const reproduce = reproduceCommand(row.id, this.#run.plan.seed, this.#run.reproduceBase)
    const report = reportCheck(check, results, { level: row.level, reproduce })
    this.#write({ ...this.#caseOf(row, report, startedAt), check, ...drawn })
  }

  #writeLeftOut(row: CatalogueRow, because: string): void {
    const reproduce = reproduceCommand(row.id, this.#run.plan.seed, this.#run.reproduceBase)
    const report: CheckReport = {
      title: row.claim,
      file: `specs/${row.chapter}/requirements.ts`,
      verdict: 'not-applicable',
      because,
      durationMs: 0,
      exchanges: [],
      reproduce,
    }
    this.#write(this.#caseOf(row, report, Date.now()))
  }

  #caseOf(row: CatalogueRow, report: CheckReport, startedAt: number): CheckCase {
    const { outDir, target } = this.#run
    const block = report.verdict === 'pass' ? '' : renderFailure(row, report, this.#evidence, shownAs(outDir))
    return { row, report, target: target.name, startedAt, block }
  }
}
