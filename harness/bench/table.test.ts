import { expect, test } from 'vitest'
import { figureOf } from './statistics.ts'
import { number, ratio, renderTable, spread } from './table.ts'

test('figures stand under one another, whatever their length', () => {
  const table = renderTable(
    ['', 'µs', 'to bare'],
    [
      ['bare undici', '294', '× 1.00'],
      ['harness', '1441', '× 11.4'],
    ],
  )
  expect(table.split('\n')).toEqual([
    '                  µs   to bare',
    '  bare undici    294    × 1.00',
    '  harness       1441    × 11.4',
  ])
})

test('a row may have fewer cells than the heading', () => {
  expect(
    renderTable(['', 'ms', 'spread'], [['proof', '3']])
      .split('\n')
      .at(-1),
  ).toBe('  proof    3')
})

test.each([
  [1234.5, '1235'],
  [99.94, '99.9'],
  [9.994, '9.99'],
  [0.5, '0.50'],
  [Number.NaN, '–'],
  [Number.POSITIVE_INFINITY, '–'],
])('%d is written %s', (value, text) => {
  expect(number(value)).toBe(text)
})

test('a figure is written by its median and its spread', () => {
  const figure = figureOf([1.2, 1.5, 1.4])
  expect([ratio(figure), spread(figure)]).toEqual(['× 1.40', '1.20 … 1.50'])
})
