import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { typed } from '../evidence/command-names.ts'
import { OUTPUT } from '../evidence/output.ts'
import { pageTitle, writeAllurePage } from '../report/allure/page.ts'
import { verifyEvidenceOf } from '../report/evidence-file.ts'
import { isAsListed, writeManifest } from '../report/certificate/manifest.ts'
import { LATEST } from '../report/run-folder.ts'
import { reportSchema } from '../report/schema.ts'
import { commandOf, EXIT } from './exit.ts'

/**
 * `npm run report [-- DIR]`: opens the Allure page of a run in the browser, or prints its address, and says whether the
 * evidence is unchanged. A page that an interrupted run has not generated is generated now.
 */

const command = commandOf(
  'report',
  'Opens the page of a run, and says whether its evidence is unchanged.',
).argument('[folder]', 'the folder of the run: what was given as --out', LATEST)

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
}

const openPage = (page: string): void => {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...words, page], { detached: true, stdio: 'ignore' })
  // The address is printed, so that a machine without a browser needs no message.
  child.on('error', () => undefined)
  child.unref()
}

const reportEvidence = (outDir: string): number => {
  const { isUnchanged, sentence } = verifyEvidenceOf(outDir)
  if (isUnchanged) console.log(sentence)
  else console.error(sentence)
  return isUnchanged ? EXIT.ok : EXIT.nonconforming
}

export const main = async (argv: readonly string[]): Promise<number> => {
  const [outDir = ''] = command.parse([...argv], { from: 'user' }).processedArgs as readonly string[]
  const page = resolve(outDir, OUTPUT.allureReport, 'index.html')
  const report = resolve(outDir, OUTPUT.report)
  if (!existsSync(page) && existsSync(report) && existsSync(resolve(outDir, OUTPUT.allureResults))) {
    const parsed = reportSchema.safeParse(JSON.parse(readFileSync(report, 'utf8')))
    const wasAsListed = isAsListed(outDir)
    const warning = await writeAllurePage(outDir, parsed.success ? { title: pageTitle(parsed.data) } : {})
    if (warning !== undefined) console.error(warning)
    // An interrupted run has no certificate: the page is added to its manifest, unless anything else was changed since.
    else if (wasAsListed && parsed.success && parsed.data.conclusion === 'interrupted') writeManifest(outDir)
  }
  const compliance = resolve(outDir, OUTPUT.compliance)
  if (existsSync(compliance)) console.log(pathToFileURL(compliance).href)
  if (existsSync(page)) {
    console.log(pathToFileURL(page).href)
    const exitCode = reportEvidence(outDir)
    if (process.stdout.isTTY) openPage(page)
    return exitCode
  }
  if (existsSync(report)) {
    console.log(`The page was not generated in ${outDir}; ${OUTPUT.report} there contains all verdicts.`)
    return reportEvidence(outDir)
  }
  console.error(
    `There is no report in ${outDir}. Run ${typed('run')} first, or pass the folder of its --out.`,
  )
  return EXIT.configuration
}
