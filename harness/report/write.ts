import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeJson } from './json.ts'
import { writeJunit } from './junit.ts'
import { OUTPUT } from './output.ts'
import type { Report } from './schema.ts'

/**
 * Makes the output directory ready for a run. Of what lies there already, only what an earlier run wrote is removed,
 * by name: a directory given by mistake keeps everything else.
 */
export const prepareOut = (outDir: string): void => {
  mkdirSync(outDir, { recursive: true })
  for (const name of Object.values(OUTPUT)) {
    rmSync(join(outDir, name), { recursive: true, force: true })
    rmSync(join(outDir, `${name}.draft`), { force: true })
  }
}

/** Writes the renderings that need the whole report: report.json first, since it is the one that counts. */
export const writeReports = (report: Report, outDir: string): void => {
  writeJson(report, outDir)
  writeJunit(report, outDir)
}
