import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formsOf } from '../../../testing/leaks.ts'
import { HeldBack, Inconclusive, NotReached } from '../../../evidence/signals.ts'
import { CHROMIUM, describeInBrowser } from '../../../testing/installed-chromium.ts'
import {
  createTestBank,
  LOGIN,
  PASSWORD,
  plainBank,
  scriptOnly,
  to,
  testBrowsers,
} from '../../../testing/test-browser.ts'
import type { RunningBrowser } from './browser.ts'

describeInBrowser('an authorization in a browser that leads nowhere', () => {
  const { open, walk, close } = testBrowsers(CHROMIUM)
  const folder = mkdtempSync(join(tmpdir(), 'browser-traces-'))
  let browser: RunningBrowser
  beforeAll(() => void (browser = open({ folder })))
  afterAll(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a page that the recipe does not know is where it ends, and is shown without secrets', async () => {
    // A grant leaves nothing to look at.
    await walk(browser, createTestBank(plainBank))
    const bank = createTestBank((request, path) =>
      path === '/login'
        ? {
            status: 403,
            body: `<p id="reported">Anna, ${PASSWORD.replaceAll('&', '&amp;')} is no password</p>
              <p id="split">p$&amp;$$<b>\`w-of</b>-anna</p><input name="p" value="${PASSWORD.replaceAll('&', '&amp;')}">
              <p id="plain">Try again.</p>`,
          }
        : plainBank(request, path),
    )
    expect(await walk(browser, bank)).toMatchObject({
      outcome: 'page',
      acted: [0],
      exchange: { id: 'walk/2' },
    })
    const [trace = '', ...others] = readdirSync(folder)
    expect([trace, others]).toEqual(['walk-2', []])
    const kept = readdirSync(join(folder, trace)).sort()
    expect(kept).toEqual(['page.html.txt', 'page.png', 'steps.jsonl'])
    for (const file of kept) {
      const text = readFileSync(join(folder, trace, file), 'utf8')
      const found = [PASSWORD, 'hidden-token-1']
        .flatMap((value) => [...formsOf(value).keys()])
        .filter((each) => text.includes(each))
      expect(found, file).toEqual([])
    }
    expect(readFileSync(join(folder, trace, 'page.html.txt'), 'utf8')).toContain('Try again.')
    const picture = readFileSync(join(folder, trace, 'page.png')).toString('base64')
    expect(await colorsIn(picture)).toEqual({ reported: 'black', split: 'black', plain: 'light' })
  })

  test('no answer is a fault, and no page', async () => {
    const bank = createTestBank((request, path) => (path === '/login' ? undefined : plainBank(request, path)))
    expect(await walk(browser, bank)).toMatchObject({ outcome: 'fault', exchange: { id: 'walk/2' } })
  })

  test('redirects without an end are inconclusive', async () => {
    let count = 0
    const bank = createTestBank(() => to(`/on/${(count += 1)}`))
    const stopped = await walk(browser, bank).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(Inconclusive)
    expect((stopped as Error).message).toMatch(/had not ended after 6 pages and redirects.*at walk\/6$/)
  })

  test('a form that leads out of the bank is not sent, and says what to do', async () => {
    const bank = createTestBank(() => ({
      body: LOGIN.replace('"/login"', '"https://login.elsewhere.example/"'),
    }))
    const stopped = await walk(browser, bank).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(NotReached)
    expect((stopped as Error).message).toContain(
      "leads to https://login.elsewhere.example; if it is the bank's",
    )
    expect(bank.asked).toHaveLength(1)
  })

  test('what may not be sent stops it', async () => {
    const { http, ...bank } = createTestBank(plainBank)
    const refusing = { ...http, send: () => Promise.reject(new HeldBack('not allowed here')) }
    await expect(walk(browser, { ...bank, http: refusing })).rejects.toThrow(HeldBack)
  })

  test('a button that cannot be pressed is reported', async () => {
    const bank = createTestBank(() => ({ body: LOGIN.replace('<button', '<button disabled') }))
    const stopped = await walk(browser, bank).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(NotReached)
    expect((stopped as Error).message).toContain(
      '"button[type=submit]" could not be used within 4000 ms (authorization.pages.0.press)',
    )
  })

  test('a page whose scripts never stop does not hold up the run', async () => {
    const hasty = open({}, {}, 500)
    const bank = createTestBank(() => scriptOnly('for (;;);'))
    const stopped = await walk(hasty, bank).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(Inconclusive)
    expect((stopped as Error).message).toBe('for 2000 ms nothing has come of the page of walk/1')
  })

  test('a program that is no browser is reported', async () => {
    const other = open({}, { executable: process.execPath })
    const stopped = await walk(other, createTestBank(plainBank)).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(NotReached)
    expect((stopped as Error).message).toContain(`${process.execPath} does not start`)
  })

  test.each(['closed', 'ended'] as const)('leaves no process behind when the run is %s', async (how) => {
    const pids = mkdtempSync(join(tmpdir(), 'browser-pid-'))
    const program = join(pids, 'browser.sh')
    writeFileSync(program, `#!/bin/sh\necho $$ > ${pids}/pid\nexec '${CHROMIUM}' "$@"\n`, { mode: 0o755 })
    const end = new AbortController()
    const own = open({ ends: end.signal }, { executable: program })
    const bank = createTestBank((request, path) => {
      if (how === 'ended' && path === '/login') end.abort(new Inconclusive('the run was interrupted'))
      return plainBank(request, path)
    })
    const came = await walk(own, bank).catch((error: unknown) => error)
    if (how === 'ended') expect((came as Error).message).toBe('the run was interrupted')
    else expect(came).toMatchObject({ outcome: 'redirect' })
    await own.close()
    expect(isRunning(Number(readFileSync(join(pids, 'pid'), 'utf8')))).toBe(false)
    rmSync(pids, { recursive: true })
  })
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
      return { reported: tone(25), split: tone(59), plain: tone(110) }
    })()`)
  } finally {
    await running.close()
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
