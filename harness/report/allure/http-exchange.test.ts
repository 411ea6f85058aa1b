import { expect, test } from 'vitest'
import { toHttpExchange } from './http-exchange.ts'
import { exchange, unanswered } from '../../testing/samples/reports.ts'

test('a request and its response are shown as they were', () => {
  expect(toHttpExchange(exchange('s/1'))).toEqual({
    schemaVersion: 1,
    request: {
      method: 'GET',
      url: 'http://127.0.0.1:8080/payments/7F3a9c1d-1111-2222-3333-444455556666/status?verbose=1',
      headers: [
        { name: 'Authorization', value: 'Bearer [access_token#1]' },
        { name: 'Accept', value: 'application/json' },
      ],
      query: [{ name: 'verbose', value: '1' }],
    },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      body: { contentType: 'application/json', encoding: 'utf8', value: '{"status":"RJCT"}', size: 17 },
    },
    start: Date.UTC(2030, 0, 1),
    stop: Date.UTC(2030, 0, 1) + 3,
  })
})

const request = {
  method: 'POST',
  url: 'not a url',
  headers: [['content-type', 'application/x-www-form-urlencoded; charset=utf-8']],
  body: { text: 'grant_type=authorization_code&code=%5Bcode%231%5D', bytes: 51 },
} as const

test('a form is shown field by field', () => {
  expect(toHttpExchange(exchange('s/1', { request })).request).toMatchObject({
    query: [],
    body: {
      form: [
        { name: 'grant_type', value: 'authorization_code' },
        { name: 'code', value: '[code#1]' },
      ],
    },
  })
})

test('a fault takes the place of the response', () => {
  const lost = unanswered({ kind: 'reset', cause: 'ECONNRESET', message: 'read ECONNRESET' })
  expect(toHttpExchange(lost)).toMatchObject({
    error: { name: 'reset (ECONNRESET)', message: 'read ECONNRESET' },
  })
  expect(toHttpExchange(lost)).not.toHaveProperty('response')
})

test.each([
  ['the recorder kept only the head of', { text: 'head', bytes: 9_000_000, sha256: 'ab' }, 4],
  ['nobody would read the whole of', { text: 'x'.repeat(100_000), bytes: 100_000 }, 65_536],
])('a body is marked where %s it', (_, body, length) => {
  const response = { status: 200, headers: [], body }
  const shown = toHttpExchange(exchange('s/1', { response })).response?.body
  expect(shown).toMatchObject({ truncated: true, contentType: 'text/plain', size: body.bytes })
  expect(shown?.value).toHaveLength(length)
})

test('a time that is none is left out', () => {
  expect(toHttpExchange(exchange('s/1', { sentAt: 'soon' }))).not.toHaveProperty('start')
})
