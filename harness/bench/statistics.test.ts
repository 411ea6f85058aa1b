import { expect, test } from 'vitest'
import { differenceOf, figureOf, median, ratioOf, rotated } from './statistics.ts'

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[7], 7],
  [[100, 9, 10], 10],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected)
})

test('the median of nothing is no number, and its order does not touch the values', () => {
  const values = Object.freeze([2, 1])
  expect(median([])).toBeNaN()
  expect(median(values)).toBe(1.5)
})

test('a figure tells its spread and what it rests on', () => {
  expect(figureOf([5, 1, 3])).toEqual({ median: 3, lowest: 1, highest: 5, count: 3 })
})

test('a ratio is made round by round, so that a slow minute does not count against one side', () => {
  expect(ratioOf([2, 20, 2], [1, 10, 1])).toEqual({ median: 2, lowest: 2, highest: 2, count: 3 })
})

test('a round that only one side has makes no ratio', () => {
  expect(ratioOf([2, 3], [1]).count).toBe(1)
})

test('each round another is the first', () => {
  expect([0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round).join(''))).toEqual([
    'abc',
    'bca',
    'cab',
    'abc',
  ])
  expect(rotated([], 2)).toEqual([])
})

test('a difference is made round by round as well', () => {
  expect(differenceOf([2, 20, 3], [1, 10])).toEqual({ median: 5.5, lowest: 1, highest: 10, count: 2 })
})
