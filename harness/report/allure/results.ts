import { randomUUID } from 'node:crypto'
import { join, relative } from 'node:path'
import {
  ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
  ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
} from 'allure-js-commons/http'
import { createDefaultWriter, ReporterRuntime, type ReporterConfig } from 'allure-js-commons/sdk/reporter'
import AllureVitestReporter from 'allure-vitest/reporter'
import { OUTPUT } from '../../evidence/output.ts'
import { categories, toConclusion, toTestResult, type ReportedCheck } from './test-result.ts'
import { reportCheck, reproduceCommand, type CatalogueRow } from '../assemble.ts'
import { coverageOf, renderModel, SVG } from '../drawing/model.ts'
import { tallyVisits } from '../drawing/visits.ts'
import { renderTimeLine, titleOf } from '../drawing/time-line.ts'
import { createEvidenceReader } from '../evidence-file.ts'
import { makeFolder, writeWhole } from '../output-folder.ts'
import { renderExchange, renderFailure } from '../terminal/failure.ts'
import { verdictFor, type Reason } from '../../plan/reason.ts'
import { OWN_CHAPTER } from '../../check/requirement.ts'
import { scopeOf, type Scope } from '../../plan/scope.ts'
import { running, type Plan } from '../../plan/plan.ts'
import { toHttpExchange } from './http-exchange.ts'
import type { TestResult } from 'allure-js-commons'
import type { Reporter } from 'vitest/node'
import type { CheckResult, KeptTimeLine, Visits } from '../../check/result.ts'
import type { CheckReport, Report } from '../schema.ts'

/**
 * The Allure results of a run. The reporter of `allure-vitest` writes one for each test, when all tests have ended; what no
 * test stands for is written after it. Both are filled from the results of the checks.
 */

export interface AllureRun {
  readonly outDir: string
  readonly suite: Report['suite']
  readonly target: Report['target']
  readonly plan: Plan
  readonly catalogue: readonly CatalogueRow[]
  readonly run: Pick<Report['run'], 'command' | 'revision' | 'operator' | 'strict'>
  readonly reproduceBase?: string
}

/** The drawings of a check. */
interface Drawings {
  readonly visits?: readonly Visits[]
  readonly timeLines?: readonly KeptTimeLine[]
}

export interface AllureResults {
  /** Keeps the result of a check until the result of its test is written. */
  readonly add: (result: CheckResult, drawings?: Drawings) => void
  /** Fills a result with what is known of the check that its name begins with. */
  readonly fill: (result: TestResult) => void
  /**
   * Writes the conclusion, the checks without a test, and the requirements without a check.
   * @param plan what was selected, if that is not the whole plan.
   */
  readonly complete: (report: Report, plan?: Plan) => void
}

const configOf = (outDir: string, fill: AllureResults['fill']): ReporterConfig & { resultsDir: string } => ({
  resultsDir: join(outDir, OUTPUT.allureResults),
  categories: categories(),
  listeners: [{ beforeTestResultWrite: fill }],
})

/** Without the steps that it would make of `expect`: they contain values that are not redacted. */
export const createAllureReporter = (outDir: string, fill: AllureResults['fill']): Reporter =>
  new AllureVitestReporter({ ...configOf(outDir, fill), reportMatchers: false })

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

type Attach = (name: string, content: string, contentType: string, fileExtension: string) => void

/** Without the writer of the SDK, which waits for the disk after each file: that takes seconds for thousands of them. */
const attachTo =
  ({ attachments }: TestResult, folder: string): Attach =>
  (name, content, type, fileExtension) => {
    const source = `${randomUUID()}-attachment${fileExtension}`
    writeWhole(join(folder, source), content)
    attachments.push({ name, source, type })
  }

type Evidence = ReturnType<typeof createEvidenceReader>

const attachExchange = (attach: Attach, evidence: Evidence, id: string, isWitness: boolean): void => {
  const exchange = evidence(id)
  if (exchange === undefined) return
  const name = `${isWitness ? '✗ ' : ''}${id.split('/').at(-1) ?? id}  ${renderExchange(exchange)}`
  const content = JSON.stringify(toHttpExchange(exchange))
  attach(name, content, ALLURE_HTTP_EXCHANGE_CONTENT_TYPE, ALLURE_HTTP_EXCHANGE_FILE_EXTENSION)
}

/** What is shown of one test. */
interface Shown extends Pick<ReportedCheck, 'row' | 'check' | 'report'> {
  readonly drawings?: Drawings
}

/** Fills a result, and writes its attachments. */
const show = (
  { drawings: { visits = [], timeLines = [] } = {}, ...shown }: Shown,
  result: TestResult,
  { run, evidence }: { readonly run: AllureRun; readonly evidence: Evidence },
): void => {
  const { row, report } = shown
  const { outDir, target } = run
  const attached = attachedOf(report)
  const all = report.exchanges.length
  const note = `The last ${attached.length} of ${all} exchanges are shown; ${OUTPUT.evidence} contains all.`
  const filled = toTestResult({
    ...shown,
    target: target.name,
    startedAt: result.start ?? Date.now(),
    block: report.verdict === 'pass' ? '' : renderFailure(row, report, evidence, shortPath(outDir)),
    strict: run.run.strict,
    ...(attached.length < all && { note }),
  })
  Object.assign(result, filled)
  const attach = attachTo(result, join(outDir, OUTPUT.allureResults))
  for (const tally of tallyVisits(visits)) attach(coverageOf(tally), renderModel(tally), SVG, '.svg')
  for (const line of timeLines) attach(titleOf(line), renderTimeLine(line), SVG, '.svg')
  for (const id of attached) attachExchange(attach, evidence, id, id === report.violation?.exchange)
}

export const openAllureResults = (run: AllureRun): AllureResults => {
  const { outDir, plan, catalogue, reproduceBase } = run
  const rows = new Map(catalogue.map((row) => [row.id, row]))
  const checks = new Map(plan.checks.map((check) => [check.id, check]))
  const leftOut = new Map(plan.leftOut.map((one) => [one.requirement, one]))
  const found = new Map<string, { readonly result: CheckResult; readonly drawings: Drawings }>()
  const written = new Set<string>()
  const evidence = createEvidenceReader(join(outDir, OUTPUT.evidence))
  const reproduce = ({ id }: CatalogueRow): string => reproduceCommand(id, plan.seed, reproduceBase)

  /** @param id of a planned check, or of a requirement that the plan leaves out. */
  const shownOf = (id: string): Shown | undefined => {
    const check = checks.get(id)
    const row = rows.get(check?.requirement ?? id)
    if (row === undefined) return undefined
    if (check === undefined) {
      const reason = leftOut.get(id)
      return reason && { row, report: leftOutReport(row, reason, reproduce(row)) }
    }
    const { result, drawings = {} } = found.get(id) ?? {}
    const own = { level: row.level, reproduce: reproduce(row) }
    return { row, check, drawings, report: reportCheck(check, result === undefined ? [] : [result], own) }
  }

  const fill = (result: TestResult): void => {
    const [id = ''] = result.name?.split(' ', 1) ?? []
    const shown = shownOf(id)
    if (shown === undefined) return
    written.add(id)
    show(shown, result, { run, evidence })
  }

  return {
    add: (result, drawings = {}) => found.set(result.id, { result, drawings }),
    fill,
    complete(report, selected = plan) {
      const config = configOf(outDir, fill)
      makeFolder(config.resultsDir)
      const environmentInfo = environmentOf({ ...run, plan: selected })
      const runtime = new ReporterRuntime({ ...config, environmentInfo, writer: createDefaultWriter(config) })
      runtime.writeEnvironmentInfo()
      runtime.writeCategoriesDefinitions()
      const missing = idsIn(selected, rows).filter((id) => !written.has(id))
      for (const result of [toConclusion(report), ...missing.map((name) => ({ name }))]) {
        const uuid = runtime.startTest(result)
        runtime.stopTest(uuid)
        runtime.writeTest(uuid)
      }
    },
  }
}

/** What was selected: the checks, and the requirements without a check in the chapters of these checks. */
const idsIn = (
  { checks, leftOut }: Plan,
  rows: ReadonlyMap<string, Pick<CatalogueRow, 'chapter'>>,
): readonly string[] => {
  const chapters = new Set(checks.map(({ chapter }) => chapter))
  const left = leftOut.filter(({ kind, requirement }) => {
    const chapter = rows.get(requirement)?.chapter
    return kind !== 'not-selected' && chapter !== undefined && chapters.has(chapter)
  })
  const selected = checks.filter(({ heldBack }) => heldBack?.kind !== 'not-selected')
  return [...selected.map(({ id }) => id), ...left.map(({ requirement }) => requirement)]
}
