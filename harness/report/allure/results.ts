import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
  ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
} from 'allure-js-commons/http'
import { createDefaultWriter, ReporterRuntime, type ReporterConfig } from 'allure-js-commons/sdk/reporter'
import AllureVitestReporter from 'allure-vitest/reporter'
import { OUTPUT } from '../../evidence/output.ts'
import { categories, statusOfCheck, toConclusion, toTestResult, type ReportedCheck } from './test-result.ts'
import { reportCheck, reproduceCommand, type CatalogueRow } from '../assemble.ts'
import { coverageOf, renderModel, SVG, tallyVisits } from '../drawing/model.ts'
import { renderTimeLine, titleOf } from '../drawing/time-line.ts'
import { compareNumbered } from '../order.ts'
import { createEvidenceReader } from '../evidence-file.ts'
import { diskFullReason } from '../../evidence/journal.ts'
import { makeFolder } from '../../evidence/make-folder.ts'
import { writeWhole } from '../output-folder.ts'
import { renderExchange, renderFailure, type EvidenceLookup } from '../terminal/failure.ts'
import { verdictFor, type Reason } from '../../plan/reason.ts'
import { toHttpExchange } from './http-exchange.ts'
import type { Attachment, TestResult } from 'allure-js-commons'
import type { Reporter } from 'vitest/node'
import type { CheckResult, KeptTimeLine, Visits } from '../../check/result.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CheckReport, Report } from '../schema.ts'

/**
 * The Allure results of a run. The reporter of `allure-vitest` writes one for each test, when all tests have ended; what no
 * test stands for is written after it. Both are filled from the results of the checks.
 */

interface AllureRun extends Pick<ReportedCheck, 'target' | 'strict'> {
  readonly outDir: string
  readonly plan: Plan
  readonly catalogue: readonly CatalogueRow[]
  readonly reproduceBase?: string
}

interface Drawings {
  readonly visits?: readonly Visits[]
  readonly timeLines?: readonly KeptTimeLine[]
}

type Fill = (result: TestResult) => void

const configOf = (outDir: string, fill: Fill): ReporterConfig & { resultsDir: string } => ({
  resultsDir: join(outDir, OUTPUT.allureResults),
  categories: categories(),
  listeners: [{ beforeTestResultWrite: fill }],
})

/**
 * Without the steps that it would make of `expect`, and without the file that it writes when a hook fails, which no listener
 * sees: they contain values that are not redacted. The run reports such a fault itself.
 */
export const createAllureReporter = (outDir: string, fill: Fill): Reporter => {
  const config = configOf(outDir, fill)
  const reporter = new AllureVitestReporter({ ...config, reportMatchers: false })
  return {
    onInit: (vitest) => reporter.onInit(vitest),
    onTestRunEnd(modules) {
      reporter.onTestRunEnd(modules)
      const globals = readdirSync(config.resultsDir).filter((name) => name.endsWith('-globals.json'))
      for (const name of globals) rmSync(join(config.resultsDir, name))
    },
  }
}

const environmentOf = ({ suite, target, run }: Report): Record<string, string> => ({
  Target: target.name,
  'Base URL': target.baseUrl,
  Environment: target.environment,
  Clock: target.clock,
  Seed: String(run.seed),
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

const attachedOf = ({ verdict, exchanges, violation }: CheckReport): readonly string[] => {
  const most = verdict === 'pass' ? MOST_OF_A_PASS : MOST_ATTACHMENTS
  // Exchanges are numbered as they were sent; a check may list them in another order.
  const last = exchanges.toSorted(compareNumbered).slice(-most)
  const witness = violation?.exchange
  return witness === undefined || last.includes(witness) ? last : [witness, ...last.slice(1)]
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

/** Where a disk is full, the result that follows cannot be written either: that is reported once, without a stack. */
const unlessFull = (write: () => void): void => {
  try {
    write()
  } catch (error) {
    if (diskFullReason(error) === undefined) throw error
  }
}

/** Writes the attachments of results: each exchange once, since many checks show the same ones. */
const attachmentsIn = (outDir: string, evidence: EvidenceLookup) => {
  const sources = new Map<string, string>()
  // Without the writer of the SDK, which waits for the disk after each file: that takes seconds for thousands of them.
  const write = (content: string, fileExtension: string): string => {
    const source = `${randomUUID()}-attachment${fileExtension}`
    writeWhole(join(outDir, OUTPUT.allureResults, source), content)
    return source
  }
  return {
    drawing: (name: string, svg: string): Attachment => ({ name, source: write(svg, '.svg'), type: SVG }),
    exchange(id: string, isWitness: boolean): readonly Attachment[] {
      const exchange = evidence(id)
      if (exchange === undefined) return []
      const name = `${isWitness ? '✗ ' : ''}${id.split('/').at(-1) ?? id}  ${renderExchange(exchange)}`
      const source =
        sources.get(id) ??
        write(JSON.stringify(toHttpExchange(exchange)), ALLURE_HTTP_EXCHANGE_FILE_EXTENSION)
      sources.set(id, source)
      return [{ name, source, type: ALLURE_HTTP_EXCHANGE_CONTENT_TYPE }]
    },
  }
}

interface Shown extends Pick<ReportedCheck, 'row' | 'check' | 'report' | 'ofRequirement'> {
  readonly drawings?: Drawings
}

/** @returns what fills a result and writes its attachments. */
const showing = ({ outDir, target, strict }: AllureRun) => {
  const evidence = createEvidenceReader(join(outDir, OUTPUT.evidence))
  const attachments = attachmentsIn(outDir, evidence)
  return ({ drawings: { visits = [], timeLines = [] } = {}, ...shown }: Shown, result: TestResult): void => {
    const { row, report } = shown
    const attached = attachedOf(report)
    const all = report.exchanges.length
    const note = `The last ${attached.length} of ${all} exchanges are shown; ${OUTPUT.evidence} contains all.`
    const filled = toTestResult({
      ...shown,
      target,
      startedAt: result.start ?? Date.now(),
      block: report.verdict === 'pass' ? '' : renderFailure(row, report, evidence, outDir),
      strict,
      ...(attached.length < all && { note }),
    })
    Object.assign(result, filled)
    result.attachments.push(
      ...tallyVisits(visits).map((tally) => attachments.drawing(coverageOf(tally), renderModel(tally))),
      ...timeLines.map((line) => attachments.drawing(titleOf(line), renderTimeLine(line))),
      ...attached.flatMap((id) => attachments.exchange(id, id === report.violation?.exchange)),
    )
  }
}

/** The results that were added, by their ids. */
type Found = Map<string, { readonly result: CheckResult; readonly drawings: Drawings }>

interface Written {
  readonly uuid: string
  readonly start: number | undefined
  readonly from: CheckResult | undefined
  readonly status: TestResult['status']
}

/** @returns what is known of a planned check, or of a requirement that the plan leaves out, by its id. */
const lookingUp = (
  { plan, catalogue, reproduceBase }: AllureRun,
  found: Found,
  verdicts: ReadonlyMap<string, Verdict>,
) => {
  const rows = new Map(catalogue.map((row) => [row.id, row]))
  const checks = new Map(plan.checks.map((check) => [check.id, check]))
  const leftOut = new Map(plan.leftOut.map((one) => [one.requirement, one]))
  const reproduce = (selector: string): string => reproduceCommand(selector, plan.seed, reproduceBase)
  return (id: string): Shown | undefined => {
    const check = checks.get(id)
    const row = rows.get(check?.requirement ?? id)
    if (row === undefined) return undefined
    if (check === undefined) {
      const reason = leftOut.get(id)
      return reason && { row, report: leftOutReport(row, reason, reproduce(row.id)) }
    }
    const { result, drawings = {} } = found.get(id) ?? {}
    const own = { level: row.level, reproduce }
    const report = reportCheck(check, result === undefined ? [] : [result], own)
    return { row, check, drawings, report, ofRequirement: verdicts.get(row.id) }
  }
}

interface Known {
  readonly written: ReadonlyMap<string, Written>
  readonly found: Found
  readonly shownOf: ReturnType<typeof lookingUp>
}

/** A result that is not written, or was written before it was decided otherwise: that one is removed. */
const writingAgain =
  ({ outDir, strict }: AllureRun, { written, found, shownOf }: Known) =>
  (name: string): Partial<TestResult> | readonly [] => {
    const before = written.get(name)
    if (before === undefined) return { name }
    const shown = shownOf(name)
    const isSame = shown === undefined || statusOfCheck({ ...shown, strict }) === before.status
    if (isSame && found.get(name)?.result === before.from) return []
    rmSync(join(outDir, OUTPUT.allureResults, `${before.uuid}-result.json`), { force: true })
    return { name, ...(before.start !== undefined && { start: before.start }) }
  }

export const openAllureResults = (run: AllureRun) => {
  const { outDir, plan, catalogue } = run
  const found: Found = new Map()
  /** What is written, by the id of the check or the requirement: its file, and what it was written from. */
  const written = new Map<string, Written>()
  const show = showing(run)
  /** On the requirements, when the run has ended. */
  const verdicts = new Map<string, Verdict>()
  const shownOf = lookingUp(run, found, verdicts)
  const toWrite = writingAgain(run, { written, found, shownOf })

  /** Fills a result with what is known of the check that its name begins with. */
  const fill = (result: TestResult): void => {
    const [id = ''] = result.name?.split(' ', 1) ?? []
    const shown = shownOf(id)
    if (shown === undefined) return
    unlessFull(() => show(shown, result))
    const { uuid, start, status } = result
    written.set(id, { uuid, start, status, from: found.get(id)?.result })
  }

  const added = (): readonly CheckResult[] => [...found.values()].map(({ result }) => result)
  return {
    reporter: createAllureReporter(outDir, fill),
    /** The ids of what is written. */
    written: written as ReadonlyMap<string, unknown>,
    /** The results that were added, of what is written. */
    results: () => added().filter(({ id }) => written.has(id)),
    added,
    /** Keeps the result of a check until it is written; `complete` replaces what is written from an earlier one. */
    add(result: CheckResult, drawings: Drawings = found.get(result.id)?.drawings ?? {}): void {
      found.set(result.id, { result, drawings })
    },
    fill,
    /**
     * Writes the conclusion, the checks without a test, and the requirements without a check; again, what was decided otherwise
     * when the run had ended.
     * @param selected what was selected, if that is not the whole plan.
     */
    complete(report: Report, selected = plan): void {
      const config = configOf(outDir, fill)
      makeFolder(config.resultsDir)
      const environmentInfo = environmentOf(report)
      const runtime = new ReporterRuntime({ ...config, environmentInfo, writer: createDefaultWriter(config) })
      runtime.writeEnvironmentInfo()
      runtime.writeCategoriesDefinitions()
      for (const { id, verdict } of report.requirements) verdicts.set(id, verdict)
      const missing = idsIn(selected, catalogue).flatMap(toWrite)
      for (const result of [toConclusion(report), ...missing]) {
        const uuid = runtime.startTest(result)
        runtime.stopTest(uuid)
        runtime.writeTest(uuid)
      }
    },
  }
}

export type AllureResults = ReturnType<typeof openAllureResults>

/** The ids of what was selected: checks, and the requirements without a check in chapters that were selected as a whole. */
const idsIn = ({ checks, leftOut }: Plan, catalogue: readonly CatalogueRow[]): readonly string[] => {
  const rows = new Map(catalogue.map((row) => [row.id, row]))
  const chapterOf = ({ requirement }: { readonly requirement: string }) => rows.get(requirement)?.chapter
  const partly = new Set(leftOut.filter(({ kind }) => kind === 'not-selected').map(chapterOf))
  const chapters = new Set(checks.map(chapterOf).filter((chapter) => !partly.has(chapter)))
  return [
    ...checks.filter(({ heldBack }) => heldBack?.kind !== 'not-selected').map(({ id }) => id),
    ...leftOut.filter((one) => chapters.has(chapterOf(one))).map(({ requirement }) => requirement),
  ]
}
