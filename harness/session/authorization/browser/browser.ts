import { chromium, type Browser, type BrowserContext } from 'playwright-core'
import { NotReached } from '../../../evidence/signals.ts'
import { childEnvironment } from '../../../profile/child-environment.ts'
import { chromiumOf } from '../../../profile/chromium.ts'
import { standingHeaders } from '../../../profile/schema/connection.ts'
import { navigateInBrowser } from './recipe.ts'
import type { BrowserProfile } from '../../../profile/schema/authorization.ts'
import type { Profile } from '../../../profile/schema.ts'
import type { RedirectResult } from '../../../evidence/record/answer.ts'
import type { Navigation } from '../page-navigation.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { DriverOptions } from '../driver.ts'

export type RunningBrowser = ReturnType<typeof openBrowser>

/** A proxy address where nothing listens: traffic that is not intercepted, such as a WebSocket, goes nowhere. */
const NOWHERE = { server: 'http://127.0.0.1:9', bypass: '<-loopback>' }
const ARGUMENTS = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
]

const launch = async (browser: BrowserProfile): Promise<Browser> => {
  const executablePath = chromiumOf(browser, process.env)
  try {
    return await chromium.launch({
      executablePath,
      headless: browser.headless,
      proxy: NOWHERE,
      args: ARGUMENTS,
      env: childEnvironment(process.env),
      // The command handles interruptions, not the browser.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    throw new NotReached(`${executablePath} does not start (${reason}); try it by hand with --headless`)
  }
}

/** The user agent of the browser followed by ours, so that the owner of the target can attribute the requests. */
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

/** One Chromium for a run, started for the first authorization. Each authorization has a fresh context. */
export const openBrowser = (authorization: BrowserProfile, profile: Profile, options: DriverOptions) => {
  let running: Promise<Running> | undefined

  const start = async (): Promise<Running> => {
    const browser = await launch(authorization)
    return { browser, userAgent: nameOf(await ownNameOf(browser), profile) }
  }

  const freshContext = async (): Promise<BrowserContext> => {
    const { browser, userAgent } = await (running ??= start())
    // The HTTP client of the run verifies certificates, not the browser.
    return browser.newContext({ userAgent, serviceWorkers: 'block', acceptDownloads: false })
  }

  const end = async (): Promise<void> => {
    const opened = await running?.catch(() => undefined)
    await opened?.browser.close().catch(() => undefined)
  }
  let ending: Promise<void> | undefined
  const close = (): Promise<void> => (ending ??= end())
  // At the end of the run the browser is closed.
  options.ends?.addEventListener('abort', () => void close(), { once: true })

  return {
    close,
    async walk(walk: Navigation, first: HttpRequest): Promise<RedirectResult> {
      options.ends?.throwIfAborted()
      try {
        return await navigateInBrowser({
          walk,
          start: first,
          context: await freshContext(),
          settleMs: authorization.settleMs,
          actMs: profile.deadlines.requestMs,
          ...(options.folder !== undefined && { folder: options.folder }),
        })
      } catch (error) {
        // An error after the end of the run is caused by it.
        options.ends?.throwIfAborted()
        throw error
      }
    },
  }
}
