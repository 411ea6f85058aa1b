import { expect, test } from 'vitest'
import { createRedactor } from '../evidence/redaction.ts'
import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema, type ProfileInput } from '../profile/schema.ts'
import { createTestHookClock, createTestHooks } from './test-hooks.ts'
import type { Exchange, Fault } from '../evidence/exchange.ts'
import type { Http } from '../session/http/http.ts'
import type { HttpRequest } from '../session/http/request.ts'

const BASE = 'https://bank.example/api'

type Ending = { readonly status: number; readonly body?: string } | { readonly fault: Fault }

/** A target whose test hooks all give the same answer. */
const targetWith = (testHooks: ProfileInput['testHooks'], ending: Ending = { status: 200 }) => {
  const sent: HttpRequest[] = []
  const http: Http = {
    origins: ['https://bank.example'],
    redactor: createRedactor([]),
    async send(request) {
      sent.push(request)
      const text = ('body' in ending && ending.body) || ''
      const exchange: Exchange = {
        kind: 'exchange',
        id: `testHook/${sent.length}`,
        sender: 'testHook',
        operation: 'testHook',
        effect: 'read',
        request: { method: request.method, url: request.url, headers: request.headers },
        ...('fault' in ending
          ? { fault: ending.fault }
          : { response: { status: ending.status, headers: [], body: { text, bytes: text.length } } }),
        sentAt: '2026-01-05T09:00:00.000Z',
        durationMs: 1,
      }
      return exchange
    },
  }
  const profile = profileSchema.parse({ ...sampleProfile(), testHooks })
  return { sent, http, profile, testHooks: createTestHooks(http, BASE, profile) }
}

test('the argument of a test hook is put into its URL, its headers and its body', async () => {
  const { sent, testHooks } = targetWith({
    revokeToken: {
      url: '/tokens/{token}/revoke?of={token}',
      headers: { 'X-Token': 'of {token}' },
      body: { token: '{token}', note: 'the token {token}' },
    },
  })
  await testHooks.revokeToken('a/b+c=')
  expect(sent).toMatchObject([
    {
      method: 'POST',
      url: 'https://bank.example/tokens/a%2Fb%2Bc%3D/revoke?of=a%2Fb%2Bc%3D',
      headers: [
        ['X-Token', 'of a/b+c='],
        ['Content-Type', 'application/json'],
      ],
      text: '{"token":"a/b+c=","note":"the token a/b+c="}',
    },
  ])
})

test.each([302, 404, 500])('a test hook that answers %i has failed', async (status) => {
  const { testHooks } = targetWith({ revokeToken: { url: '/revoke' } }, { status })
  await expect(testHooks.revokeToken('t')).rejects.toThrow(
    new NotReached(`the test hook at /revoke answered ${status} (testHook/1)`),
  )
})

test.each([
  ['{\n  "error": "no such token"\n}', ': { "error": "no such token" }'],
  ['<!doctype html><html><body>Sorry</body></html>', ': an HTML page'],
  ['x'.repeat(301), ': 301 characters'],
  ['  ', ''],
])('its failure quotes what it answered: %j', async (body, quoted) => {
  const { testHooks } = targetWith({ revokeToken: { url: '/revoke' } }, { status: 422, body })
  await expect(testHooks.revokeToken('t')).rejects.toThrow(
    new NotReached(`the test hook at /revoke answered 422 (testHook/1)${quoted}`),
  )
})

test('webhook settings that cannot be read are not quoted', async () => {
  const { testHooks } = targetWith(
    { readWebhook: { method: 'GET', url: '/webhooks/{clientId}', fields: {} } },
    { status: 500, body: '{"securityHeader":"Zx81"}' },
  )
  await expect(testHooks.readWebhook('shop')).rejects.toThrow(
    new NotReached('the test hook at /webhooks/{clientId} answered 500 (testHook/1)'),
  )
})

test('a test hook that does not answer is inconclusive', async () => {
  const fault: Fault = { kind: 'reset', cause: 'ECONNRESET', message: 'the connection was closed' }
  const { testHooks } = targetWith({ revokeToken: { url: '/revoke' } }, { fault })
  await expect(testHooks.revokeToken('t')).rejects.toThrow(Inconclusive)
})

test('a test hook that is not in the profile is not called', async () => {
  const { testHooks, sent } = targetWith({})
  await expect(testHooks.revokeToken('t')).rejects.toThrow(NotReached)
  expect(sent).toEqual([])
})

test.each(['', 'no JSON', '{"now":"soon"}', '{"time":"2026-01-05T09:00:00Z"}'])(
  'the answer %j of the clock is not a time',
  async (body) => {
    const { http, profile } = targetWith(
      { readClock: { method: 'GET', url: '/clock', result: 'now' }, advanceClock: { url: '/clock' } },
      { status: 200, body },
    )
    await expect(createTestHookClock(http, BASE, profile)).rejects.toThrow(NotReached)
  },
)

test('a consent is revoked, and a transaction booked, with the arguments of their test hooks', async () => {
  const { sent, testHooks } = targetWith({
    revokeConsent: { url: '/consents/{consentId}/revoke' },
    bookTransaction: { url: '/bookings', body: { iban: '{iban}', amount: '{amount}' } },
  })
  await testHooks.revokeConsent('c/1')
  const exchange = await testHooks.bookTransaction({ iban: 'SK01', amount: -17.31 })
  expect(exchange.id).toBe('testHook/2')
  expect(sent).toMatchObject([
    { url: 'https://bank.example/consents/c%2F1/revoke', operation: 'testHook' },
    { text: '{"iban":"SK01","amount":-17.31}' },
  ])
})

test('a booking has its amount in the form of the profile', async () => {
  const body = ['{amountText}', '{amountMinor}', '{amountMinorText}']
  const { sent, testHooks } = targetWith({ bookTransaction: { url: '/bookings/{iban}', body: { body } } })
  await testHooks.bookTransaction({ iban: 'SK01', amount: 0.29 })
  await testHooks.bookTransaction({ iban: 'SK01', amount: -17.3 })
  expect(sent).toMatchObject([
    { text: '{"body":["0.29",29,"29"]}' },
    { text: '{"body":["-17.30",-1730,"-1730"]}' },
  ])
})

const CONFIGURE: ProfileInput['testHooks'] = {
  configureWebhook: {
    method: 'PUT',
    url: '/webhooks/{clientId}',
    body: { on: '{enabled}', to: '{url}', header: '{securityHeader}' },
  },
}
const SETTINGS = { clientId: 'shop', enabled: false, url: 'https://me.example/a', securityHeader: '' }

test.each([
  [200, true],
  [204, true],
  [400, false],
  [422, false],
])('webhook settings that are answered with %s are accepted: %s', async (status, isTaken) => {
  const { sent, testHooks } = targetWith(CONFIGURE, { status })
  expect(await testHooks.configureWebhook(SETTINGS)).toMatchObject({ taken: isTaken })
  expect(sent).toMatchObject([
    {
      operation: 'configureWebhook',
      url: 'https://bank.example/webhooks/shop',
      text: '{"on":false,"to":"https://me.example/a","header":""}',
    },
  ])
})

test.each([302, 500, 503])(
  'whether webhook settings that are answered with %s are accepted is unknown',
  async (status) => {
    const { testHooks } = targetWith(CONFIGURE, { status })
    await expect(testHooks.configureWebhook(SETTINGS)).rejects.toThrow(NotReached)
  },
)

test.each(['revokeConsent', 'bookTransaction', 'configureWebhook'] as const)(
  'a test hook that is not in the profile is not called (%s)',
  async (name) => {
    const { sent, testHooks } = targetWith({})
    const pulled = {
      revokeConsent: () => testHooks.revokeConsent('c1'),
      bookTransaction: () => testHooks.bookTransaction({ iban: 'SK01', amount: 1 }),
      configureWebhook: () => testHooks.configureWebhook(SETTINGS),
    }[name]
    await expect(pulled()).rejects.toThrow(`testHooks.${name}`)
    expect(sent).toEqual([])
  },
)

test.each([
  [0, undefined, { refusedAfterMs: 0 }, 0],
  [3, undefined, { refusedAfterMs: 700 }, 700],
  [Infinity, undefined, {}, 30_000],
  [Infinity, 1_000, {}, 1_000],
])(
  'a revocation that %d reads do not show is waited for (settleMs: %s)',
  async (late, settleMs, delay, waited) => {
    const revokeToken = { url: '/revoke', ...(settleMs !== undefined && { settleMs }) }
    const { http, profile } = targetWith({ revokeToken })
    const waits: number[] = []
    const waiting = { ...http, wait: async (ms: number) => void waits.push(ms) }
    let reads = 0
    const testHooks = createTestHooks(waiting, BASE, profile, async () => (reads += 1) <= late)
    expect(await testHooks.revokeToken('token')).toEqual(delay)
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(waited)
  },
)
