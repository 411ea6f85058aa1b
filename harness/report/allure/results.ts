import { join, relative } from 'node:path'
import {
  ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
  ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
} from 'allure-js-commons/http'
import { FileSystemWriter, ReporterRuntime } from 'allure-js-commons/sdk/reporter'
import { OUTPUT } from '../../evidence/output.ts'
import { categories, toTestResult, type ReportedCheck } from './test-result.ts'
import { reportCheck, reproduceCommand, type CatalogueRow } from '../assemble.ts'
import { coverageOf, renderModel, SVG } from '../drawing/model.ts'
import { tallyVisits } from '../drawing/visits.ts'
import { renderTimeLine, titleOf } from '../drawing/time-line.ts'
import { createEvidenceReader } from '../evidence-file.ts'
import { writeWhole } from '../output-folder.ts'
import { renderExchange, renderFailure } from '../terminal/failure.ts'
import { verdictFor, type Reason } from '../../plan/reason.ts'
import { OWN_CHAPTER } from '../../check/requirement.ts'
import { scopeOf, type Scope } from '../../plan/scope.ts'
import { running, type Plan, type PlannedCheck } from '../../plan/plan.ts'
import { toHttpExchange } from './http-exchange.ts'
import type { TestResult } from 'allure-js-commons'
import type { Reporter, TestCase } from 'vitest/node'
import type { CheckResult, KeptTimeLine, Visits } from '../../check/result.ts'
import type { CheckReport, Report } from '../schema.ts'

/** The Allure results of a plan: one for each check, each written once, through the SDK for reporters of Allure. */

export interface AllureRun {
  readonly outDir: string
  readonly suite: Report['suite']
  readonly target: Report['target']
  readonly plan: Plan
  readonly catalogue: readonly CatalogueRow[]
  readonly run: Pick<Report['run'], 'command' | 'revision' | 'operator'>
  readonly reproduceBase?: string
}

/** The drawings of a check. */
export interface Drawings {
  readonly visits?: readonly Visits[]
  readonly timeLines?: readonly KeptTimeLine[]
}

interface AllureResults {
  /** The planned check with the id. */
  planned(id: string): PlannedCheck | undefined
  /** Writes what is known before the first scenario. */
  begin(): void
  /** Writes the result of a check, unless it is written already. */
  write(check: PlannedCheck, results: readonly CheckResult[], startedAt?: number, drawings?: Drawings): void
  /** Writes the checks that were planned and did not run. */
  end(): void
}

/** FileSystemWriter waits for the disk after each file, which takes seconds for thousands of files. */
class ResultsWriter extends FileSystemWriter {
  readonly #folder: string

  constructor(resultsDir: string) {
    super({ resultsDir })
    this.#folder = resultsDir
  }

  override writeResult(result: TestResult): void {
    writeWhole(join(this.#folder, `${result.uuid}-result.json`), JSON.stringify(result))
  }

  override writeAttachment(name: string, content: Buffer): void {
    writeWhole(join(this.#folder, name), content)
  }
}

/** How many requirements of the scope have a check that runs: `1 of 498 requirements of the scope full`. */
const plannedOf = (plan: Plan, catalogue: readonly CatalogueRow[]): string => {
  const { chapters }: Scope = scopeOf(plan.scope)
  const rows = catalogue.filter(({ chapter }) => chapter === OWN_CHAPTER || chapters.includes(chapter))
  const planned = new Set(running(plan).map(({ requirement }) => requirement))
  const count = rows.filter(({ id }) => planned.has(id)).length
  return `${count} of ${rows.length} requirements of the scope ${plan.scope}`
}

const environmentOf = ({ suite, target, plan, catalogue, run }: AllureRun): Record<string, string> => ({
  Target: target.name,
  'Base URL': target.baseUrl,
  Environment: target.environment,
  Clock: target.clock,
  Planned: plannedOf(plan, catalogue),
  Seed: String(plan.seed),
  Command: run.command,
  ...(run.operator !== undefined && { Operator: run.operator }),
  Suite: `${suite.name} ${suite.version}`,
  Revision: run.revision,
  Catalogue: suite.catalogueDigest,
  ...(suite.ownChecks && { 'Own checks': `${suite.ownChecks.folder} ${suite.ownChecks.digest}` }),
  Profile: target.profileDigest,
  Node: process.version,
})

/**
 * A property may have thousands of exchanges. Only the last ones are attached, which are those of the smallest
 * counterexample; evidence.jsonl contains all.
 */
const MOST_ATTACHMENTS = 24
/** A pass needs few exchanges: no cause has to be found. */
const MOST_OF_A_PASS = 3

/** Exchanges are numbered as they were sent; a check may list them in another order. */
const byNumber = new Intl.Collator('en', { numeric: true })

const attachedOf = ({ verdict, exchanges, violation }: CheckReport): readonly string[] => {
  const most = verdict === 'pass' ? MOST_OF_A_PASS : MOST_ATTACHMENTS
  const last = exchanges.toSorted(byNumber.compare).slice(-most)
  const witness = violation?.exchange
  return witness === undefined || last.includes(witness) ? last : [witness, ...last.slice(1)]
}

/** A folder below the current one by its relative path. */
const shortPath = (folder: string): string => {
  const path = relative(process.cwd(), folder)
  return path.startsWith('..') ? folder : path
}

const leftOutReport = (row: CatalogueRow, reason: Reason, reproduce: string): CheckReport => ({
  title: row.claim,
  file: `specs/${row.chapter}/requirements.ts`,
  verdict: verdictFor(reason),
  because: reason.because,
  reason: reason.kind,
  durationMs: 0,
  judged: 0,
  exchanges: [],
  reproduce,
})

/** The writer of the results, and what it shows of the run. */
interface Writing extends Pick<AllureRun, 'outDir' | 'target'> {
  readonly allure: ReporterRuntime
  readonly evidence: ReturnType<typeof createEvidenceReader>
}

const attachSvg = ({ allure }: Writing, uuid: string, name: string, svg: string): void =>
  allure.writeAttachment(uuid, null, name, Buffer.from(svg), { contentType: SVG, fileExtension: '.svg' })

const attachExchange = (
  { allure, evidence }: Writing,
  uuid: string,
  id: string,
  isWitness: boolean,
): void => {
  const exchange = evidence(id)
  if (exchange === undefined) return
  const name = `${isWitness ? '✗ ' : ''}${id.split('/').at(-1) ?? id}  ${renderExchange(exchange)}`
  const content = Buffer.from(JSON.stringify(toHttpExchange(exchange)))
  const contentType = ALLURE_HTTP_EXCHANGE_CONTENT_TYPE
  const fileExtension = ALLURE_HTTP_EXCHANGE_FILE_EXTENSION
  allure.writeAttachment(uuid, null, name, content, { contentType, fileExtension })
}

const writeOne = (
  writing: Writing,
  {
    row,
    check,
    startedAt,
    drawings,
  }: Pick<ReportedCheck, 'row' | 'check' | 'startedAt'> & { drawings: Drawings },
  report: CheckReport,
): void => {
  const { allure, evidence, outDir, target } = writing
  const block = report.verdict === 'pass' ? '' : renderFailure(row, report, evidence, shortPath(outDir))
  const attached = attachedOf(report)
  const all = report.exchanges.length
  const note = `The last ${attached.length} of ${all} exchanges are shown; ${OUTPUT.evidence} contains all.`
  const uuid = allure.startTest(
    toTestResult({
      row,
      report,
      target: target.name,
      startedAt,
      block,
      ...(check !== undefined && { check }),
      ...(attached.length < all && { note }),
    }),
  )
  for (const tally of tallyVisits(drawings.visits ?? []))
    attachSvg(writing, uuid, coverageOf(tally), renderModel(tally))
  for (const line of drawings.timeLines ?? []) attachSvg(writing, uuid, titleOf(line), renderTimeLine(line))
  for (const id of attached) attachExchange(writing, uuid, id, id === report.violation?.exchange)
  allure.stopTest(uuid, { duration: Math.round(report.durationMs) })
  allure.writeTest(uuid)
}

export const openAllureResults = (run: AllureRun): AllureResults => {
  const { outDir, target, plan, catalogue, reproduceBase } = run
  const rows = new Map(catalogue.map((row) => [row.id, row]))
  const checks = new Map(plan.checks.map((check) => [check.id, check]))
  const written = new Set<string>()
  const evidence = createEvidenceReader(join(outDir, OUTPUT.evidence))
  const allure = new ReporterRuntime({
    writer: new ResultsWriter(join(outDir, OUTPUT.allureResults)),
    environmentInfo: environmentOf(run),
    categories: categories(),
  })
  const writing: Writing = { outDir, target, allure, evidence }
  const reproduce = ({ id }: CatalogueRow): string => reproduceCommand(id, plan.seed, reproduceBase)

  const write: AllureResults['write'] = (check, results, startedAt = Date.now(), drawings = {}) => {
    const row = rows.get(check.requirement)
    if (row === undefined || written.has(check.id)) return
    written.add(check.id)
    const report = reportCheck(check, results, { level: row.level, reproduce: reproduce(row) })
    writeOne(writing, { row, check, startedAt, drawings }, report)
  }

  return {
    planned: (id) => checks.get(id),
    begin() {
      allure.writeEnvironmentInfo()
      allure.writeCategoriesDefinitions()
      // Requirements that the plan leaves out are shown only in chapters that this run selects.
      const chapters = new Set(plan.checks.map(({ chapter }) => chapter))
      const judged = new Set(plan.checks.map(({ requirement }) => requirement))
      for (const leftOut of plan.leftOut) {
        const { requirement } = leftOut
        const row = rows.get(requirement)
        if (row !== undefined && chapters.has(row.chapter) && !judged.has(requirement))
          writeOne(
            writing,
            { row, startedAt: Date.now(), drawings: {} },
            leftOutReport(row, leftOut, reproduce(row)),
          )
      }
      for (const check of plan.checks) if (check.heldBack !== undefined) write(check, [])
    },
    write,
    end() {
      for (const check of plan.checks) write(check, [])
    },
  }
}

/** Writes an Allure result when the test of a check ends, so that a killed run keeps the results that it has. */
export class AllureReporter implements Reporter {
  readonly #results: AllureResults

  constructor(run: AllureRun) {
    this.#results = openAllureResults(run)
  }

  onInit(): void {
    this.#results.begin()
  }

  onTestCaseResult(testCase: TestCase): void {
    const { result = this.#crashOf(testCase), visits = [], timeLines = [] } = testCase.meta()
    const check = this.#results.planned(result?.id ?? '')
    if (result === undefined || check === undefined) return
    this.#results.write(check, [result], testCase.diagnostic()?.startTime, { visits, timeLines })
  }

  onTestRunEnd(): void {
    this.#results.end()
  }

  /** The result of a test that failed before it had one; its name begins with the id of its check. */
  #crashOf(testCase: TestCase): CheckResult | undefined {
    const check = this.#results.planned(testCase.name.split(' ', 1)[0] ?? '')
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
}
