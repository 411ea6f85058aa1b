import { describe } from 'vitest'
import { chromiumOf } from '../profile/chromium.ts'

/** Tests that need a browser. Where none is installed they are left out, and say so. */

const find = (): string | undefined => {
  try {
    return chromiumOf({}, process.env)
  } catch {
    return undefined
  }
}

/** The program of the browser, or no path at all. */
export const CHROMIUM = find() ?? ''

/** As `describe`, where a browser is installed. */
export const describeInBrowser = (title: string, tests: () => void): void => {
  if (CHROMIUM === '') console.warn(`left out, since no Chromium is installed (CHROMIUM_PATH): ${title}`)
  describe.skipIf(CHROMIUM === '')(title, tests)
}
