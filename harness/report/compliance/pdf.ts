import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OUTPUT } from '../../evidence/output.ts'
import { childEnvironment } from '../../profile/child-environment.ts'
import { chromiumOf } from '../../profile/chromium.ts'
import { messageOf } from '../../evidence/errors.ts'
import { writeWhole } from '../output-folder.ts'
import type { Page } from 'playwright-core'

/** `compliance.pdf`: the compliance report on A4, printed by an installed Chromium. */

/** A long report has hundreds of pages. */
const TIMEOUT_MS = 120_000

/** The pages of the links in the file. Chromium writes the objects of the pages in their order. */
const pagesIn = (pdf: Buffer): Readonly<Record<string, number>> => {
  const text = pdf.toString('latin1')
  const pages = [...text.matchAll(/^(\d+) 0 obj\n<<\/Type \/Page\n/gm)].map(([, number]) => Number(number))
  const inOrder = pages.toSorted((one, other) => one - other)
  const places = text.matchAll(/\/([\w-]+) \[(\d+) 0 R \/XYZ/g)
  return Object.fromEntries(
    [...places].map(([, name = '', object]) => [name, inOrder.indexOf(Number(object)) + 1]),
  )
}

/** Puts page numbers into the contents: no style of Chromium can count them. */
const numberContents = (page: Page, pages: Readonly<Record<string, number>>): Promise<unknown> =>
  page.evaluate(
    `for (const { hash, dataset } of document.querySelectorAll('.contents a')) dataset.page = ${JSON.stringify(pages)}[hash.slice(1)] ?? '000'`,
  )

/** Resolves to a warning if it cannot be printed: the page changes no verdict. */
export const writeCompliancePdf = async (
  outDir: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> => {
  try {
    const executablePath = chromiumOf({}, env)
    // Imported late, since its package is large.
    const { chromium } = await import('playwright-core')
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox'],
      env: childEnvironment(env),
    })
    try {
      const page = await browser.newPage({ javaScriptEnabled: false, colorScheme: 'light' })
      page.setDefaultTimeout(TIMEOUT_MS)
      await page.goto(pathToFileURL(join(outDir, OUTPUT.compliance)).href)
      const print = () =>
        page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true })
      await numberContents(page, {})
      await numberContents(page, pagesIn(await print()))
      writeWhole(join(outDir, OUTPUT.compliancePdf), await print())
    } finally {
      await browser.close()
    }
    return undefined
  } catch (error) {
    const reason = messageOf(error).split('\n', 1)[0] ?? ''
    return `${OUTPUT.compliancePdf} was not written: ${reason}. ${OUTPUT.compliance} has the same content, and any browser can print it.`
  }
}
