import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import open from 'open'
import { OUTPUT } from '../evidence/output.ts'
import { pageTitle, writeAllurePage } from '../report/allure/page.ts'
import { verifyEvidenceOf } from '../report/evidence-file.ts'
import { reportSchema } from '../report/schema.ts'

/**
 * `npm run report [-- DIR]`: opens the Allure page of a run in the browser, or prints its address, and says whether the
 * evidence is unchanged. A page that an interrupted run has not generated is generated now.
 */

const outDir = process.argv[2] ?? 'reports/latest'
const page = resolve(outDir, OUTPUT.allureReport, 'index.html')
const report = resolve(outDir, OUTPUT.report)

const reportEvidence = (): void => {
  const { isUnchanged, sentence } = verifyEvidenceOf(outDir)
  if (isUnchanged) return console.log(sentence)
  console.error(sentence)
  process.exitCode = 1
}

if (!existsSync(page) && existsSync(report) && existsSync(resolve(outDir, OUTPUT.allureResults))) {
  const parsed = reportSchema.safeParse(JSON.parse(readFileSync(report, 'utf8')))
  const warning = await writeAllurePage(outDir, parsed.data && pageTitle(parsed.data))
  if (warning !== undefined) console.error(warning)
}

if (existsSync(page)) {
  console.log(pathToFileURL(page).href)
  reportEvidence()
  if (process.stdout.isTTY) await open(page)
} else if (existsSync(report)) {
  console.log(`The page was not generated in ${outDir}; ${OUTPUT.report} there contains all verdicts.`)
  reportEvidence()
} else {
  console.error(`There is no report in ${outDir}. Run npm test first, or pass the folder of its --out.`)
  process.exitCode = 3
}
