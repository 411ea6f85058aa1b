import { typed } from '../evidence/command-names.ts'
import { nearest } from '../profile/nearest.ts'
import { explainRow, explainNotShown } from '../report/catalogue/terminal.ts'
import { LATEST } from '../report/run-folder.ts'
import { findReport } from '../report/read-report.ts'
import { colorsFor, widthOf } from '../report/terminal/text.ts'
import { commandOf, endWithReader, EXIT } from './exit.ts'
import { loadDocument } from './load-document.ts'

/** `npm run explain -- PAY-09`: prints a row of the catalogue, its checks, and the next step when it fails. */

const unknown = (id: string, ids: readonly string[]): string => {
  const near = nearest(id, ids)
  const hint = near === undefined ? `${typed('catalogue')} shows all ids` : `did you mean ${near}?`
  return `${id}: no row of the catalogue has this id; ${hint}`
}

interface Options {
  readonly out: string
  readonly catalogue?: string
}

const explain = async (given: string, { out, catalogue: own }: Options): Promise<number> => {
  const { chapters, suite } = await loadDocument(own)
  const rows = chapters.flatMap((chapter) => chapter.rows)
  const notShownRows = chapters.flatMap(({ notShown }) => notShown)
  const id = given.toUpperCase()
  const last = findReport(out)
  // The last run may have judged another catalogue.
  const report = last?.suite.catalogueDigest === suite.catalogueDigest ? last : undefined
  const style = { colors: colorsFor(process.stdout), width: widthOf(process.stdout), ownChecks: own }
  const row = rows.find((each) => each.id === id)
  const notShown = notShownRows.find((each) => each.id === id)
  if (row !== undefined) {
    const found = report?.requirements.find((each) => each.id === id)
    console.log(explainRow(row, found, style))
  } else if (notShown !== undefined) {
    const observed = report?.notShown.find((each) => each.id === id)?.observed ?? []
    console.log(explainNotShown(notShown, observed, style))
  } else {
    console.error(
      unknown(
        given,
        [...rows, ...notShownRows].map((each) => each.id),
      ),
    )
    return EXIT.configuration
  }
  return EXIT.ok
}

const command = commandOf(
  'explain',
  'Prints a row of the catalogue, its checks, and the next step when it fails.',
)
  .argument(
    '<id>',
    'the id of a requirement, such as PAY-09, or of a detail that the interface does not show, such as PAY-U1',
  )
  .option('--catalogue <dir>', 'also the checks in this folder, which a bank or a scheme wrote for itself')
  .option('--out <dir>', 'the folder of the last run', LATEST)

export const main = async (argv: readonly string[]): Promise<number> => {
  endWithReader()
  const [id = ''] = command.parse([...argv], { from: 'user' }).args
  return explain(id, command.opts())
}
