import { chromium } from 'playwright-core'
import { NotReached } from '../../evidence/signals.ts'
import { chromiumOf } from '../../profile/chromium.ts'
import { standingHeaders } from '../../profile/connection.ts'
import { walkInBrowser } from './walk.ts'
import type { Browser, BrowserContext } from 'playwright-core'
import type { BrowserProfile } from '../../profile/authorization-browser.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Landing } from '../landing.ts'
import type { Walk } from '../customer.ts'
import type { HttpRequest } from '../request.ts'
import type { Means } from '../way.ts'

/** One Chromium for a run. It is started for the first authorization, and each has a fresh context in it. */
export interface RunningBrowser {
  walk(walk: Walk, start: HttpRequest): Promise<Landing>
  close(): Promise<void>
}

/** Nothing listens there: whatever would go past the passage, such as a WebSocket, goes nowhere. */
const NOWHERE = { server: 'http://127.0.0.1:9', bypass: '<-loopback>' }
const ARGUMENTS = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
]

const launch = async (browser: BrowserProfile): Promise<Browser> => {
  const executablePath = chromiumOf(browser, process.env)
  try {
    return await chromium.launch({
      ...{ executablePath, headless: browser.headless, proxy: NOWHERE, args: ARGUMENTS },
      // How a run is interrupted is for the command to say.
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    })
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    throw new NotReached(`${executablePath} does not start (${reason}); try it by hand with --headless`)
  }
}

/** The browser's own name, and ours, so that the owner of the target knows whose requests these are. */
const nameOf = (own: string, { headers }: Profile): string => {
  const entry = Object.entries(standingHeaders(headers)).find(([name]) => name.toLowerCase() === 'user-agent')
  const isOurs = Object.keys(headers).every((name) => name.toLowerCase() !== 'user-agent')
  return isOurs ? `${own} ${entry?.[1] ?? ''}`.trim() : (entry?.[1] ?? own)
}

const ownNameOf = async (browser: Browser): Promise<string> => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    return await page.evaluate<string>('navigator.userAgent')
  } finally {
    await context.close()
  }
}

interface Running {
  readonly browser: Browser
  readonly userAgent: string
}

export const openBrowser = (
  authorization: BrowserProfile,
  profile: Profile,
  means: Means,
): RunningBrowser => {
  let running: Promise<Running> | undefined

  const start = async (): Promise<Running> => {
    const browser = await launch(authorization)
    return { browser, userAgent: nameOf(await ownNameOf(browser), profile) }
  }

  const freshContext = async (): Promise<BrowserContext> => {
    const { browser, userAgent } = await (running ??= start())
    // Certificates are verified where the requests are made, and that is not here.
    return browser.newContext({ userAgent, serviceWorkers: 'block', acceptDownloads: false })
  }

  const end = async (): Promise<void> => {
    const opened = await running?.catch(() => undefined)
    await opened?.browser.close().catch(() => undefined)
  }
  let ending: Promise<void> | undefined
  const close = (): Promise<void> => (ending ??= end())
  // Nothing of a run that was ended stays behind.
  means.ends?.addEventListener('abort', () => void close(), { once: true })

  return {
    close,
    async walk(walk, first) {
      means.ends?.throwIfAborted()
      try {
        return await walkInBrowser({
          ...{ walk, start: first, context: await freshContext() },
          ...{ settleMs: authorization.settleMs, actMs: profile.deadlines.requestMs },
          ...(means.folder !== undefined && { folder: means.folder }),
        })
      } catch (error) {
        // What the end of the run has cut off failed for its reason.
        means.ends?.throwIfAborted()
        throw error
      }
    },
  }
}
