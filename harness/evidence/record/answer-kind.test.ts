import { expect, test } from 'vitest'
import { sampleExchange, TIMED_OUT, type SampleParts } from '../../testing/samples/exchange.ts'
import { describeAnswer, kindOfAnswer, mayBeOfFirewall, showsNoViolation } from './answer-kind.ts'
import type { Exchange } from '../exchange.ts'

const PAGE = '<!doctype html><title>Maintenance</title>'
const HTML = [['Content-Type', 'text/html; charset=utf-8']] as const
const asGet = (exchange: Exchange): Exchange => ({
  ...exchange,
  request: { ...exchange.request, method: 'GET' },
})
const AGE = [['Age', '12']] as const

test.each<[string, SampleParts, ReturnType<typeof kindOfAnswer>]>([
  ['JSON', {}, 'bank'],
  ['an error in JSON', { status: 400, body: '{"error":"x"}' }, 'bank'],
  ['a refusal without a body', { status: 401, body: '' }, 'bank'],
  ['a success that has no content', { status: 204, body: '' }, 'bank'],
  ['a page with a success', { body: PAGE }, 'gateway'],
  ['a page by its media type', { body: 'We will be back', headers: HTML }, 'gateway'],
  ['JSON with the media type of a page', { headers: HTML }, 'bank'],
  ['an empty success', { body: ' \r\n' }, 'gateway'],
  ['a success from a cache', { headers: AGE }, 'gateway'],
  ['a success that no cache stores', { headers: [...AGE, ['Cache-Control', 'no-store']] }, 'bank'],
  ['a success that a shield has asked for', { headers: [...AGE, ['X-Cache', 'MISS from edge-7']] }, 'bank'],
  ['a success that a cache has just fetched', { headers: [['Age', '0']] }, 'bank'],
  ['a redirect', { status: 302, body: '' }, 'gateway'],
  ['a redirect with the documented answer', { status: 302, body: '{"taskId":"1"}' }, 'bank'],
  ['502', { status: 502, body: '{}' }, 'gateway'],
  ['503', { status: 503, body: PAGE }, 'gateway'],
  ['504', { status: 504, body: '' }, 'gateway'],
  ['a proxy that asks for a password', { status: 407, body: '' }, 'gateway'],
  ['500', { status: 500, body: '{}' }, 'server-error'],
  ['500 each time', { status: 500, body: '{}', timesRepeated: 3 }, 'bank'],
  ['a page each time', { body: PAGE, timesRepeated: 3 }, 'bank'],
  ['429', { status: 429, body: PAGE }, 'throttled'],
  ['half of JSON', { body: '{"access_token":' }, 'malformed'],
  [
    'a form',
    {
      body: 'access_token=a&token_type=Bearer',
      headers: [['content-type', 'application/x-www-form-urlencoded']],
    },
    'bank',
  ],
  ['JSON that is nested too deeply', { body: '['.repeat(101) + ']'.repeat(101) }, 'malformed'],
  ['no answer', { fault: TIMED_OUT }, 'transport'],
  ['a page of the authorization', { operation: 'authorize', body: PAGE }, 'bank'],
  ['a redirect of the authorization', { operation: 'authorize', status: 302, body: '' }, 'bank'],
  ['a cancellation without a body', { operation: 'cancelLoan', body: '' }, 'bank'],
  ['a cancellation with a page', { operation: 'cancelLoan', body: PAGE }, 'gateway'],
])('%s', (_, parts, kind) => {
  expect(kindOfAnswer(asGet(sampleExchange(parts)))).toBe(kind)
})

const refusing = (refusals: Exchange['refusals'], status: number, body = PAGE): Exchange => ({
  ...sampleExchange({ status, body }),
  ...(refusals && { refusals }),
})

test.each([
  [undefined, 403, 'bank', true, true],
  [undefined, 404, 'bank', true, true],
  // A page with 400 or 401 may be that of a firewall as well, and is a refusal of the bank as often.
  [undefined, 400, 'bank', true, false],
  ['json', 403, 'gateway', true, true],
  ['json', 400, 'gateway', true, true],
  ['page', 403, 'bank', false, false],
] as const)('where refusals are %s, a page with %d is %s', (refusals, status, kind, mayBe, showsNone) => {
  const exchange = refusing(refusals, status)
  expect(kindOfAnswer(exchange)).toBe(kind)
  expect(mayBeOfFirewall(exchange)).toBe(mayBe)
  expect(showsNoViolation(exchange)).toBe(showsNone)
})

test("a refusal in JSON is the bank's, whatever the profile says", () => {
  for (const refusals of [undefined, 'json', 'page'] as const)
    expect(showsNoViolation(refusing(refusals, 403, '{"error":"x"}'))).toBe(false)
})

test.each([
  [{ body: PAGE }, 'an HTML page (200)'],
  [{ body: '' }, 'an empty body (200)'],
  [{ headers: AGE }, 'an answer from a cache (200, Age 12)'],
  [{ status: 307, body: '' }, 'a redirect (307)'],
  [{ status: 500, body: '{}' }, 'a server error (500)'],
  [{ status: 502, body: '{}' }, 'an answer with the status 502'],
  [{ status: 429, body: '' }, 'too many requests (429)'],
  [{ body: '{' }, 'an answer that is not JSON (200)'],
  [{ fault: TIMED_OUT }, 'no answer: no whole answer came (DEADLINE)'],
])('%j is described as %s', (parts, words) => {
  expect(describeAnswer(asGet(sampleExchange(parts)))).toBe(words)
})

test('a page of a refusal names the key that says there are none', () => {
  const exchange = {
    ...sampleExchange({ status: 403, body: PAGE }),
    operation: 'readAccount',
    refusals: 'json',
  } as const
  expect(describeAnswer(exchange)).toBe('an HTML page (403, and `refusals` is "json")')
})
