import { join } from 'node:path'
import { createEvidenceReader } from '../allure/evidence-reader.ts'
import { OUTPUT } from '../output.ts'
import { colorsFor } from './colors.ts'
import { renderFailure } from './failure.ts'
import { silentProgress, startProgress } from './progress.ts'
import { renderSummary } from './summary.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Report } from '../schema.ts'
import type { Colors } from './colors.ts'
import type { Progress } from './progress.ts'

/** What a person at a terminal sees of a run. */
export interface Terminal {
  begins(plan: Plan): void
  hears(result: CheckResult): void
  warns(sentence: string): void
  concludes(report: Report): void
}

export interface TerminalStreams {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

/** Worth a block of its own; what was not judged is told by its reason in the summary. */
const TOLD: readonly Verdict[] = ['warn', 'harness-error', 'fail']

const NARROWEST = 60
const WIDEST = 110

/** The blocks of what is broken, the worst last, where the eye ends up. */
const blocksOf = (report: Report, out: string, width: number, colors: Colors): readonly string[] => {
  const evidence = createEvidenceReader(join(out, OUTPUT.evidence))
  const all = report.requirements.flatMap((requirement) =>
    requirement.checks.map((check) => ({ requirement, check })),
  )
  return TOLD.flatMap((word) => all.filter(({ check }) => check.verdict === word)).map(
    ({ requirement, check }) => renderFailure(requirement, check, evidence, out, { width, colors }),
  )
}

/** The verdicts go to stdout, which a pipe may keep; progress and warnings go to stderr. */
export const createTerminal = (out: string, { stdout, stderr }: TerminalStreams = process): Terminal => {
  let progress: Progress = silentProgress(stderr)
  return {
    begins: (plan) => {
      const live = plan.checks.filter(({ heldBack }) => heldBack === undefined)
      progress = startProgress(live.length, stderr)
    },
    hears: (result) => progress.ended(result),
    warns: (sentence) => progress.above(colorsFor(stderr).yellow(`warning: ${sentence}`)),
    concludes: (report) => {
      progress.stop()
      const colors = colorsFor(stdout)
      const width = Math.max(NARROWEST, Math.min(stdout.columns ?? WIDEST, WIDEST))
      const blocks = blocksOf(report, out, width, colors)
      stdout.write(`${[...blocks, renderSummary(report, { out, colors })].join('\n\n')}\n`)
    },
  }
}
