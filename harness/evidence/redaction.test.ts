import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRedactor, createScanner, encodingsOf } from './redaction.ts'
import type { Exchange, HeaderFields } from './exchange.ts'

interface Parts {
  readonly url?: string
  readonly requestHeaders?: HeaderFields
  readonly form?: string
  readonly headers?: HeaderFields
  readonly body?: string
}

const exchangeOf = ({
  url = 'http://bank/',
  requestHeaders = [],
  form,
  headers = [],
  body = '',
}: Parts): Exchange => ({
  kind: 'exchange',
  id: 'sample/1',
  sender: 'scenario',
  operation: 'token',
  effect: 'consent',
  request: {
    method: 'POST',
    url,
    headers: requestHeaders,
    ...(form !== undefined && { body: { text: form, bytes: form.length } }),
  },
  response: { status: 200, headers, body: { text: body, bytes: body.length } },
  sentAt: '2026-01-05T09:00:00.000Z',
  durationMs: 1,
})

const SECRET = 'S3cr3t-Value/with+odd=chars~and.more'

const PLACES: readonly (readonly [string, Parts])[] = [
  ['a Bearer header', { requestHeaders: [['authorization', `Bearer ${SECRET}`]] }],
  [
    'a Basic header',
    { requestHeaders: [['AUTHORIZATION', `Basic ${Buffer.from(`id:${SECRET}`).toString('base64')}`]] },
  ],
  ['a header without a scheme', { requestHeaders: [['Authorization', SECRET]] }],
  ['a cookie', { requestHeaders: [['Cookie', `theme=dark; session=${SECRET}`]] }],
  ['a cookie that is set', { headers: [['Set-Cookie', `session=${SECRET}; Path=/; HttpOnly`]] }],
  [
    'the code of a redirect',
    { headers: [['Location', `https://app/cb?code=${encodeURIComponent(SECRET)}&state=x`]] },
  ],
  [
    'the code in a fragment',
    { headers: [['Location', `https://app/cb#access_token=${encodeURIComponent(SECRET)}`]] },
  ],
  ['the address of a request', { url: `http://bank/cb?state=x&code=${encodeURIComponent(SECRET)}` }],
  ['a form', { form: `grant_type=x&code_verifier=${encodeURIComponent(SECRET)}&scope=y` }],
  ['the first field of a form', { form: `refresh_token=${encodeURIComponent(SECRET)}` }],
  ['a JSON member', { body: `{"a":{"access_token": ${JSON.stringify(SECRET)} }}` }],
  ['a JSON member of broken JSON', { body: `{"refresh_token":"${SECRET}","expires` }],
  [
    'a hidden input',
    { headers: [['content-type', 'text/html']], body: `<input type="hidden" name="csrf" value="${SECRET}">` },
  ],
  [
    'a password input',
    { headers: [['content-type', 'text/html']], body: `<input value='${SECRET}' type=password>` },
  ],
  [
    'a link in a page',
    {
      headers: [['content-type', 'text/html']],
      body: `<a href="/cb?a=1&amp;code=${encodeURIComponent(SECRET)}">`,
    },
  ],
]

const isIn = (text: string, secret: string): boolean =>
  encodingsOf(secret).some((form) => text.includes(form))

test.each(PLACES)('a secret is taken out of %s by its name', (_, parts) => {
  const before = JSON.stringify(exchangeOf(parts))
  const after = JSON.stringify(createRedactor([]).exchange(exchangeOf(parts)))
  expect(after).not.toBe(before)
  expect(isIn(after, SECRET)).toBe(false)
  expect(after).toContain(':1]')
})

test('a secret that was seen once is taken out everywhere after, in every encoding', () => {
  const redactor = createRedactor([])
  redactor.exchange(exchangeOf({ body: `{"access_token":"${SECRET}"}` }))
  for (const form of encodingsOf(SECRET))
    expect(redactor.text(`an error about ${form} here`)).toBe('an error about [access_token:1] here')
})

test('a token that is a number is a secret too', () => {
  const { response } = createRedactor([]).exchange(
    exchangeOf({ body: '{"access_token": 8467139, "a": 8467139}' }),
  )
  expect(response?.body.text).toBe('{"access_token": "[access_token:1]", "a": [access_token:1]}')
})

test('the same secret has the same pseudonym, another one another', () => {
  const redactor = createRedactor([])
  const first = redactor.exchange(exchangeOf({ headers: [['Location', 'https://app/cb?code=c0de-one']] }))
  const second = redactor.exchange(exchangeOf({ form: 'code=c0de-one&code_verifier=verify-it' }))
  const third = redactor.exchange(exchangeOf({ form: 'code=c0de-two' }))
  expect(first.response?.headers).toEqual([['Location', 'https://app/cb?code=[code:1]']])
  expect(second.request.body?.text).toBe('code=[code:1]&code_verifier=[code_verifier:1]')
  expect(third.request.body?.text).toBe('code=[code:2]')
})

test('what is no secret stays: state, scope, client_id, error codes, statuses', () => {
  const parts = {
    url: 'http://bank/authorize?client_id=tpp&scope=PREMIUM_AIS%3Ac1&state=xyz&code_challenge=abc',
    body: '{"error":"invalid_grant","error_description":"no such code","code":"AC01","consentId":"c1"}',
  }
  expect(createRedactor([]).exchange(exchangeOf(parts))).toEqual(exchangeOf(parts))
})

test.each(['Bearer', 'Bearer ', 'bearer', 'Basic'])('%j without credentials holds no secret', (value) => {
  const redactor = createRedactor([])
  const bare = exchangeOf({
    requestHeaders: [['Authorization', value]],
    body: 'token_type: Bearer, or Basic',
  })
  expect(redactor.exchange(bare)).toEqual(bare)
})

test('secrets that are known before a run are taken out of everything', () => {
  const redactor = createRedactor([{ name: 'client_secret', value: SECRET }])
  const inside = exchangeOf({ body: `<p>bad secret ${SECRET.replaceAll('&', '&amp;')}</p>` })
  expect(isIn(JSON.stringify(redactor.exchange(inside)), SECRET)).toBe(false)
})

test('a value that was replaced is not replaced again', () => {
  const redactor = createRedactor([])
  const once = redactor.exchange(exchangeOf({ form: 'code=c0de-one' }))
  expect(redactor.exchange(once)).toEqual(once)
})

test('any secret is gone from any place, whatever its characters', () => {
  const printable = fc
    .string({ minLength: 4, maxLength: 40, unit: 'grapheme' })
    .filter((text) => text.trim().length > 3)
  fc.assert(
    fc.property(printable, (secret) => {
      const redactor = createRedactor([{ name: 'password', value: secret }])
      const before = exchangeOf({
        url: `http://bank/?q=${encodeURIComponent(secret)}`,
        form: `x=${encodeURIComponent(secret)}`,
        body: JSON.stringify({ said: secret, raw: Buffer.from(secret).toString('base64') }),
      })
      const after = redactor.exchange(before)
      const texts = [after.request.url, after.request.body?.text, after.response?.body.text]
      for (const text of texts) expect(text).toContain('[password:1]')
    }),
  )
})

test('bodies that are no text do no harm', () => {
  const noise = gzipSync('x').toString('latin1')
  expect(() =>
    createRedactor([]).exchange(exchangeOf({ body: noise, form: '%E0%A4%A&code=%' })),
  ).not.toThrow()
})

test('a page of tags that never end is read in time', () => {
  const headers: HeaderFields = [['content-type', 'text/html']]
  const body = '<input '.repeat(40_000)
  expect(createRedactor([]).exchange(exchangeOf({ headers, body })).response?.body.text).toBe(body)
})

const scannerOf = (words: readonly string[]) => {
  const scanner = createScanner()
  for (const word of words) scanner.add(word, '▮')
  return scanner
}

test('a text without any word is the same text', () => {
  expect(scannerOf([]).replace('anything')).toBe('anything')
  expect(scannerOf(['secret']).replace('nothing of the kind')).toBe('nothing of the kind')
})

test('every occurrence is replaced, at the ends and side by side', () => {
  expect(scannerOf(['abcd']).replace('abcdabcd-abcd')).toBe('▮▮-▮')
})

test('of two words that begin alike the longer one is replaced', () => {
  expect(scannerOf(['token', 'token-long']).replace('token-long token')).toBe('▮ ▮')
})

test('a word shorter than the window is left to the names', () => {
  expect(scannerOf(['abc']).replace('abc')).toBe('abc')
})

test('words outside ASCII are found', () => {
  expect(scannerOf(['čerešňa & <višňa>']).replace('heslo čerešňa & <višňa>!')).toBe('heslo ▮!')
})

const word = fc.string({ minLength: 4, maxLength: 12, unit: 'binary' })
const text = fc.string({ maxLength: 40, unit: fc.constantFrom('a', 'b', 'č', '-') })

test('no word is left in any text', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), text, text, (words, before, after) => {
      const scanner = createScanner()
      for (const one of words) scanner.add(one, '')
      for (const one of words) {
        const replaced = scanner.replace(`${before}${one}${after}`)
        expect(replaced.length).toBeLessThanOrEqual(before.length + after.length)
      }
    }),
  )
})

test('it finds what a plain search finds', () => {
  const few = fc.string({ minLength: 4, maxLength: 6, unit: fc.constantFrom('a', 'b') })
  fc.assert(
    fc.property(few, fc.string({ maxLength: 60, unit: fc.constantFrom('a', 'b') }), (one, whole) => {
      const scanner = createScanner()
      scanner.add(one, '#')
      expect(scanner.replace(whole)).toBe(whole.replaceAll(one, '#'))
    }),
  )
})
