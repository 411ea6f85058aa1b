import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ENCODINGS, nestedEncodingsOf } from '../../testing/encodings.ts'
import { formsOf } from '../../testing/leaks.ts'
import { createKnownValues } from './known-values.ts'
import { containsInAnySpelling, replaceInAnySpelling } from './spellings.ts'

const SECRET = `Kanárik/9+"37" & <žltý>~'č'`

const hidingOf = (...secrets: readonly string[]): ((text: string) => string) => {
  const given = new Set(secrets.map((_, at) => `[secret:${at + 1}]`))
  const values = createKnownValues(given)
  for (const [at, pseudonym] of [...given].entries()) values.add(secrets[at] ?? '', pseudonym, true)
  return (text) => replaceInAnySpelling(text, values.find)
}

const hide = hidingOf(SECRET)

test('there are more than forty encodings', () => {
  expect(Object.keys(ENCODINGS).length).toBeGreaterThan(40)
})

test('a secret is found in each encoding of each encoding, and its place stays known', () => {
  const leaks = [...nestedEncodingsOf(SECRET)].filter(([, text]) => {
    const hidden = hide(`before ${text} after`)
    return (
      hidden.includes(text) ||
      containsInAnySpelling(hidden, SECRET) ||
      !containsInAnySpelling(hidden, '[secret:1]') ||
      !hidden.startsWith('before ') ||
      !hidden.endsWith(' after')
    )
  })
  expect(leaks.map(([name]) => name)).toEqual([])
})

test.each([
  ['\n', (text: string) => text],
  ['</p>\n<p>', (text: string) => text],
  ['","', (text: string) => JSON.stringify(text).slice(1, -1)],
])('a secret is found in a list of all encodings with %j between them', (between, write) => {
  const list = [...nestedEncodingsOf(SECRET).values()].map(write).join(between)
  const hidden = hide(list)
  expect([...formsOf(SECRET)].filter(([, form]) => hidden.includes(form))).toEqual([])
})

test.each([
  ['x%2Fy&a=b%20c'],
  ['{"a":"\\u010d\\/","n":1.50}'],
  ['&lt;p&gt; &amp;amp; &#x10d;'],
  ['Basic c2hvcDpzZXNhbWU='],
  ['eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.'],
  ['deadbeef cafebabe 0x1234567890'],
  ['%E0%A4%A %zz %uD800 \\u12 &#; &nosuch; ÃÃ'],
])('what holds no secret stays as it is: %s', (text) => {
  expect(hide(text)).toBe(text)
})

test('the rest of a text that is in base64 stays in it', () => {
  const header = `Basic ${Buffer.from(`shop:${SECRET}`).toString('base64')}`
  const hidden = hide(`you sent ${header}, which is wrong`)
  const [, credentials = ''] = /Basic (\S+),/.exec(hidden) ?? []
  expect(Buffer.from(credentials, 'base64').toString()).toBe('shop:[secret:1]')
  expect(hidden).toMatch(/^you sent Basic \S+, which is wrong$/)
})

test('a replaced value is not replaced again, and what is beside it stays', () => {
  expect(hidingOf('secret', 'code-9876')('secret code-9876 secrets')).toBe('[secret:1] [secret:2] secrets')
})

test('an unmistakable value is found inside a word, and a plain word is not', () => {
  expect(hidingOf('S3cr3t-Value')('xS3cr3t-Valuey')).toBe('x[secret:1]y')
  expect(hidingOf('S3cr3t-Value')('İS3cr3t-Value')).toBe('İ[secret:1]')
  expect(hidingOf('code')('application/x-www-form-urlencoded')).toBe('application/x-www-form-urlencoded')
  expect(hidingOf('wrong')('a wrongly wrong value')).toBe('a wrongly [secret:1] value')
})

test('what is no word is found in any case, and a word only as it is', () => {
  const replace = hidingOf('S3cr3t-Value', 'wrong')
  expect(replace('s3cr3t-value, S3CR3T-VALUE, Wrong, wrong')).toBe(
    '[secret:1], [secret:1], Wrong, [secret:2]',
  )
  const [one, other] = ['AbCd-1234-efgh', 'aBcD-1234-efgh']
  expect(hidingOf(one, other)(`${one} ${other}`)).toBe('[secret:1] [secret:2]')
})

test('of two values that begin alike the longer one is replaced', () => {
  expect(hidingOf('token-12', 'token-12-long')('token-12-long token-12')).toBe('[secret:2] [secret:1]')
})

const made = fc
  .string({ minLength: 8, maxLength: 40, unit: 'grapheme' })
  .map((text) => `K${text.replaceAll(/\p{Surrogate}/gu, '')}7`)
const encoding = fc.constantFrom(...Object.keys(ENCODINGS))

test('any secret is gone, in any two encodings', () => {
  fc.assert(
    fc.property(made, encoding, encoding, fc.lorem(), (secret, inner, outer, around) => {
      const text = ENCODINGS[outer]?.(ENCODINGS[inner]?.(secret) ?? '') ?? ''
      const hidden = hidingOf(secret)(`${around} ${text} ${around}`)
      expect(containsInAnySpelling(hidden, secret)).toBe(false)
      expect(hidden).not.toContain(text)
      expect(hidden.startsWith(`${around} `) && hidden.endsWith(` ${around}`)).toBe(true)
    }),
  )
})

test('any text without a secret stays as it is', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.webUrl({ withQueryParameters: true }),
    fc.lorem(),
    fc.base64String({ maxLength: 400 }),
  )
  fc.assert(
    fc.property(text, encoding, (plain, name) => {
      const encoded = ENCODINGS[name]?.(plain.replaceAll(/\p{Surrogate}/gu, '')) ?? ''
      expect(hide(encoded)).toBe(encoded)
    }),
  )
})

test('a long text is read in time, whatever it looks like', () => {
  for (const piece of ['VVVV', '%25', '&amp;', '\\\\', 'a', '%2', '&#1', '4142', '+'])
    expect(hide(piece.repeat(100_000 / piece.length)).length).toBe(
      Math.floor(100_000 / piece.length) * piece.length,
    )
}, 20_000)
