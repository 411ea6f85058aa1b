import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM, describeInBrowser } from '../../../testing/installed-chromium.ts'
import {
  BANK,
  bodyOf,
  CALLBACK,
  createTestBank,
  LOGIN,
  PASSWORD,
  plainBank,
  scripted,
  scriptOnly,
  START,
  to,
  DECISION,
  testBrowsers,
} from '../../../testing/test-browser.ts'
import type { AddressInfo } from 'node:net'
import type { RunningBrowser } from './browser.ts'

describeInBrowser('a customer in a real browser', () => {
  const { open, walk, close } = testBrowsers(CHROMIUM)
  let browser: RunningBrowser
  beforeAll(() => void (browser = open()))
  afterAll(close)

  test('acts on pages that scripts have built, and ends where the redirect leads', async () => {
    const bank = createTestBank(plainBank)
    expect(await walk(browser, bank)).toMatchObject({
      kind: 'redirect-result',
      outcome: 'redirect',
      code: 'c0de-of-the-grant',
      acted: [0, 1],
      redirect: `${CALLBACK}?code=c0de-of-the-grant&state=s`,
      decision: 'granted',
      exchange: { id: 'walk/3' },
    })
    expect(bank.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${START.url}`,
      `POST ${BANK}/login`,
      `POST ${BANK}/decide`,
    ])
    expect(bank.asked[1] && bodyOf(bank.asked[1]).get('password')).toBe(PASSWORD)
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
    expect((await walk(browser, bank)).outcome).toBe('redirect')
    expect(new Set(bank.asked.map(({ url }) => url))).toEqual(
      new Set([START.url, `${BANK}/own.js`, `${BANK}/login`, `${BANK}/decide`]),
    )
    expect(bank.lines.length).toBe(3)
  })

  test('has no way to the network of its own', async () => {
    let connections = 0
    const server = createServer().on('connection', () => (connections += 1))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const there = `http://127.0.0.1:${port}`
    const bank = createTestBank((request, path) =>
      path === '/away'
        ? to(`${there}/from-a-redirect`)
        : path === '/authorize'
          ? {
              body: `<link rel="preconnect" href="${there}"><link rel="prefetch" href="${there}/prefetch">
                <img src="${there}/i.png"><iframe src="/away"></iframe><script>
                fetch('/away').catch(() => undefined)
                fetch('${there}/fetch', { mode: 'no-cors' }).catch(() => undefined)
                new WebSocket('ws://127.0.0.1:${port}/socket')
                new EventSource('${there}/events')
                window.open('${there}/window')
                new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] }).createDataChannel('x')
                </script>${LOGIN}`,
            }
          : plainBank(request, path),
    )
    expect((await walk(browser, bank)).outcome).toBe('redirect')
    expect(connections).toBe(0)
    await new Promise((resolve) => server.close(resolve))
  })

  test('follows the redirects of the bank, with its cookies, and asks again where the page says so', async () => {
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
    expect((await walk(browser, bank)).outcome).toBe('redirect')
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
    expect(await walk(browser, bank)).toMatchObject({ outcome: 'result-screen', code: 'c0de-on-the-screen' })
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
    expect(await walk(browser, bank)).toMatchObject({ outcome: 'redirect', code: 'by-script' })
  })

  test('a login that is not accepted is not tried for ever', async () => {
    const bank = createTestBank(() => scripted(LOGIN))
    expect(await walk(browser, bank)).toMatchObject({ outcome: 'page', acted: [0], decision: 'unasked' })
    expect(bank.asked).toHaveLength(2)
  })
})
