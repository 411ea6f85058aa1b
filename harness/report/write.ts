import { join } from 'node:path'
import * as z from 'zod'
import { OUTPUT } from '../evidence/output.ts'
import { writeJobSummary } from './job-summary.ts'
import { writeWhole } from './output-folder.ts'
import { reportSchema } from './schema.ts'
import type { Report } from './schema.ts'

/** Writes `report.json`. @throws if the report does not match its schema. */
export const writeJson = (report: Report, outDir: string): void => {
  const checked = reportSchema.safeParse(report)
  if (!checked.success)
    throw new Error(`The report does not match its schema.\n${z.prettifyError(checked.error)}`)
  writeWhole(join(outDir, OUTPUT.report), `${JSON.stringify(checked.data, null, 2)}\n`)
}

/** The JSON Schema of `report.json`, for other programs. */
export const reportJsonSchema = (): object => ({
  title: 'report.json of the conformance suite',
  ...z.toJSONSchema(reportSchema),
})

/** Writes the renderings that need the whole report: report.json first, since the others can be derived from it. */
export const writeReports = async (report: Report, outDir: string): Promise<void> => {
  writeJson(report, outDir)
  // Imported late, since its package is large.
  const { writeJunit } = await import('./junit.ts')
  writeJunit(report, outDir)
  writeJobSummary(report, outDir)
}
