import { join, relative, resolve } from 'node:path'
import { interfaceText } from '../plan/specs.ts'
import { renderCatalogue } from '../report/catalogue/page.ts'
import { renderStatements, traceStatements } from '../report/catalogue/statements.ts'
import { renderSummary } from '../report/catalogue/counts.ts'
import { makeFolder } from '../evidence/make-folder.ts'
import { unwritable, writeWhole } from '../report/output-folder.ts'
import { commandOf, endWithReader, EXIT } from './exit.ts'
import { loadDocument } from './load-document.ts'

/** `npm run catalogue`: writes the whole catalogue as a page and as JSON, and prints its counts. */

const command = commandOf(
  'catalogue',
  'Writes the whole catalogue as a page and as JSON, and prints its counts.',
)
  .option('--out <dir>', 'folder of the page and the JSON', 'reports/catalogue')
  .option('--catalogue <dir>', 'also the checks in this folder, which a bank or a scheme wrote for itself')
  .option('--statements', 'print each statement of the interface with its requirements')

export const main = async (argv: readonly string[]): Promise<number> => {
  endWithReader()
  command.parse([...argv], { from: 'user' })
  const {
    out,
    statements,
    catalogue: own,
  } = command.opts<{ readonly out: string; readonly statements?: true; readonly catalogue?: string }>()
  const folder = resolve(out)
  try {
    makeFolder(folder)
  } catch (error) {
    throw unwritable(out, error)
  }
  const document = await loadDocument(own)
  writeWhole(join(folder, 'catalogue.json'), `${JSON.stringify(document, null, 2)}\n`)
  const traced = traceStatements(interfaceText(), document)
  writeWhole(join(folder, 'index.html'), await renderCatalogue(document, traced))
  console.log(statements === true ? renderStatements(traced) : renderSummary(document))
  console.log(`${relative(process.cwd(), folder) || '.'}: index.html catalogue.json`)
  return EXIT.ok
}
