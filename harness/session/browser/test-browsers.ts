import { sampleProfile } from '../../profile/sample.ts'
import { profileSchema } from '../../profile/schema.ts'
import { openBrowser } from './browser-way.ts'
import { ANNA, CALLBACK, START } from './test-bank.ts'
import type { Decision } from '../customer.ts'
import type { Landing } from '../landing.ts'
import type { Means } from '../way.ts'
import type { RunningBrowser } from './browser-way.ts'
import type { TestBank } from './test-bank.ts'

/** Browsers for tests, and a customer in them. */
export interface TestBrowsers {
  readonly open: (means?: Means, more?: object, requestMs?: number) => RunningBrowser
  /** Anna authorizes. */
  readonly walk: (browser: RunningBrowser, bank: TestBank, decision?: Decision) => Promise<Landing>
  readonly close: () => Promise<unknown>
}

/** @param executable the program of the browser, unless a test names another. */
export const testBrowsers = (executable: string): TestBrowsers => {
  const opened: RunningBrowser[] = []
  const profileWith = (more: object = {}, requestMs = 4_000) => {
    const own = { kind: 'browser', executable, code: '#code', settleMs: 1_000, limit: 6, ...more }
    const profile = profileSchema.parse({
      ...{ ...sampleProfile(), authorization: own, deadlines: { requestMs } },
    })
    const { authorization } = profile
    if (authorization.kind !== 'browser') throw new Error('the profile has a browser')
    return { profile, authorization }
  }
  return {
    open(means = {}, more, requestMs) {
      const { profile, authorization } = profileWith(more, requestMs)
      const browser = openBrowser(authorization, profile, means)
      opened.push(browser)
      return browser
    },
    walk(browser, { http }, decision = 'grant') {
      const { authorization: recipe } = profileWith()
      return browser.walk({ http, recipe, customer: ANNA, decision, redirectUri: CALLBACK }, START)
    },
    close: () => Promise.all(opened.map((each) => each.close())),
  }
}
