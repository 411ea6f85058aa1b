import { expect, test } from 'vitest'
import { countStatements, renderStatements, traceStatements } from './statements.ts'
import type { CatalogueDocument, Row } from './schema.ts'

const TEXT = `# Heading

1. The bank answers. It is quick.

| Field | Rules |
|---|---|
| id | Unique. Given by the bank. |
`

const row = (id: string, quote: string, checks: number, because?: string): Row => ({
  id,
  level: 'MUST',
  claim: `the claim of ${id}`,
  quote,
  place: 'here',
  source: 'interface',
  tags: [],
  checks: Array.from({ length: checks }, () => ({}) as Row['checks'][number]),
  ...(because !== undefined && { because }),
  defects: [],
})

const traced = (rows: readonly Row[], descriptive: CatalogueDocument['descriptive'] = []) =>
  traceStatements(TEXT, {
    chapters: [{ rows, notShown: [] } as unknown as CatalogueDocument['chapters'][number]],
    descriptive,
  })

test('a sentence, a table row and a sentence of a cell are statements; headings and table heads are not', () => {
  expect(traced([]).map(({ line, text }) => `${line} ${text}`)).toEqual([
    '3 The bank answers.',
    '3 It is quick.',
    '7 | id | Unique. Given by the bank. |',
    '7 Unique.',
    '7 Given by the bank.',
  ])
})

test('a statement that is only quoted is a gap, and one with a check or a reason is not', () => {
  const all = traced(
    [row('TST-01', 'The bank answers.', 1), row('TST-02', 'Unique.', 0, 'it cannot be observed')],
    [{ quote: 'Given by the bank.', because: 'says who gives it' }],
  )
  expect(all.flatMap(({ gaps }) => gaps)).toEqual(['It is quick.'])
  expect(countStatements(all)).toBe(
    '5 statements: 1 judged (0 of them only by comparison with the profile), 4 not judged; 1 have words that nothing judges and no written reason explains',
  )
  expect(traced([row('TST-01', 'The bank answers.', 0)])[0]?.gaps).toEqual(['The bank answers.'])
})

test('of a statement that is quoted in part, the rest is a gap', () => {
  const [statement] = traced([row('TST-01', 'The bank', 1)])
  expect(statement?.judged.map(({ words }) => words)).toEqual(['The bank'])
  expect(statement?.gaps).toEqual([])
  const [, , whole] = traced([row('TST-01', 'Unique.', 1)])
  expect(whole?.gaps).toEqual(['Given by the bank. |'])
  const text = renderStatements(traced([row('TST-01', 'Unique.', 1)]))
  expect(text).toContain('TST-01 MUST   the claim of TST-01 ("Unique.")')
})

test('a statement that is judged only by comparison with the profile is a gap, unless a reason is written', () => {
  const known = { ...row('TST-01', 'The bank answers.', 1), fromProfile: 'customers.*.name' }
  const [only] = traced([known])
  expect(only?.gaps).toEqual(['The bank answers.'])
  expect(countStatements(traced([known]))).toContain('1 judged (1 of them only by comparison')
  expect(renderStatements(traced([known]))).toContain('[compared with customers.*.name of the profile]')
  expect(traced([known], [{ quote: 'The bank answers.', because: 'only the owner knows' }])[0]?.gaps).toEqual(
    [],
  )
  expect(traced([known, row('TST-02', 'The bank answers.', 1)])[0]?.gaps).toEqual([])
})
