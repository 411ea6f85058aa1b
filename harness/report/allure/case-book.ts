import { join, relative } from 'node:path'
import { reportCheck, reproduceCommand } from '../assemble.ts'
import { OUTPUT } from '../output.ts'
import { renderFailure } from '../terminal/failure.ts'
import { createEvidenceReader } from './evidence-reader.ts'
import { createResultWriter } from './result-writer.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Plan, PlannedCheck } from '../../plan/plan.ts'
import type { CatalogueRow } from '../assemble.ts'
import type { CheckReport, Report } from '../schema.ts'
import type { CheckCase } from './check-case.ts'

/** The Allure results of a plan: one for each check, each written once. */

export interface AllureRun {
  readonly outDir: string
  readonly suite: Report['suite']
  readonly target: Report['target']
  readonly plan: Plan
  readonly catalogue: readonly CatalogueRow[]
  readonly reproduceBase?: string
}

/** What is shown with a check as a drawing. */
export type Drawn = Pick<CheckCase, 'visits' | 'timeLines'>

export interface CaseBook {
  /** The planned check of that id. */
  planned(id: string): PlannedCheck | undefined
  /** Writes what is known before anything runs. */
  begin(): void
  /** Writes what was found on a check, if nothing is written of it yet. */
  write(check: PlannedCheck, results: readonly CheckResult[], startedAt?: number, drawn?: Drawn): void
  /** Writes what was planned and did not run: it is not passed over. */
  end(): void
}

export const environmentOf = ({ suite, target, plan }: AllureRun): Record<string, string> => ({
  Target: target.name,
  'Base URL': target.baseUrl,
  Environment: target.environment,
  Clock: target.clock,
  Seed: String(plan.seed),
  ...(plan.shard !== undefined && { Shard: `${plan.shard.index} of ${plan.shard.count}` }),
  Suite: `${suite.name} ${suite.version}`,
  Catalogue: suite.catalogueDigest,
  Profile: target.profileDigest,
  Node: process.version,
})

/** A directory of the project by its short name. */
const shownAs = (directory: string): string => {
  const path = relative(process.cwd(), directory)
  return path.startsWith('..') ? directory : path
}

const leftOutReport = (row: CatalogueRow, because: string, reproduce: string): CheckReport => ({
  title: row.claim,
  file: `specs/${row.chapter}/requirements.ts`,
  verdict: 'not-applicable',
  because,
  durationMs: 0,
  exchanges: [],
  reproduce,
})

export const openCaseBook = ({ outDir, target, plan, catalogue, reproduceBase }: AllureRun): CaseBook => {
  const rows = new Map(catalogue.map((row) => [row.id, row]))
  const checks = new Map(plan.checks.map((check) => [check.id, check]))
  const written = new Set<string>()
  const evidence = createEvidenceReader(join(outDir, OUTPUT.evidence))
  const put = createResultWriter(join(outDir, OUTPUT.allureResults), evidence)
  const again = ({ id }: CatalogueRow): string => reproduceCommand(id, plan.seed, reproduceBase)

  const caseOf = (row: CatalogueRow, report: CheckReport, startedAt: number): CheckCase => {
    const block = report.verdict === 'pass' ? '' : renderFailure(row, report, evidence, shownAs(outDir))
    return { row, report, target: target.name, startedAt, block }
  }

  const write: CaseBook['write'] = (check, results, startedAt = Date.now(), drawn = {}) => {
    const row = rows.get(check.requirement)
    if (row === undefined || written.has(check.id)) return
    written.add(check.id)
    const report = reportCheck(check, results, { level: row.level, reproduce: again(row) })
    put({ ...caseOf(row, report, startedAt), check, ...drawn })
  }

  return {
    planned: (id) => checks.get(id),
    begin() {
      // Of what the plan leaves out, the chapters that this run looks at: `--only` asks for one page, not for the rest.
      const chapters = new Set(plan.checks.map(({ chapter }) => chapter))
      const judged = new Set(plan.checks.map(({ requirement }) => requirement))
      for (const { requirement, because } of plan.leftOut) {
        const row = rows.get(requirement)
        if (row !== undefined && chapters.has(row.chapter) && !judged.has(requirement))
          put(caseOf(row, leftOutReport(row, because, again(row)), Date.now()))
      }
      for (const check of plan.checks) if (check.heldBack !== undefined) write(check, [])
    },
    write,
    end() {
      for (const check of plan.checks) write(check, [])
    },
  }
}
