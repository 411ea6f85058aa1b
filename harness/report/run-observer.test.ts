import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeSpan, escapeMarkdown, onOneLine, printable } from './run-observer.ts'

test('what would move a cursor or turn a line round is written as its code', () => {
  expect(printable('\u001b[31mred\u202eder')).toBe('\\u001b[31mred\\u202eder')
  expect(printable('half \ud83d of a pair')).toBe('half \\ud83d of a pair')
})

test('letters of any script, lines and tabs stay', () => {
  expect(printable('Zahlung für 東京 😀\n\tok')).toBe('Zahlung für 東京 😀\n\tok')
})

test('nothing unprintable is left of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(onOneLine(text)).not.toMatch(/(?!\t)\p{Cc}|\p{Cs}/u)
    }),
  )
})

test('what would be a link, an image or markup is text', () => {
  expect(escapeMarkdown('<consent_id> *or* ![x](http://a.b)')).toBe(
    '\\<consent\\_id\\> \\*or\\* \\!\\[x\\]\\(http\\:\\/\\/a\\.b\\)',
  )
})

test('every mark that Markdown reads is escaped', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(escapeMarkdown(text).replaceAll(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[!-/:-@[-`{-~]/)
    }),
  )
})

test('a code span ends where its text ends', () => {
  expect(codeSpan('npm test')).toBe('` npm test `')
  expect(codeSpan('a `b` ``c``')).toBe('``` a `b` ``c`` ```')
})
