import { expect, test } from 'vitest'
import { Inconclusive, NotReached } from '../signals.ts'
import {
  anywhere,
  brokeDown,
  fieldOf,
  isAccepted,
  isUnreadable,
  jsonFault,
  jsonOf,
  need,
  responseOf,
} from './answer.ts'
import type { Exchange } from '../exchange.ts'

const SENT = {
  kind: 'exchange',
  id: 'sample/1',
  sender: 'scenario',
  operation: 'createConsent',
  effect: 'consent',
  request: { method: 'POST', url: 'http://bank/v1/consents', headers: [] },
  sentAt: '2026-01-05T09:00:00.000Z',
  durationMs: 1,
} as const

const answered = (status: number, text: string): Exchange => ({
  ...SENT,
  response: { status, headers: [], body: { text, bytes: Buffer.byteLength(text) } },
})

const lost: Exchange = {
  ...SENT,
  fault: { kind: 'reset', cause: 'ECONNRESET', message: 'the connection was closed' },
}

const CONSENT = '{"data":{"consentId":"c-1"}}'
const PAGE = '<!doctype html><h1>Maintenance</h1>'

test('a redirect is reported as what it is, where JSON was looked for', () => {
  expect(jsonFault(answered(308, ''))).toBe('it is a redirect (308), which is not followed')
  expect(jsonFault(answered(200, ''))).toBe('its body is empty')
  expect(jsonFault(answered(404, '<!doctype html><p>x</p>'))).toBe('it is an HTML page')
})

test('what brought no answer is read by nobody', () => {
  for (const read of [responseOf, jsonOf, jsonFault, isAccepted, brokeDown])
    expect(() => read(lost)).toThrow(new Inconclusive('the connection was closed (ECONNRESET)'))
})

test.each([
  [
    'the successFields of the request',
    answered(201, CONSENT),
    { accepted: true, broken: false, unreadable: false },
  ],
  ['a refusal', answered(400, '{"errorCode":"X"}'), { accepted: false, broken: false, unreadable: false }],
  [
    'a refusal with 200',
    answered(200, '{"errorCode":"X"}'),
    { accepted: false, broken: false, unreadable: false },
  ],
  ['a refusal by page', answered(403, PAGE), { accepted: false, broken: false, unreadable: false }],
  ['a page with 200', answered(200, PAGE), { accepted: false, broken: false, unreadable: true }],
  ['a redirect', answered(302, ''), { accepted: false, broken: false, unreadable: true }],
  ['a breakdown', answered(503, PAGE), { accepted: false, broken: true, unreadable: false }],
])('%s is distinguished from the others', (_name, exchange, { accepted, broken, unreadable }) => {
  expect(isAccepted(exchange)).toBe(accepted)
  expect(brokeDown(exchange)).toBe(broken)
  expect(isUnreadable(exchange)).toBe(unreadable)
})

test('the fields of a breakdown are no answer, whatever they say', () => {
  expect(() => jsonFault(answered(500, CONSENT))).toThrow(Inconclusive)
  expect(() => need(answered(503, '{}'), undefined, 'a consentId')).toThrow(
    new Inconclusive('sample/1 was answered with a server error (503)'),
  )
  expect(() => need(answered(400, '{}'), undefined, 'a consentId')).toThrow(NotReached)
})

test('of a body that was cut, the size is reported and not its JSON', () => {
  const whole = answered(200, '[1,2')
  const cut = {
    ...whole,
    response: { status: 200, headers: [], body: { text: '[1,2', bytes: 9, sha256: 'x' } },
  }
  expect(jsonFault(cut)).toBe('of its 9 bytes only the head was kept')
})

test('every value under a key is found, in the order of the text', () => {
  const json: unknown = { a: [{ k: 1 }, { b: { k: [2, { k: 3 }] } }], k: null }
  expect(anywhere(json, 'k')).toEqual([null, 1, [2, { k: 3 }], 3])
  expect(anywhere('k', 'k')).toEqual([])
  expect(anywhere({}, 'constructor')).toEqual([])
})

test('an answer that is nested too deeply is not read, and its fault says so', () => {
  const nested = (levels: number) =>
    answered(200, `${'['.repeat(levels)}{"consentId":"c-1"}${']'.repeat(levels)}`)
  expect(anywhere(jsonOf(nested(99)), 'consentId')).toEqual(['c-1'])
  const deep = nested(200_000)
  expect(jsonOf(deep)).toBeUndefined()
  expect(jsonFault(deep)).toBe('JSON nested deeper than 100 levels')
  expect(isAccepted(deep)).toBe(false)
  expect(isUnreadable(deep)).toBe(true)
})

test('fieldOf: an answer that is a list itself is $, and its items stand below', () => {
  const list = [{ iban: { value: 'SK1' } }]
  expect(fieldOf(list, '$')).toBe(list)
  expect(fieldOf(list, '$.0.iban.value')).toBe('SK1')
  expect(fieldOf([], '$')).toEqual([])
  // A refusal is no list.
  expect(fieldOf({ error: 'x' }, '$')).toBeUndefined()
  expect(fieldOf({ $: 1 }, '$')).toBe(1)
})
