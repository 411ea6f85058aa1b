import { describe } from 'vitest'
import { chromiumOf } from '../profile/chromium.ts'

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
  describe.skipIf(CHROMIUM === '')(title, tests)
}
