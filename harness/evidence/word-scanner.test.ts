import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScanner } from './word-scanner.ts'

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
