import { join } from 'node:path'
import * as z from 'zod'
import { OUTPUT } from '../evidence/output.ts'
import { EXIT_CODES } from './conclude.ts'
import { renderJobSummary } from './job-summary.ts'
import { writeWhole } from './output-folder.ts'
import { reportSchema, type Report } from './schema.ts'

/** What of a report that does not match its schema is written: all that there is, such as the list of what was created. */
const asHarnessError = (report: Report): Report => ({
  ...report,
  conclusion: 'harness-error',
  gate: 'harness-error',
  exitCode: EXIT_CODES['harness-error'],
})

/**
 * Writes `report.json`, and returns what was written.
 * @param onFault receives the reason if the report does not match its schema.
 */
export const writeJson = (report: Report, outDir: string, onFault: (sentence: string) => void): Report => {
  const checked = reportSchema.safeParse(report)
  const written = checked.success ? checked.data : asHarnessError(report)
  writeWhole(join(outDir, OUTPUT.report), `${JSON.stringify(written, null, 2)}\n`)
  if (!checked.success)
    onFault(`A fault of the suite: the report does not match its schema.\n${z.prettifyError(checked.error)}`)
  return written
}

/** Writes the renderings that need the whole report: report.json first, since the others can be derived from it. */
export const writeReports = async (
  report: Report,
  outDir: string,
  onFault: (sentence: string) => void,
): Promise<Report> => {
  const written = writeJson(report, outDir, onFault)
  // Imported late, since its package is large.
  const { renderJunit } = await import('./junit.ts')
  writeWhole(join(outDir, OUTPUT.junit), renderJunit(written))
  writeWhole(join(outDir, OUTPUT.jobSummary), renderJobSummary(written))
  return written
}
