import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clip, lengthOf, pad, wrap } from './layout.ts'

test('text breaks between words, and a word only where it is longer than a line', () => {
  expect(wrap('a token is bound to its client', 12)).toEqual(['a token is', 'bound to its', 'client'])
  expect(wrap('id 0123456789', 4)).toEqual(['id', '0123', '4567', '89'])
  expect(wrap('', 10)).toEqual([''])
})

test('wrapped text fits, and loses nothing but blanks', () => {
  expect.hasAssertions()
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      const lines = wrap(text, width)
      expect(Math.max(...lines.map(lengthOf))).toBeLessThanOrEqual(width)
      expect(lines.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
    }),
  )
})

test('characters are counted, not their halves', () => {
  expect(pad('für 😀', 8)).toBe('für 😀   ')
  expect(clip('für 😀😀😀', 6)).toBe('für 😀…')
  expect(clip('short', 6)).toBe('short')
})
