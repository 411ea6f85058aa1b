import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onOneLine, printable } from './printable.ts'

test('what would move a cursor or turn a line round is written as its code', () => {
  expect(printable('\u001b[31mred\u202eder')).toBe('\\u{1b}[31mred\\u{202e}der')
  expect(printable('half \ud83d of a pair')).toBe('half \\u{d83d} of a pair')
})

test('letters of any script, lines and tabs stay', () => {
  expect(printable('Zahlung für 東京 😀\n\tok')).toBe('Zahlung für 東京 😀\n\tok')
})

test('one line stays one line', () => {
  expect(onOneLine('a\r\n  b\nc')).toBe('a b c')
})

test('nothing unprintable is left of any text', () => {
  expect.hasAssertions()
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(onOneLine(text)).not.toMatch(/(?!\t)\p{Cc}|\p{Cs}/u)
    }),
  )
})
