import { describe, expect, test } from 'vitest'
import { NotReached } from '../evidence/signals.ts'
import { testHooks } from '../profile/schema/test-hooks.ts'
import { foundSettings, secretsOfSettings } from './found-settings.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { WebhookReading } from '../profile/schema/test-hooks.ts'

const readingWith = (more: object = {}): WebhookReading => {
  const { readWebhook } = testHooks.parse({
    readWebhook: { method: 'GET', url: '/hooks/{clientId}', ...more },
  })
  if (readWebhook === undefined) throw new Error('the test hook is bound')
  return readWebhook
}

const answer = (text: string, status = 200): Exchange => ({
  ...{ kind: 'exchange', id: 'testHook/1', sender: 'testHook', operation: 'testHook', effect: 'read' },
  request: { method: 'GET', url: 'https://bank.example/hooks/shop', headers: [] },
  response: { status, headers: [], body: { text, bytes: text.length } },
  ...{ sentAt: '2026-01-05T09:00:00.000Z', durationMs: 1 },
})

const read = (json: unknown, more?: object) =>
  foundSettings(answer(JSON.stringify(json)), 'shop', readingWith(more))

const HOOK = 'https://shop.example/hook'

describe('webhook settings that a test hook tells', () => {
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
    ['switched off, without an address', answer('{"application":"shop","enabled":false}')],
    ['switched off in a word, without an address', answer('{"application":"shop","enabled":"No"}')],
  ])('are none: %s', (_, exchange) => {
    expect(foundSettings(exchange, 'shop', readingWith())).toBeUndefined()
  })

  test.each([
    [true, true],
    ['Yes', true],
    ['true', true],
    [false, false],
    ['No', false],
    ['FALSE', false],
  ])('are switched on or off in the words of the interface, or as JSON: %j', (enabled, isEnabled) => {
    expect(read({ enabled, url: HOOK })).toMatchObject({ enabled: isEnabled })
  })

  test('are none where nothing stands at their place', () => {
    expect(read({ enabled: false, hook: {} }, { result: 'hook' })).toBeUndefined()
  })

  test.each([
    ['other names', answer(`{"active":true,"callback":"${HOOK}"}`)],
    ['another word in the place of true', answer(`{"enabled":"ACTIVE","url":"${HOOK}"}`)],
    ['an address that is no text', answer('{"enabled":true,"url":7}')],
    ['a header that is no text', answer(`{"enabled":true,"url":"${HOOK}","securityHeader":{"name":"x"}}`)],
    ['a header that is hidden', answer(`{"enabled":true,"url":"${HOOK}","securityHeader":"********"}`)],
    [
      'a header of which a part is hidden',
      answer(`{"enabled":true,"url":"${HOOK}","securityHeader":"Basic x****"}`),
    ],
    ['switched on, without an address', answer('{"enabled":true}')],
    ['switched off, with something else than an address', answer(`{"enabled":false,"callback":"${HOOK}"}`)],
    ['no JSON', answer('<html>a login</html>')],
  ])('cannot be put back: %s', (_, exchange) => {
    const reading = (): unknown => foundSettings(exchange, 'shop', readingWith())
    expect(reading).toThrow(NotReached)
    expect(reading).toThrow('name these members in `testHooks.readWebhook.fields`')
  })
})

describe('what is secret of them', () => {
  const secretsIn = (exchange: Exchange, more?: object): readonly string[] =>
    secretsOfSettings('shop', readingWith(more))(exchange).map(({ value }) => value)

  test('is the security header, whatever it is called, and also where it is switched off', () => {
    const fields = { securityHeader: 'key' }
    expect(secretsIn(answer(`{"enabled":true,"url":"${HOOK}","key":"Bearer s"}`), { fields })).toEqual([
      'Bearer s',
    ])
    expect(secretsIn(answer('{"enabled":false,"url":null,"key":"Bearer s"}'), { fields })).toEqual([
      'Bearer s',
    ])
  })

  test('is every text where they cannot be read', () => {
    expect(secretsIn(answer(`{"active":true,"of":"shop","callback":"${HOOK}","keys":["Bearer s"]}`))).toEqual(
      [HOOK, 'Bearer s'],
    )
  })

  test('is nothing where nothing was told', () => {
    expect(secretsIn(answer('{"message":"try later"}', 503))).toEqual([])
    const { response, ...silent } = answer('')
    expect(response).toBeDefined()
    expect(secretsIn(silent)).toEqual([])
  })
})
