import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { encodingsOf } from '../../evidence/redaction.ts'
import { HeldBack, Inconclusive, NotReached } from '../../evidence/signals.ts'
import { sampleProfile } from '../../profile/sample.ts'
import { profileSchema } from '../../profile/schema.ts'
import { CHROMIUM, describeInBrowser } from '../../rehearsal/installed-chromium.ts'
import { openBrowser } from './browser-way.ts'
import { BANK, createTestBank } from './test-bank.ts'
import type { Decision } from '../customer.ts'
import type { HttpRequest } from '../request.ts'
import type { Means } from '../way.ts'
import type { RunningBrowser } from './browser-way.ts'
import type { TestAnswer, TestBank } from './test-bank.ts'

const CALLBACK = 'https://client.example/callback'
const PASSWORD = 'p$&$$`w-of-anna'
const START: HttpRequest = {
  ...{ operation: 'authorize', sender: 'customer', method: 'GET', headers: [] },
  url: `${BANK}/authorize?state=s`,
}
const ANNA = { name: 'Anna', username: 'anna', password: PASSWORD, accounts: [] }

const folder = join(mkdtempSync(join(tmpdir(), 'browser-way-')), 'traces')

const profileWith = (more: object = {}) => {
  const profile = profileSchema.parse({
    ...sampleProfile(),
    authorization: { kind: 'browser', executable: CHROMIUM, code: '#code', settleMs: 300, limit: 6, ...more },
    deadlines: { requestMs: 4_000 },
  })
  const { authorization } = profile
  if (authorization.kind !== 'browser') throw new Error('the profile has a browser')
  return { profile, authorization }
}

const opened: RunningBrowser[] = []
const openOne = (means: Means = {}, more: object = {}): RunningBrowser => {
  const { profile, authorization } = profileWith(more)
  const browser = openBrowser(authorization, profile, means)
  opened.push(browser)
  return browser
}

const LOGIN = `<form method="post" action="/login"><input name="username"><input name="password" type="password">
  <input type="hidden" name="csrf" value="hidden-token-1"><button type="submit">Sign in</button></form>`
const DECISION = `<form method="post" action="/decide"><button name="d" value="grant">Yes</button>
  <button name="d" value="deny">No</button></form>`

/** The page stands in a script: without one there is nothing to see. */
const scripted = (html: string): TestAnswer => ({
  body: `<div id="root"></div><script>document.getElementById('root').innerHTML = ${JSON.stringify(html)}</script>`,
})

const to = (location: string, status = 302): TestAnswer => ({ status, headers: [['Location', location]] })

const bodyOf = ({ text = '' }: HttpRequest): URLSearchParams => new URLSearchParams(text)

/** Log in, decide, be sent back. */
const plainBank = (request: HttpRequest, path: string): TestAnswer => {
  if (path === '/authorize') return scripted(LOGIN)
  if (path === '/login') return scripted(DECISION)
  return bodyOf(request).get('d') === 'grant'
    ? to(`${CALLBACK}?code=c0de-of-the-grant&state=s`)
    : to(`${CALLBACK}?error=access_denied&state=s`)
}

describeInBrowser('a customer in a real browser', () => {
  let browser: RunningBrowser

  const walk = (bank: TestBank, decision: Decision = 'grant', by = browser) => {
    const { authorization: recipe } = profileWith()
    return by.walk({ http: bank.http, recipe, customer: ANNA, decision, redirectUri: CALLBACK }, START)
  }

  beforeAll(() => void (browser = openOne({ folder })))

  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  afterAll(() => Promise.all(opened.map((each) => each.close())))

  test('acts on pages that scripts have built, and ends where the redirect leads', async () => {
    const bank = createTestBank(plainBank)
    expect(await walk(bank)).toMatchObject({
      ...{ kind: 'landing', outcome: 'redirect', code: 'c0de-of-the-grant', acted: [0, 1] },
      ...{ redirect: `${CALLBACK}?code=c0de-of-the-grant&state=s`, decision: 'granted' },
      exchange: { id: 'walk/3' },
    })
    expect(bank.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${START.url}`,
      `POST ${BANK}/login`,
      `POST ${BANK}/decide`,
    ])
    expect(bank.asked[1] && bodyOf(bank.asked[1]).get('password')).toBe(PASSWORD)
    expect(existsSync(folder)).toBe(false)
  })

  test('refuses where the customer is to refuse', async () => {
    const landing = await walk(createTestBank(plainBank), 'deny')
    expect(landing).toMatchObject({ outcome: 'redirect', decision: 'denied' })
    expect(landing.redirect).toContain('error=access_denied')
    expect(landing.code).toBeUndefined()
  })

  test('sends nothing to anybody but the bank', async () => {
    const bank = createTestBank((request, path) =>
      path === '/authorize'
        ? {
            body: `<img src="https://elsewhere.example/i.png"><img src="/own.png">
              <script src="https://elsewhere.example/s.js"></script><script src="/own.js"></script>
              <iframe src="https://elsewhere.example/frame"></iframe>
              <script>fetch('https://elsewhere.example/x').catch(() => undefined)
              new WebSocket('wss://bank.example/socket')
              navigator.sendBeacon('https://elsewhere.example/beacon', 'x')</script>${LOGIN}`,
          }
        : path === '/own.js'
          ? { type: 'text/javascript', body: 'window.own = true' }
          : plainBank(request, path),
    )
    expect((await walk(bank)).outcome).toBe('redirect')
    expect(new Set(bank.asked.map(({ url }) => url))).toEqual(
      new Set([START.url, `${BANK}/own.js`, `${BANK}/login`, `${BANK}/decide`]),
    )
    expect(bank.lines.length).toBe(3)
  })

  test('follows the redirects of the bank, with its cookies, and asks again where it is told to', async () => {
    const bank = createTestBank((request, path) => {
      if (path === '/authorize')
        return {
          ...to('/next'),
          headers: [
            ['Location', '/next'],
            ['Set-Cookie', 'sid=s1'],
          ],
        }
      if (path === '/next') return to('/login-page', 303)
      if (path === '/login-page') return { body: LOGIN }
      if (path === '/login') return to('/login-again', 307)
      if (path === '/login-again') return scripted(DECISION)
      return plainBank(request, path)
    })
    expect((await walk(bank)).outcome).toBe('redirect')
    expect(bank.asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'GET /authorize',
      'GET /next',
      'GET /login-page',
      'POST /login',
      'POST /login-again',
      'POST /decide',
    ])
    expect(bank.asked[4] && bodyOf(bank.asked[4]).get('username')).toBe('anna')
    for (const { headers } of bank.asked.slice(1)) expect(headers).toContainEqual(['cookie', 'sid=s1'])
  })

  test('reads a code that a script has fetched, and the evidence does not show it', async () => {
    const bank = createTestBank((request, path) =>
      path === '/decide'
        ? {
            body: `<output id="code"></output><script>fetch('/code').then((a) => a.json())
              .then(({ it }) => (document.getElementById('code').textContent = it))</script>`,
          }
        : path === '/code'
          ? { type: 'application/json', body: '{"it":"c0de-on-the-screen"}' }
          : plainBank(request, path),
    )
    expect(await walk(bank)).toMatchObject({ outcome: 'result-screen', code: 'c0de-on-the-screen' })
    expect(bank.lines).toHaveLength(4)
    expect(bank.lines.filter((line) => line.includes('c0de-on-the-screen'))).toEqual([])
    expect(bank.lines.filter((line) => line.includes('hidden-token-1'))).toEqual([])
  })

  test('a script may send the browser out of the bank', async () => {
    const bank = createTestBank((request, path) =>
      path === '/decide'
        ? scriptOnly(`location.assign(${JSON.stringify(`${CALLBACK}?code=by-script`)})`)
        : plainBank(request, path),
    )
    expect(await walk(bank)).toMatchObject({ outcome: 'redirect', code: 'by-script' })
  })

  test('a page that the recipe does not know is where it ends, and is shown without secrets', async () => {
    const bank = createTestBank((request, path) =>
      path === '/login'
        ? {
            status: 403,
            body: `<p id="told">Anna, ${PASSWORD.replaceAll('&', '&amp;')} is no password</p>
              <p id="split">p$&amp;$$<b>\`w-of</b>-anna</p><input name="p" value="${PASSWORD.replaceAll('&', '&amp;')}">
              <p id="plain">Try again.</p>`,
          }
        : plainBank(request, path),
    )
    expect(await walk(bank)).toMatchObject({ outcome: 'page', acted: [0], exchange: { id: 'walk/2' } })
    const [trace = ''] = readdirSync(folder)
    expect(trace).toBe('walk-2')
    const kept = readdirSync(join(folder, trace)).sort()
    expect(kept).toEqual(['page.html.txt', 'page.png', 'steps.jsonl'])
    for (const file of kept) {
      const text = readFileSync(join(folder, trace, file), 'utf8')
      const found = [PASSWORD, 'hidden-token-1'].flatMap(encodingsOf).filter((each) => text.includes(each))
      expect(found, file).toEqual([])
    }
    expect(readFileSync(join(folder, trace, 'page.html.txt'), 'utf8')).toContain('Try again.')
    const picture = readFileSync(join(folder, trace, 'page.png')).toString('base64')
    expect(await colorsIn(picture)).toEqual({ told: 'black', split: 'black', plain: 'light' })
  })

  test('a login that is not accepted is not tried for ever', async () => {
    const bank = createTestBank(() => scripted(LOGIN))
    expect(await walk(bank)).toMatchObject({ outcome: 'page', acted: [0], decision: 'unasked' })
    expect(bank.asked).toHaveLength(2)
  })

  test('no answer is a fault, and no page', async () => {
    const bank = createTestBank((request, path) => (path === '/login' ? undefined : plainBank(request, path)))
    expect(await walk(bank)).toMatchObject({ outcome: 'fault', exchange: { id: 'walk/2' } })
  })

  test('redirects without an end are inconclusive', async () => {
    let count = 0
    const bank = createTestBank(() => to(`/on/${(count += 1)}`))
    const stopped = await walk(bank).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(Inconclusive)
    expect((stopped as Error).message).toMatch(/had not ended after 6 pages and redirects.*at walk\/6$/)
  })

  test('a form that leads out of the bank is not sent, and says what to do', async () => {
    const bank = createTestBank(() => ({
      body: LOGIN.replace('"/login"', '"https://login.elsewhere.example/"'),
    }))
    const stopped = await walk(bank).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(NotReached)
    expect((stopped as Error).message).toContain(
      "leads to https://login.elsewhere.example; if it is the bank's",
    )
    expect(bank.asked).toHaveLength(1)
  })

  test('what may not be sent stops it', async () => {
    const { http, ...bank } = createTestBank(plainBank)
    const refusing = { ...http, send: () => Promise.reject(new HeldBack('not allowed here')) }
    await expect(walk({ ...bank, http: refusing })).rejects.toThrow(HeldBack)
  })

  test('a button that nobody can press is not passed over', async () => {
    const bank = createTestBank(() => ({ body: LOGIN.replace('<button', '<button disabled') }))
    const stopped = await walk(bank).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(NotReached)
    expect((stopped as Error).message).toContain(
      '"button[type=submit]" within 4000 ms (authorization.pages.0.press)',
    )
  })

  test('a program that is no browser is told of', async () => {
    const other = openOne({}, { executable: process.execPath })
    const stopped = await walk(createTestBank(plainBank), 'grant', other).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(NotReached)
    expect((stopped as Error).message).toContain(`${process.execPath} does not start`)
  })

  test.each(['closed', 'ended'] as const)('leaves no process behind when the run is %s', async (how) => {
    const pids = mkdtempSync(join(tmpdir(), 'browser-pid-'))
    const program = join(pids, 'browser.sh')
    writeFileSync(program, `#!/bin/sh\necho $$ > ${pids}/pid\nexec '${CHROMIUM}' "$@"\n`, { mode: 0o755 })
    const end = new AbortController()
    const own = openOne({ ends: end.signal }, { executable: program })
    const bank = createTestBank((request, path) => {
      if (how === 'ended' && path === '/login') end.abort(new Inconclusive('the run was interrupted'))
      return plainBank(request, path)
    })
    const came = await walk(bank, 'grant', own).catch((error: unknown) => error)
    if (how === 'ended') expect((came as Error).message).toBe('the run was interrupted')
    else expect(came).toMatchObject({ outcome: 'redirect' })
    await own.close()
    expect(isRunning(Number(readFileSync(join(pids, 'pid'), 'utf8')))).toBe(false)
    rmSync(pids, { recursive: true })
  })

  /** Looks at the picture where the elements of the page of that test stand: in the browser, which can read it. */
  const colorsIn = async (picture: string): Promise<unknown> => {
    const { chromium } = await import('playwright-core')
    const running = await chromium.launch({ executablePath: CHROMIUM })
    try {
      const page = await running.newPage()
      await page.setContent(`<img src="data:image/png;base64,${picture}">`)
      return await page.evaluate(`(async () => {
        const image = document.querySelector('img')
        await image.decode()
        const canvas = document.createElement('canvas')
        canvas.width = image.width
        canvas.height = image.height
        const drawing = canvas.getContext('2d')
        drawing.drawImage(image, 0, 0)
        // The middle of each paragraph, by its height and margin in a page without a style.
        const brightest = (y) => Math.max(...drawing.getImageData(8, y, 60, 1).data.filter((_, at) => at % 4 !== 3))
        const tone = (y) => (brightest(y) === 0 ? 'black' : 'light')
        return { told: tone(25), split: tone(59), plain: tone(110) }
      })()`)
    } finally {
      await running.close()
    }
  }
})

const scriptOnly = (script: string): TestAnswer => ({ body: `<script>${script}</script>` })

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
