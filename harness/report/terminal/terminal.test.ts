import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTerminal, type OriginOf } from './terminal.ts'
import { EVIDENCE, PLAN, RESULTS, sampleReport, scratch } from '../../testing/samples/reports.ts'
import type { Report } from '../schema.ts'

const tell = (report: Report, originOf?: OriginOf): string => {
  const out = scratch()
  writeFileSync(join(out, 'evidence.jsonl'), EVIDENCE.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const log = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => log.mockRestore())
  const terminal = createTerminal(out, originOf)
  terminal.onStart(PLAN)
  for (const result of RESULTS) terminal.onResult(result)
  terminal.onReport?.(report)
  return stripVTControlCharacters(log.mock.calls.map(([text]) => `${String(text)}\n`).join(''))
}

test('violations are shown in full, failures last, before the conclusion', () => {
  const text = tell(sampleReport())
  const positions = ['not tested\n', '! TOK-07', '✗ PAY-09', '\nnonconforming (partial): '].map((part) =>
    text.indexOf(part),
  )
  expect(positions).not.toContain(-1)
  expect(positions).toEqual(positions.toSorted((one, other) => one - other))
  expect(text).toContain('exchange     GET /payments/7F…/status?… → 200')
  expect(text).toContain('npm run show -- payments/a-rejection/4 --out ')
  expect(text).not.toMatch(/^[✓-] (?:TOK|PAY)-/m)
})

test.each([
  [
    'a terminal shows the first violations',
    true,
    40,
    /… and 10 more, all in .*report\.json:\n {2}PAY-09 \(fail\)\n/,
  ],
  ['a log shows every violation', false, 50, /^(?!.*… and \d+ more)/s],
])('of a target that breaks everything %s', (_, isTTY, shown, rest) => {
  const before = { isTTY: process.stdout.isTTY, rows: process.stdout.rows, columns: process.stdout.columns }
  Object.assign(process.stdout, { isTTY, rows: 24, columns: 110 })
  onTestFinished(() => void Object.assign(process.stdout, before))
  const report = sampleReport()
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail')
  const requirements = Array.from({ length: 50 }, () => failed).flat()
  const text = tell({ ...report, requirements })
  expect(text.match(/^✗ PAY-09/gm)).toHaveLength(shown)
  expect(text).toMatch(rest)
})

/** Requirements whose only check was stopped, each in an exchange of its own. */
const stopped = (report: Report, because: string): Report['requirements'] => {
  const [row] = report.requirements
  const [check] = row?.checks ?? []
  if (row === undefined || check === undefined) throw new Error('the sample has no check')
  return Array.from({ length: 30 }, (_, at) => ({
    ...row,
    id: `TOK-${at + 1}`,
    verdict: 'not-reached' as const,
    because,
    checks: [
      {
        ...check,
        verdict: 'not-reached' as const,
        because: `${because} (tokens/a-scenario@TPP/${at})`,
        exchanges: [],
      },
    ],
  }))
}

test('a cause that stopped many checks is reported once, with all of their requirements', () => {
  const report = sampleReport()
  const text = tell({ ...report, bindings: [], requirements: stopped(report, 'the login is refused') })
  const block = text.split('\n\n').find((one) => one.startsWith('?')) ?? ''
  expect(block).toContain('? 30 checks are not-reached\n    cause         the login is refused\n')
  expect(block).toContain('requirements  TOK-1 … TOK-30\n')
  expect(text.match(/\? TOK-/g)).toBeNull()
})

test('a key of the profile that does not fit is before the conclusion, with its origin, and its checks are not repeated', () => {
  const report = sampleReport()
  const requirements = stopped(report, '`customers.0.password` of the profile is "…": the login is refused')
  const bindings = [
    {
      key: 'customers.0.password',
      bound: '…',
      expected: 'password',
      shown: 'the login is refused',
      exchange: 'tokens/a-scenario@TPP/0',
      requirements: requirements.map(({ id }) => id),
    },
  ]
  const text = tell({ ...report, bindings, requirements }, (key) => `the origin of ${key}`)
  const block = text.split('\n\n').at(-2)
  expect(block?.replace(/ --out .*/, '').split('\n')).toEqual([
    'the profile does not fit the target in 1 place',
    '  customers.0.password',
    '      of           the origin of customers.0.password',
    '      received     the login is refused',
    '      exchange     npm run show -- tokens/a-scenario@TPP/0',
    '      not judged   TOK-1 … TOK-30',
    '  next: correct the value in the profile or the variable, and run again',
  ])
  expect(text).not.toContain('30 checks')
})
