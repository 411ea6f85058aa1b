import { createRequire } from 'node:module'
import { describe } from 'vitest'
import { chromiumOf } from '../profile/chromium.ts'
import { SLOW } from './slow.ts'
import type { Page } from 'playwright-core'

/** Tests that need a browser. They are skipped with a warning if none is installed. */

const find = (): string | undefined => {
  try {
    return chromiumOf({}, process.env)
  } catch {
    return undefined
  }
}

/** The path of the browser, or an empty string. */
export const CHROMIUM = find() ?? ''

/** `describe`, skipped if no browser is installed. */
export const describeInBrowser = (title: string, tests: () => void): void => {
  if (CHROMIUM === '') console.warn(`skipped, since no Chromium is installed (CHROMIUM_PATH): ${title}`)
  describe.skipIf(CHROMIUM === '')(title, SLOW, tests)
}

interface Axe {
  run(): Promise<{
    readonly violations: readonly {
      readonly id: string
      readonly nodes: readonly { readonly html: string }[]
    }[]
  }>
}

/** What axe-core finds on a page, with the first place of each. The page must be open with `bypassCSP`. */
export const axeFindings = async (page: Page): Promise<readonly string[]> => {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
  const found = await page.evaluate(
    async () => (await (globalThis as unknown as { axe: Axe }).axe.run()).violations,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
}
