import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { containsInAnySpelling, htmlEncode } from './redaction/spellings.ts'
import { createRedactor } from './redaction.ts'
import { isJsonText } from './json.ts'
import { pace } from '../testing/pace.ts'
import { ENCODINGS } from '../testing/encodings.ts'
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

const isIn = containsInAnySpelling

test.each(PLACES)('a secret is taken out of %s by its name', (_, parts) => {
  const before = JSON.stringify(exchangeOf(parts))
  const after = JSON.stringify(createRedactor([]).exchange(exchangeOf(parts)))
  expect(after).not.toBe(before)
  expect(isIn(after, SECRET)).toBe(false)
  expect(after).toContain(':1]')
})

test('a secret that was seen once is taken out everywhere after, in every spelling', () => {
  const redactor = createRedactor([])
  redactor.exchange(exchangeOf({ body: `{"access_token":"${SECRET}"}` }))
  for (const encode of Object.values(ENCODINGS))
    expect(isIn(redactor.text(`an error about ${encode(SECRET)} here`), SECRET)).toBe(false)
})

test('a token that is a number is a secret too, and JSON stays JSON', () => {
  const { response } = createRedactor([]).exchange(
    exchangeOf({ body: '{"access_token": 8467139, "a": 8467139, "b": 1.50}' }),
  )
  expect(response?.body.text).toBe('{"access_token": "[access_token:1]", "a": "[access_token:1]", "b": 1.50}')
})

test('the client id of a Basic header stays readable', () => {
  const value = `Basic ${Buffer.from('shop:ab:S3cr3t').toString('base64')}`
  const { request } = createRedactor([]).exchange(exchangeOf({ requestHeaders: [['Authorization', value]] }))
  expect(request.headers).toEqual([['Authorization', 'Basic shop:[client_secret:1]']])
})

test('a value that is only sent in the place of a secret is masked there, and nowhere else', () => {
  const { request, response } = createRedactor([]).exchange(
    exchangeOf({
      form: 'password=wrong&code=none',
      body: '{"error_description":"wrong password, none of the codes"}',
    }),
  )
  expect(request.body?.text).toBe('password=[password:1]&code=[code:1]')
  expect(response?.body.text).toBe('{"error_description":"wrong password, none of the codes"}')
})

test('our own sentences keep their words, and lose what no word is', () => {
  const redactor = createRedactor([
    { name: 'password', value: 'wrong' },
    { name: 'client_secret', value: SECRET },
  ])
  expect(redactor.sentence(`the wrong client sent ${SECRET}`)).toBe('the wrong client sent [client_secret:1]')
  expect(redactor.text('wrong')).toBe('[password:1]')
})

test('a secret of common words is found as a whole word alone', () => {
  const redactor = createRedactor([
    { name: 'password', value: 'customer1' },
    { name: 'client_secret', value: 'test-bank' },
  ])
  for (const text of ['customer10 of 12', 'https://mytest-banking.example/', 'customer1st'])
    expect([redactor.text(text), redactor.sentence(text)]).toEqual([text, text])
  expect(redactor.text('password=customer1&secret=test-bank')).toBe(
    'password=[password:1]&secret=[client_secret:1]',
  )
})

test.each([
  ['consent-authorization-step-2', 'consent-authorization-step-2'],
  ['2026-11-25T20:10:18Z-form', '2026-11-25T20:10:18Z-form'],
  ['b5f7a7cb9448-f63b4fd1', '[request:1]'],
  ['Zm9vYmFyIGJhego9Cg', '[request:1]'],
])('a hidden value is a secret if a program seems to have made it: %s', (value, shown) => {
  const page = (text: string): string => `<form><input type="hidden" name="request" value="${text}"></form>`
  const headers: HeaderFields = [['Content-Type', 'text/html']]
  const { response } = createRedactor([]).exchange(exchangeOf({ headers, body: page(value) }))
  expect(response?.body.text).toBe(page(shown))
})

const AUTHORIZATION = {
  response_type: 'code',
  client_id: 'shop',
  redirect_uri: 'https://shop.example/callback?channel=bank',
  scope: 'PREMIUM_AIS:47f07e35-2182-4950-a1e9-6e49337cbca7',
  state: 'RaUHYIoAr1YDDSl9',
  code_challenge: 'SqW5rDe-sarLn3ZQmyBsHi-UrfQA1Lmc7CjGnnLEu5g',
  code_challenge_method: 'S256',
}

/** A login page that repeats the whole authorization request, and has two secrets of its own. */
const echoPage = (csrf: string, session: string): string => {
  const inputs = Object.entries(AUTHORIZATION).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('&', '&amp;')}"/>`,
  )
  const renamed = `<input type=hidden name=challenge value=${AUTHORIZATION.code_challenge}>`
  const consent = '<input type="hidden" name="consent" value="47f07e35-2182-4950-a1e9-6e49337cbca7">'
  const own = `<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="state_of_page" value='${session}'>`
  return `<!doctype html><form action="/login?step=1&amp;lang=sk">${inputs.join('\n')}${renamed}${consent}${own}<button name="decision" value="grant">Súhlasím</button></form>`
}

test('of a page that repeats every parameter only its own secrets are replaced', () => {
  const redactor = createRedactor([{ name: 'client_secret', value: 'shop-secret-1' }])
  const url = `http://bank/authorize?${new URLSearchParams(AUTHORIZATION).toString()}`
  const headers: HeaderFields = [['Content-Type', 'text/html; charset=UTF-8']]
  const page = redactor.exchange(
    exchangeOf({ url, headers, body: echoPage('Zx81-csrf', 'abcdefgh12345678') }),
  )
  expect(page.request.url).toBe(url)
  expect(page.response?.body.text.replace("'", '"').replace("'", '"')).toBe(
    echoPage('[csrf:1]', '[state_of_page:1]').replace("'", '"').replace("'", '"'),
  )
  const form = exchangeOf({
    requestHeaders: [['Content-Type', 'application/x-www-form-urlencoded']],
    form: new URLSearchParams(AUTHORIZATION).toString(),
    body: '{"error":"unsupported_response_type","error_description":"the response_type of the code"}',
  })
  expect(redactor.exchange(form)).toEqual(form)
})

test.each([
  ['{"a": 1.50, "b" :"\\u010d\\/x", "c":[1e3,"[note]"], "d":"x=1&y=2", "a":null}'],
  ['[\n  {"IBAN":"x"}\n]'],
  ['{"message":"see {\\"code\\":\\"AC01\\"}"}'],
  ['{"cut": "in the mid'],
  ['<!doctype html><p class=a title="x&amp;y">1 &lt; 2<!-- note --><script>var a = {"b": 1}</script>'],
  ['a=1&b=%20c+d&c=&d'],
  ['grant_type=authorization_code&redirect_uri=https%3A%2F%2Fshop.example%2Fcb%3Fa%3D1'],
])('what holds no secret is written as it was: %s', (body) => {
  const media = ['application/json', 'text/html', 'application/x-www-form-urlencoded', 'text/plain']
  for (const type of media) {
    const plain = exchangeOf({ headers: [['content-type', type]], body })
    expect(createRedactor([{ name: 'password', value: 'wrong' }]).exchange(plain)).toEqual(plain)
  }
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

test('a long secret is taken out, also where it was cut off', () => {
  const long = 'A'.repeat(2 ** 20)
  const redactor = createRedactor([{ name: 'client_secret', value: `${long}B` }])
  const bodies = [`${long}B`, `${long}C`, `${long}${long}C`, `<${long.slice(0, 1000)}>`]
  const texts = bodies.map((body) => redactor.exchange(exchangeOf({ body })).response?.body.text)
  const secret = '[client_secret:1]'
  expect(texts).toEqual([secret, `${secret}C`, `${secret}${secret}C`, `<${secret}>`])
})

test('of two long secrets with the same beginning each has its own pseudonym', () => {
  const begin = 'abc+'.repeat(300)
  const redactor = createRedactor([
    { name: 'access_token', value: `${begin}one` },
    { name: 'access_token', value: `${begin}other` },
  ])
  const text = redactor.exchange(exchangeOf({ body: `${begin}other, ${begin}one` })).response?.body.text
  expect(text).toBe('[access_token:2], [access_token:1]')
})

test('a value that was replaced is not replaced again', () => {
  const redactor = createRedactor([])
  const once = redactor.exchange(exchangeOf({ form: 'code=c0de-one' }))
  expect(redactor.exchange(once)).toEqual(once)
})

test.each(['[SECRET:1]', '[token:9f3a07c21b]', '[client_secret:1]', '9f3a07c21bd4', '[code:2]'])(
  'a secret in brackets, or of hexadecimal digits, is none of our pseudonyms: %s',
  (secret) => {
    const redactor = createRedactor([{ name: 'client_secret', value: secret }])
    const [shown, ...others] = [secret, `a ${secret} b`, `[token:${secret}]`, `{"x":"${secret}"}`].map(
      (body) =>
        redactor.exchange(exchangeOf({ body })).response?.body.text.replaceAll(redactor.value(secret), ''),
    )
    expect([shown, ...others]).toEqual(['', 'a  b', '[token:]', '{"x":""}'])
    expect(redactor.value(secret)).not.toBe(secret)
  },
)

test('a token in brackets is a secret at its place, and everywhere after', () => {
  const redactor = createRedactor([])
  const body = '{"access_token":"[token:9f3a]","refresh_token":"[refresh_token:1]"}'
  const { response } = redactor.exchange(exchangeOf({ body }))
  expect(response?.body.text).toBe('{"access_token":"[access_token:1]","refresh_token":"[refresh_token:2]"}')
  expect(redactor.text('bad [token:9f3a], [refresh_token:1]')).toBe('bad [access_token:1], [refresh_token:2]')
})

const HTML: HeaderFields = [['content-type', 'text/html']]

/** A message with a text at one place. */
const MESSAGES: Readonly<Record<string, (text: string) => Parts>> = {
  'the address': (text) => ({ url: `http://bank/a?q=${encodeURIComponent(text)}#x` }),
  'the path': (text) => ({ url: `http://bank/${encodeURIComponent(text)}/x` }),
  'a header': (text) => ({ requestHeaders: [['X-Said', `you said: ${text}`]] }),
  'a redirect': (text) => ({ headers: [['Location', `/error#said=${encodeURIComponent(text)}&a=b`]] }),
  'a cookie': (text) => ({ headers: [['Set-Cookie', `said=${encodeURIComponent(text)}; Path=/`]] }),
  'a form': (text) => ({ form: new URLSearchParams({ a: 'b', said: text, c: 'd' }).toString() }),
  'a member': (text) => ({ body: JSON.stringify({ errors: [{ said: text }], n: 1 }) }),
  'a key': (text) => ({ body: JSON.stringify({ [text]: 1, n: 1 }) }),
  'a sentence in JSON': (text) => ({ body: JSON.stringify({ message: `the value ${text} is wrong` }) }),
  'JSON that was cut': (text) => ({ body: JSON.stringify({ message: text }).slice(0, -1) }),
  'plain text': (text) => ({ body: `the value ${text} is wrong` }),
  'the text of a page': (text) => ({ headers: HTML, body: `<!doctype html><p>${htmlEncode(text)}</p>` }),
  'an attribute': (text) => ({ headers: HTML, body: `<html><a href="${htmlEncode(text)}">x</a></html>` }),
  'a comment': (text) => ({ headers: HTML, body: `<html><!-- ${htmlEncode(text)} --></html>` }),
}

const textsOf = ({ request, response }: Exchange): string =>
  [
    request.url,
    ...request.headers.flat(),
    request.body?.text ?? '',
    ...(response?.headers.flat() ?? []),
    response?.body.text ?? '',
  ].join('\n')

const made = fc
  .string({ minLength: 8, maxLength: 40, unit: 'grapheme' })
  .map((text) => `K${text.replaceAll(/\p{Surrogate}/gu, '')}7`)
const place = fc.constantFrom(...Object.keys(MESSAGES))
const encoding = fc.constantFrom(...Object.keys(ENCODINGS))

test('any secret is gone from any place, in any two encodings, and JSON stays JSON', () => {
  fc.assert(
    fc.property(made, place, encoding, encoding, (secret, where, inner, outer) => {
      const encoded = ENCODINGS[outer]?.(ENCODINGS[inner]?.(secret) ?? '') ?? ''
      const before = exchangeOf(MESSAGES[where]?.(encoded) ?? {})
      const after = createRedactor([{ name: 'password', value: secret }]).exchange(before)
      expect(isIn(textsOf(after), secret)).toBe(false)
      expect(textsOf(after)).not.toBe(textsOf(before))
      const body = before.response?.body.text ?? ''
      if (isJsonText(body)) expect(isJsonText(after.response?.body.text ?? '')).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('a secret is gone from JSON that is nested too deeply to be read', () => {
  const nested = `${'{"a":['.repeat(50_000)}{"access_token":"planted-7","x":"planted-8"}${']}'.repeat(50_000)}`
  const startedAt = performance.now()
  const redactor = createRedactor([{ name: 'password', value: 'planted-8' }])
  const after = redactor.exchange(exchangeOf({ body: nested }))
  expect(after.response?.body.text).not.toContain('planted')
  expect(after.response?.body.text).toContain('{"access_token":"[access_token:1]","x":"[password:1]"}')
  expect(performance.now() - startedAt).toBeLessThan(10_000 * pace)
})

test('any text that is not secret is unchanged at any place', () => {
  const words = fc.oneof(fc.lorem(), fc.string({ unit: 'grapheme' }), fc.webUrl(), fc.uuid(), fc.json())
  fc.assert(
    fc.property(words, place, encoding, (plain, where, name) => {
      const text = ENCODINGS[name]?.(plain.replaceAll(/\p{Surrogate}/gu, '')) ?? ''
      fc.pre(where !== 'a cookie' && text !== '')
      const before = exchangeOf(MESSAGES[where]?.(text) ?? {})
      expect(createRedactor([{ name: 'password', value: 'K9-orchard' }]).exchange(before)).toEqual(before)
    }),
    { numRuns: 200 },
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

test('a secret of a mebibyte is replaced, and one that begins like it as well', () => {
  const long = `s3cret-${'A'.repeat(2 ** 20)}`
  const redactor = createRedactor([])
  redactor.learn('a token', long)
  redactor.learn('a code', `${long.slice(0, 40)}-other`)
  redactor.learn('a state', long.slice(0, 30))
  redactor.learn('a verifier', long.slice(0, 100))
  expect(redactor.sentence(`received ${long}!`)).toMatch(/^received \[a-token:[\da-f]+\]!$/)
  expect(redactor.sentence(`received ${long.slice(0, 40)}-other!`)).toMatch(/^received \[a-code:[\da-f]+\]!$/)
  expect(redactor.sentence(`received ${long.slice(0, 100)} `)).toMatch(/^received \[a-verifier:[\da-f]+\] $/)
  expect(redactor.sentence(`received ${long.slice(0, 70)}? `)).toMatch(/^received \[a-state:[\da-f]+\]A+\? $/)
})
