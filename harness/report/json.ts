import { closeSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { OUTPUT } from './output.ts'
import { reportSchema } from './schema.ts'
import type { Report } from './schema.ts'

/** Writes a file whole or not at all: a reader never sees half of it, a killed run leaves the former one. */
export const writeWhole = (file: string, ...pieces: readonly (string | Buffer)[]): void => {
  const draft = `${file}.draft`
  const handle = openSync(draft, 'w')
  try {
    for (const piece of pieces) writeFileSync(handle, piece)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
}

/** Writes `report.json`. A report that breaks its own contract is not written: it throws. */
export const writeJson = (report: Report, outDir: string): void => {
  const checked = reportSchema.safeParse(report)
  if (!checked.success)
    throw new Error(`The report breaks its own schema.\n${z.prettifyError(checked.error)}`)
  writeWhole(join(outDir, OUTPUT.report), `${JSON.stringify(checked.data, null, 2)}\n`)
}

/** The contract of `report.json` for other people's tools, as JSON Schema. */
export const reportJsonSchema = (): object => ({
  title: 'report.json of the conformance suite',
  ...z.toJSONSchema(reportSchema),
})
