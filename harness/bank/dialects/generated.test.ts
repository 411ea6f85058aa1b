import { expect, test } from 'vitest'
import { generatedDialect, generatedNames, generatedNumber } from './generated.ts'

const NUMBERS = Array.from({ length: 50 }, (_, number) => number)

test('the same number gives the same names, and another number other names', () => {
  expect(JSON.stringify(generatedNames(7))).toBe(JSON.stringify(generatedNames(7)))
  expect(new Set(NUMBERS.map((number) => generatedNames(number).accounts)).size).toBeGreaterThan(45)
})

test.each(NUMBERS)('no two names of dialect %i are the same', (number) => {
  const names = Object.values({ ...generatedNames(number), form: undefined, within: undefined })
  const words = names.filter((name) => name !== undefined)
  expect(new Set(words).size).toBe(words.length)
})

test('the id of a generated dialect contains its number', () => {
  expect(generatedNumber(generatedDialect(31).id)).toBe(31)
  expect(generatedNumber('compact')).toBeUndefined()
})
