import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combine, VERDICTS } from './verdict.ts'

const verdict = fc.constantFrom(...VERDICTS)
const rank = (word: (typeof VERDICTS)[number]): number => VERDICTS.indexOf(word)

test('a requirement without any check is not reached', () => {
  expect(combine([])).toBe('not-reached')
})

test('the worst word decides, in whatever order the checks end', () => {
  fc.assert(
    fc.property(fc.array(verdict, { minLength: 1 }), (words) => {
      const expected = [...words].sort((a, b) => rank(a) - rank(b))[0]
      expect(combine(words)).toBe(expected)
      expect(combine([...words].reverse())).toBe(expected)
    }),
  )
})

test('another verdict never makes it better', () => {
  fc.assert(
    fc.property(fc.array(verdict, { minLength: 1 }), verdict, (words, more) => {
      expect(rank(combine([...words, more]))).toBeLessThanOrEqual(rank(combine(words)))
    }),
  )
})

test('only passes make a pass', () => {
  fc.assert(
    fc.property(fc.array(verdict, { minLength: 1 }), (words) => {
      if (combine(words) === 'pass')
        expect(words.every((word) => word === 'pass' || word === 'not-applicable')).toBe(true)
      else expect(words.some((word) => word !== 'pass')).toBe(true)
    }),
  )
})
