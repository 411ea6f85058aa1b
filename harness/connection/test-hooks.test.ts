import { describe, expect, test } from 'vitest'
import { createRedactor } from '../evidence/redaction.ts'
import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema, type ProfileInput } from '../profile/schema.ts'
import { testHooks, type WebhookReading } from '../profile/schema/test-hooks.ts'
import { createTestHookClock, createTestHooks } from './test-hooks.ts'
import { parseWebhookSettings, secretsOfSettings } from './webhook-settings.ts'
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

const readingWith = (more: object = {}): WebhookReading => {
  const { readWebhook } = testHooks.parse({
    readWebhook: { method: 'GET', url: '/hooks/{clientId}', ...more },
  })
  if (readWebhook === undefined) throw new Error('the test hook is bound')
  return readWebhook
}

const answer = (text: string, status = 200): Exchange => ({
  kind: 'exchange',
  id: 'testHook/1',
  sender: 'testHook',
  operation: 'testHook',
  effect: 'read',
  request: { method: 'GET', url: 'https://bank.example/hooks/shop', headers: [] },
  response: { status, headers: [], body: { text, bytes: text.length } },
  sentAt: '2026-01-05T09:00:00.000Z',
  durationMs: 1,
})

const read = (json: unknown, more?: object) =>
  parseWebhookSettings(answer(JSON.stringify(json)), 'shop', readingWith(more))

const HOOK = 'https://shop.example/hook'

describe('webhook settings in the answer of a test hook', () => {
  test.each([
    [{ enabled: true, url: HOOK, securityHeader: 'Bearer s' }, {}, 'Bearer s'],
    [{ enabled: false, url: HOOK, securityHeader: null }, {}, ''],
    [{ enabled: true, url: HOOK }, {}, ''],
    [{ hook: { enabled: true, url: HOOK } }, { result: 'hook' }, ''],
    [
      { state: { active: true }, callback: HOOK, key: 'Bearer s' },
      { fields: { enabled: 'state.active', url: 'callback', securityHeader: 'key' } },
      'Bearer s',
    ],
  ])('are read: %j', (json, more, securityHeader) => {
    expect(read(json, more)).toMatchObject({ clientId: 'shop', url: HOOK, securityHeader })
  })

  test.each([
    ['an empty answer', answer('', 204)],
    ['an application that is not known', answer('{"error":"unknown"}', 404)],
    ['null', answer('null')],
    ['an empty object', answer('{}')],
    ['no address', answer('{"enabled":true,"url":null}')],
    ['an empty address', answer('{"url":"","securityHeader":""}')],
    ['disabled, without an address', answer('{"application":"shop","enabled":false}')],
    ['disabled by a word, without an address', answer('{"application":"shop","enabled":"No"}')],
  ])('do not exist: %s', (_, exchange) => {
    expect(parseWebhookSettings(exchange, 'shop', readingWith())).toBeUndefined()
  })

  test.each([
    [true, true],
    ['Yes', true],
    ['true', true],
    [false, false],
    ['No', false],
    ['FALSE', false],
  ])('are enabled or disabled by the words of the interface, or by JSON: %j', (enabled, isEnabled) => {
    expect(read({ enabled, url: HOOK })).toMatchObject({ enabled: isEnabled })
  })

  test('do not exist if the result is missing', () => {
    expect(read({ enabled: false, hook: {} }, { result: 'hook' })).toBeUndefined()
  })

  test.each([
    ['other names', answer(`{"active":true,"callback":"${HOOK}"}`)],
    ['another word instead of true', answer(`{"enabled":"ACTIVE","url":"${HOOK}"}`)],
    ['an address that is not a string', answer('{"enabled":true,"url":7}')],
    [
      'a header that is not a string',
      answer(`{"enabled":true,"url":"${HOOK}","securityHeader":{"name":"x"}}`),
    ],
    ['a header that is hidden', answer(`{"enabled":true,"url":"${HOOK}","securityHeader":"********"}`)],
    ['a partly hidden header', answer(`{"enabled":true,"url":"${HOOK}","securityHeader":"Basic x****"}`)],
    ['enabled, without an address', answer('{"enabled":true}')],
    ['disabled, with something else than an address', answer(`{"enabled":false,"callback":"${HOOK}"}`)],
    ['no JSON', answer('<html>a login</html>')],
  ])('cannot be restored: %s', (_, exchange) => {
    const reading = (): unknown => parseWebhookSettings(exchange, 'shop', readingWith())
    expect(reading).toThrow(NotReached)
    expect(reading).toThrow('name these members in `testHooks.readWebhook.fields`')
  })
})

describe('their secret', () => {
  const secretsIn = (exchange: Exchange, more?: object): readonly string[] =>
    secretsOfSettings('shop', readingWith(more))(exchange).map(({ value }) => value)

  test('is the security header, whatever its name is, and also if the webhook is disabled', () => {
    const fields = { securityHeader: 'key' }
    expect(secretsIn(answer(`{"enabled":true,"url":"${HOOK}","key":"Bearer s"}`), { fields })).toEqual([
      'Bearer s',
    ])
    expect(secretsIn(answer('{"enabled":false,"url":null,"key":"Bearer s"}'), { fields })).toEqual([
      'Bearer s',
    ])
  })

  test('is every string if the settings cannot be read', () => {
    expect(secretsIn(answer(`{"active":true,"of":"shop","callback":"${HOOK}","keys":["Bearer s"]}`))).toEqual(
      [HOOK, 'Bearer s'],
    )
  })

  test('is absent if the answer has no settings', () => {
    expect(secretsIn(answer('{"message":"try later"}', 503))).toEqual([])
    const { response, ...silent } = answer('')
    expect(response).toBeDefined()
    expect(secretsIn(silent)).toEqual([])
  })
})
