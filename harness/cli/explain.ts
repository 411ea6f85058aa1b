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
import { endWithReader, EXIT } from './exit.ts'
import type { Report } from '../report/schema.ts'

/** `npm run explain -- PAY-09`: prints a row of the catalogue, its checks, and the next step when it fails. */

/** The report of the last run, if there is one with the same catalogue. */
const lastReport = (out: string, digest: string): Report | undefined => {
  try {
    const report = reportSchema.parse(JSON.parse(readFileSync(join(out, OUTPUT.report), 'utf8')))
    return report.suite.catalogueDigest === digest ? report : undefined
  } catch {
    // A missing report, or one of another version, is not shown.
    return undefined
  }
}

const unknown = (id: string, ids: readonly string[]): string => {
  const near = nearest(id, ids)
  const hint = near === undefined ? 'npm run catalogue shows all ids' : `did you mean ${near}?`
  return `${id}: no row of the catalogue has this id; ${hint}`
}

const explain = async (given: string, { out }: { readonly out: string }): Promise<void> => {
  const sources = { catalogue: await loadCatalogue(), defects: await loadDefects() }
  const { chapters } = documentOf({ ...sources, variations: loadVariations(), descriptive })
  const rows = chapters.flatMap((chapter) => chapter.rows)
  const undisclosedRows = chapters.flatMap(({ undisclosed }) => undisclosed)
  const id = given.toUpperCase()
  const report = lastReport(out, sources.catalogue.digest)
  const colors = colorsFor(process.stdout)
  const row = rows.find((each) => each.id === id)
  const undisclosed = undisclosedRows.find((each) => each.id === id)
  if (row !== undefined) {
    const found = report?.requirements.find((each) => each.id === id)
    console.log(explainRow(row, found, colors))
  } else if (undisclosed !== undefined) {
    const observed = report?.undisclosed.find((each) => each.id === id)?.observed ?? []
    console.log(explainUndisclosed(undisclosed, observed, colors))
  } else {
    console.error(
      unknown(
        given,
        [...rows, ...undisclosedRows].map((each) => each.id),
      ),
    )
    process.exitCode = EXIT.configuration
  }
}

endWithReader()

const command = new Command('explain')
  .description('Prints a row of the catalogue, its checks, and the next step when it fails.')
  .argument('<id>', 'the id of a requirement, such as PAY-09, or of an undisclosed row, such as PAY-U1')
  .option('--out <dir>', 'the folder of the last run', 'reports/latest')
  .allowExcessArguments(false)
  .exitOverride()
  .action(explain)

try {
  await command.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  if (error.exitCode !== 0) process.exitCode = EXIT.configuration
}
