import { expect, test } from 'vitest'
import { columnsOf } from './prompt.ts'

test.each([
  [{ isTTY: true, columns: 160 }, 160],
  [{ isTTY: true, columns: 60 }, 60],
  // A terminal without a size.
  [{ isTTY: true, columns: 0 }, 40],
  [{ columns: 160 }, Number.POSITIVE_INFINITY],
])('a prompt is as wide as its terminal: %j', (output, columns) => {
  expect(columnsOf(output)).toBe(columns)
})
