import { expect, test } from 'vitest'
import { colorsFor } from './colors.ts'

const isColored = (isTTY: boolean | undefined, environment: Readonly<Record<string, string>>): boolean =>
  colorsFor(isTTY === undefined ? {} : { isTTY }, environment).red('x') !== 'x'

test('colours are for terminals that show them', () => {
  expect(isColored(true, {})).toBe(true)
  expect(isColored(true, { NO_COLOR: '' })).toBe(true)
  expect(isColored(true, { NO_COLOR: '1' })).toBe(false)
  expect(isColored(true, { TERM: 'dumb' })).toBe(false)
  expect(isColored(false, {})).toBe(false)
  expect(isColored(undefined, {})).toBe(false)
})
