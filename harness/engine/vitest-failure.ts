import { dirname, relative } from 'node:path'
import { ROOT } from '../plan/root.ts'
import { reportCheck, reproduceCommand } from '../report/assemble.ts'
import { createEvidenceReader } from '../report/evidence-file.ts'
import { renderFailure } from '../report/terminal/failure.ts'
import type { CheckResult } from '../check/result.ts'
import type { StatedCheck } from '../plan/catalogue.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { RunInput } from './run-input.ts'

/** The error of a failed check when vitest runs spec files itself: it reads as in the reports, and leads to the spec file. */
export const failureOf = (
  { requirement, statedAt }: Pick<StatedCheck, 'requirement' | 'statedAt'>,
  planned: PlannedCheck,
  result: CheckResult,
  { plan, evidenceFile, reproduceBase }: Pick<RunInput, 'plan' | 'evidenceFile' | 'reproduceBase'>,
): Error => {
  const { level } = requirement
  const reproduce = (selector: string): string => reproduceCommand(selector, plan.seed, reproduceBase)
  const report = reportCheck(planned, [result], { level, reproduce })
  const out = relative(ROOT, dirname(evidenceFile))
  const message = renderFailure(requirement, report, createEvidenceReader(evidenceFile), out)
  const specFile = planned.key.slice(0, planned.key.indexOf('#'))
  const frames = (statedAt.stack ?? '').split('\n').filter((line) => line.includes(specFile))
  return Object.assign(new Error(message), { stack: [`Error: ${message}`, ...frames].join('\n') })
}
