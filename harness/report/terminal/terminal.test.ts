import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EVIDENCE, PLAN, RESULTS, sampleReport } from '../../testing/samples/reports.ts'
import { scratch } from '../../testing/samples/scratch.ts'
import { createTerminal } from './terminal.ts'
import type { Report } from '../schema.ts'

const tell = (report: Report): string => {
  const out = scratch()
  writeFileSync(join(out, 'evidence.jsonl'), EVIDENCE.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const log = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => log.mockRestore())
  const terminal = createTerminal(out)
  terminal.onStart(PLAN)
  for (const result of RESULTS) terminal.onResult(result)
  terminal.showReport(report)
  return log.mock.calls.map(([text]) => `${String(text)}\n`).join('')
}

test('what is broken is told in full, and then the summary', () => {
  const text = tell(sampleReport())
  const positions = ['✗ PAY-09', '! TOK-07', 'not judged, and why', '\nnonconforming\n'].map((part) =>
    text.indexOf(part),
  )
  expect(positions).not.toContain(-1)
  expect(positions).toEqual(positions.toSorted((one, other) => one - other))
  expect(text).toContain('exchange payments/a-rejection/4  GET /payments/7F…/status?… → 200')
  expect(text).not.toMatch(/^[✓-] (?:TOK|PAY)-/m)
})

test('a target that breaks everything fills no more than a screen', () => {
  const report = sampleReport()
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail')
  const requirements = Array.from({ length: 50 }, () => failed).flat()
  const text = tell({ ...report, requirements })
  expect(text).toMatch(/… and 10 more, all in .*report\.json:\n {2}PAY-09 \(fail\)\n/)
})
