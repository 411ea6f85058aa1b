import { expect, test } from 'vitest'
import { renderTable, settled } from './fault-table.ts'
import { LISTED_FAULTS } from './listed-faults.ts'

const rowsWith = (cause: string) =>
  LISTED_FAULTS.slice(0, 1).map((fault) => ({
    fault,
    exitCode: '2',
    conclusion: 'incomplete',
    cause: settled(cause),
    seconds: 1,
    memoryMib: 100,
    problems: [],
  }))

test('control characters of a target are written as their codes', () => {
  const page = renderTable(rowsWith('received \u0000\u001b[2J a | b\r\nand\u0085more'))
  expect(page).toContain(String.raw`received \u0000\u001b[2J a \| b and\u0085more`)
  expect(page.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test('a long cause is not cut', () => {
  const cause = `the answer is no JSON: ${'word '.repeat(100)}until its end`
  expect(renderTable(rowsWith(cause))).toContain(`: ${cause} | `)
})
