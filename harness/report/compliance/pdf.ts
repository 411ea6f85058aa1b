import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OUTPUT } from '../../evidence/output.ts'
import { childEnvironment } from '../../profile/child-environment.ts'
import { chromiumOf } from '../../profile/chromium.ts'
import { messageOf } from '../../evidence/errors.ts'

/** `compliance.pdf`: the compliance report on A4, printed by an installed Chromium. */

/** A long report has hundreds of pages. */
const TIMEOUT_MS = 120_000

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
      await page.pdf({
        path: join(outDir, OUTPUT.compliancePdf),
        preferCSSPageSize: true,
        printBackground: true,
        tagged: true,
        outline: true,
      })
    } finally {
      await browser.close()
    }
    return undefined
  } catch (error) {
    const reason = messageOf(error).split('\n', 1)[0] ?? ''
    return `${OUTPUT.compliancePdf} was not written: ${reason}. ${OUTPUT.compliance} has the same content, and any browser can print it.`
  }
}
