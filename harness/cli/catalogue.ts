import { mkdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { descriptive } from '../../specs/shared/descriptive.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { loadDefects, loadVariations } from '../proof/selection.ts'
import { documentOf } from '../report/catalogue/document.ts'
import { renderPage } from '../report/catalogue/page.ts'
import { renderSummary } from '../report/catalogue/terminal.ts'
import { writeWhole } from '../report/output-folder.ts'

/** `npm run catalogue`: writes the whole catalogue as a page and as JSON, and prints its counts. */

const { out } = new Command('catalogue')
  .option('--out <dir>', 'folder of the page and the JSON', 'reports/catalogue')
  .parse()
  .opts<{ readonly out: string }>()

const folder = resolve(out)
const document = documentOf({
  catalogue: await loadCatalogue(),
  defects: await loadDefects(),
  variations: loadVariations(),
  descriptive,
})
mkdirSync(folder, { recursive: true })
writeWhole(join(folder, 'catalogue.json'), `${JSON.stringify(document, null, 2)}\n`)
writeWhole(join(folder, 'index.html'), await renderPage(document))

console.log(renderSummary(document))
console.log(`${relative(process.cwd(), folder) || '.'}: index.html catalogue.json`)
