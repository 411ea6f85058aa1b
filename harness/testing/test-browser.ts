import { createRedactor, type Redactor } from '../evidence/redaction.ts'
import { OPERATIONS, type Exchange, type HeaderFields } from '../evidence/exchange.ts'
import { sampleProfile } from './samples/profile.ts'
import { profileSchema } from '../profile/schema.ts'
import { openBrowser } from '../session/authorization/browser/browser.ts'
import type { Http } from '../session/http/http.ts'
import type { HttpRequest } from '../session/http/request.ts'
import type { Decision } from '../session/authorization/customer-acts.ts'
import type { RedirectResult } from '../evidence/record/answer.ts'
import type { DriverOptions } from '../session/authorization/driver.ts'
import type { RunningBrowser } from '../session/authorization/browser/browser.ts'

/** A bank for tests of the browser: a function that answers, and what it was asked. */

export const BANK = 'https://bank.example'

interface TestAnswer {
  readonly status?: number
  readonly headers?: HeaderFields
  readonly type?: string
  readonly body?: string
}

interface TestBank {
  readonly http: Http
  readonly redactor: Redactor
  readonly asked: readonly HttpRequest[]
  /** What was written into the journal. */
  readonly lines: readonly string[]
}

/** @param answerTo gives nothing where no answer comes. */
export const createTestBank = (
  answerTo: (request: HttpRequest, path: string) => TestAnswer | undefined,
): TestBank => {
  const redactor = createRedactor([{ name: 'password', value: PASSWORD }])
  const asked: HttpRequest[] = []
  const lines: string[] = []
  const http: Http = {
    origins: [BANK],
    redactor,
    async send(request, secretsOf, { isUnrecorded = false, onBody, deferWrite } = {}) {
      asked.push(request)
      const reported = answerTo(request, new URL(request.url).pathname)
      const { status = 200, headers = [], type = 'text/html', body = '' } = reported ?? {}
      onBody?.(Buffer.from(body))
      const exchange: Exchange = {
        kind: 'exchange',
        id: `walk/${asked.length}`,
        sender: 'customer',
        operation: request.operation,
        effect: OPERATIONS[request.operation].effect,
        request: { method: request.method, url: request.url, headers: request.headers },
        ...(reported === undefined
          ? { fault: { kind: 'reset', cause: 'ECONNRESET', message: 'closed' } }
          : {
              response: {
                status,
                headers: [['content-type', type], ...headers],
                body: { text: body, bytes: Buffer.byteLength(body) },
              },
            }),
        sentAt: '2026-01-05T09:00:00.000Z',
        durationMs: 1,
      }
      const write = (): void => {
        for (const { name, value } of secretsOf?.(exchange) ?? []) redactor.learn(name, value)
        lines.push(JSON.stringify(redactor.exchange(exchange)))
      }
      if (!isUnrecorded) deferWrite?.(write)
      return exchange
    },
  }
  return { http, redactor, asked, lines }
}

export const CALLBACK = 'https://client.example/callback'
export const PASSWORD = 'p$&$$`w-of-anna'
export const START: HttpRequest = {
  operation: 'authorize',
  sender: 'customer',
  method: 'GET',
  headers: [],
  url: `${BANK}/authorize?state=s`,
}
export const ANNA = { name: 'Anna', username: 'anna', password: PASSWORD, accounts: [] }

export const LOGIN = `<form method="post" action="/login"><input name="username"><input name="password" type="password">
  <input type="hidden" name="csrf" value="hidden-token-1"><button type="submit">Sign in</button></form>`
export const DECISION = `<form method="post" action="/decide"><button name="d" value="grant">Yes</button>
  <button name="d" value="deny">No</button></form>`

/** The page stands in a script: without one there is nothing to see. */
export const scripted = (html: string): TestAnswer => ({
  body: `<div id="root"></div><script>document.getElementById('root').innerHTML = ${JSON.stringify(html)}</script>`,
})

export const to = (location: string, status = 302): TestAnswer => ({
  status,
  headers: [['Location', location]],
})

export const bodyOf = ({ text = '' }: HttpRequest): URLSearchParams => new URLSearchParams(text)

/** Log in, decide, be sent back. */
export const plainBank = (request: HttpRequest, path: string): TestAnswer => {
  if (path === '/authorize') return scripted(LOGIN)
  if (path === '/login') return scripted(DECISION)
  return bodyOf(request).get('d') === 'grant'
    ? to(`${CALLBACK}?code=c0de-of-the-grant&state=s`)
    : to(`${CALLBACK}?error=access_denied&state=s`)
}

export const scriptOnly = (script: string): TestAnswer => ({ body: `<script>${script}</script>` })

/** Browsers for tests, and a customer in them. */
interface TestBrowsers {
  readonly open: (options?: DriverOptions, more?: object, requestMs?: number) => RunningBrowser
  /** Anna authorizes. */
  readonly walk: (browser: RunningBrowser, bank: TestBank, decision?: Decision) => Promise<RedirectResult>
  readonly close: () => Promise<unknown>
}

/** @param executable the program of the browser, unless a test names another. */
export const testBrowsers = (executable: string): TestBrowsers => {
  const opened: RunningBrowser[] = []
  const profileWith = (more: object = {}, requestMs = 4_000) => {
    const own = { kind: 'browser', executable, code: '#code', settleMs: 1_000, limit: 6, ...more }
    const profile = profileSchema.parse({
      ...sampleProfile(),
      authorization: own,
      deadlines: { requestMs },
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
