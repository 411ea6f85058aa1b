import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import open from 'open'
import { lookAtEvidence } from './evidence-digest.ts'
import { OUTPUT } from './output.ts'

/**
 * `npm run report [-- DIR]`: opens the report of a run in the browser, or says where it lies, and whether its evidence is
 * still the same.
 */

const outDir = process.argv[2] ?? 'reports/latest'
const page = resolve(outDir, OUTPUT.allureReport, 'index.html')

/** Looked at also where an interrupted run has left its page out. */
const tellOfEvidence = (): void => {
  const { isUnchanged, sentence } = lookAtEvidence(outDir)
  if (isUnchanged) return console.log(sentence)
  console.error(sentence)
  process.exitCode = 1
}

if (existsSync(page)) {
  console.log(pathToFileURL(page).href)
  tellOfEvidence()
  if (process.stdout.isTTY) await open(page)
} else if (existsSync(resolve(outDir, OUTPUT.report))) {
  console.log(`The page was not generated in ${outDir}; ${OUTPUT.report} there has all verdicts.`)
  tellOfEvidence()
} else {
  console.error(
    `There is no report in ${outDir}. Run npm test first, or name the directory that --out named.`,
  )
  process.exitCode = 3
}
