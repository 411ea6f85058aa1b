import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { descriptive } from '../../specs/shared/descriptive.ts'
import { OUTPUT } from '../evidence/output.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { nearest } from '../profile/nearest.ts'
import { loadDefects, loadVariations } from '../proof/selection.ts'
import { documentOf } from '../report/catalogue/document.ts'
import { explainRow, explainUndisclosed } from '../report/catalogue/terminal.ts'
import { reportSchema } from '../report/schema.ts'
import { colorsFor } from '../report/terminal/text.ts'
import type { Report } from '../report/schema.ts'

/** `npm run explain -- PAY-09`: what a row of the catalogue says, what judges it, and what to do when it fails. */

const CONFIGURATION_ERROR = 3

/** What the last run found, where there was one, and it judged the same claims. */
const lastReport = (out: string, digest: string): Report | undefined => {
  try {
    const report = reportSchema.parse(JSON.parse(readFileSync(join(out, OUTPUT.report), 'utf8')))
    return report.suite.catalogueDigest === digest ? report : undefined
  } catch {
    // A report that is not there, or of another version, leaves its part out.
    return undefined
  }
}

const unknown = (id: string, ids: readonly string[]): string => {
  const near = nearest(id, ids)
  const hint = near === undefined ? 'npm run catalogue shows them all' : `did you mean ${near}?`
  return `${id}: no row of the catalogue has this id; ${hint}`
}

const explain = async (given: string, { out }: { readonly out: string }): Promise<void> => {
  const sources = { catalogue: await loadCatalogue(), defects: await loadDefects() }
  const { chapters } = documentOf({ ...sources, variations: loadVariations(), descriptive })
  const rows = chapters.flatMap((chapter) => chapter.rows)
  const open = chapters.flatMap(({ undisclosed }) => undisclosed)
  const id = given.toUpperCase()
  const report = lastReport(out, sources.catalogue.digest)
  const colors = colorsFor(process.stdout)
  const row = rows.find((each) => each.id === id)
  const hidden = open.find((each) => each.id === id)
  if (row !== undefined) {
    const found = report?.requirements.find((each) => each.id === id)
    console.log(explainRow(row, found, colors))
  } else if (hidden !== undefined) {
    const observed = report?.undisclosed.find((each) => each.id === id)?.observed ?? []
    console.log(explainUndisclosed(hidden, observed, colors))
  } else {
    console.error(
      unknown(
        given,
        [...rows, ...open].map((each) => each.id),
      ),
    )
    process.exitCode = CONFIGURATION_ERROR
  }
}

const command = new Command('explain')
  .description('Tells what a row of the catalogue says, what judges it, and what to do when it fails.')
  .argument('<id>', 'the id of a requirement, such as PAY-09, or of an undisclosed row, such as PAY-U1')
  .option('--out <dir>', 'the folder of the last run', 'reports/latest')
  .allowExcessArguments(false)
  .exitOverride()
  .action(explain)

try {
  await command.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  if (error.exitCode !== 0) process.exitCode = CONFIGURATION_ERROR
}
