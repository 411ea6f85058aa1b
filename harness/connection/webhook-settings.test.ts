import { describe, expect, test } from 'vitest'
import { NotReached } from '../evidence/signals.ts'
import { testHooks, type WebhookReading } from '../profile/schema/test-hooks.ts'
import { parseWebhookSettings, secretsOfSettings } from './webhook-settings.ts'
import type { Exchange } from '../evidence/exchange.ts'

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
