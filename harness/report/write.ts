import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { aside } from './allure/result-folder.ts'
import { makeFolder } from './folder.ts'
import { writeJson } from './json.ts'
import { writeJobSummary } from './gate/job-summary.ts'
import { OUTPUT } from './output.ts'
import type { Report } from './schema.ts'

/** The results of an earlier run wait beside their folder: the new ones are written over them. */
const putAside = (folder: string): void => {
  rmSync(aside(folder), { recursive: true, force: true })
  if (existsSync(folder)) renameSync(folder, aside(folder))
}

/** Removes what of an earlier run's results was not written over. What a killed run leaves of them, the next one removes. */
export const discardOld = (outDir: string): void =>
  rmSync(aside(join(outDir, OUTPUT.allureResults)), { recursive: true, force: true })

/**
 * Makes the output directory ready for a run. Of what lies there already, only what an earlier run wrote is removed,
 * by name: a directory given by mistake keeps everything else.
 * @param kept what a run goes on with that was started earlier.
 */
export const prepareOut = (outDir: string, kept: readonly string[] = []): void => {
  makeFolder(outDir)
  putAside(join(outDir, OUTPUT.allureResults))
  for (const name of Object.values(OUTPUT)) {
    if (kept.includes(name)) continue
    rmSync(join(outDir, name), { recursive: true, force: true })
    rmSync(join(outDir, `${name}.draft`), { force: true })
  }
}

/** Writes the renderings that need the whole report: report.json first, since it is the one that counts. */
export const writeReports = async (report: Report, outDir: string): Promise<void> => {
  writeJson(report, outDir)
  // Its package is large, and a run can begin without it.
  const { writeJunit } = await import('./junit.ts')
  writeJunit(report, outDir)
  writeJobSummary(report, outDir)
}
