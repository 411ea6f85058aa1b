import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createTerminal, startProgress } from './terminal.ts'
import { EVIDENCE, PLAN, RESULTS, sampleReport, scratch } from '../../testing/samples/reports.ts'
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

test('violations are shown in full, before the summary', () => {
  const text = tell(sampleReport())
  const positions = ['✗ PAY-09', '! TOK-07', 'not judged\n', '\nnonconforming\n'].map((part) =>
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

const stream = (isTTY: boolean) => {
  const output = Object.assign(new PassThrough(), {
    isTTY,
    columns: 100,
    cursorTo: vi.fn(),
    clearLine: vi.fn(),
    moveCursor: vi.fn(),
  })
  let text = ''
  output.on('data', (bytes: Buffer) => (text += bytes.toString()))
  return { output, text: () => text }
}

test('in a pipe there is no progress, only what is said above it', () => {
  const { output, text } = stream(false)
  const progress = startProgress(2, output)
  progress.ended({ verdict: 'pass', title: 'a check' })
  progress.above('warning: slow')
  progress.stop()
  expect(text()).toBe('warning: slow\n')
})

afterEach(() => void vi.unstubAllEnvs())

test('on a terminal the line counts, also what ended before it was there', async () => {
  // A build server has no person at its terminal, so that ora would keep the line still there.
  vi.stubEnv('CI', undefined)
  const { output, text } = stream(true)
  const progress = startProgress(3, output)
  progress.ended({ verdict: 'pass', title: 'a first check' })
  progress.ended({ verdict: 'fail', title: 'a second check' })
  await vi.waitFor(() => expect(text()).toContain('2 of 3 checks, 1 failed  a second check'), 5_000)
  progress.above('warning: slow')
  expect(text()).toContain('warning: slow\n')
  progress.ended({ verdict: 'pass', title: 'a third check' })
  await vi.waitFor(() => expect(text()).toContain('3 of 3 checks, 1 failed  a third check'), 5_000)
  progress.stop()
})

test('the next wait is shown until it ends', async () => {
  vi.stubEnv('CI', undefined)
  const { output, text } = stream(true)
  const progress = startProgress(3, output)
  progress.ended({ verdict: 'pass', title: 'a first check' })
  const at = new Date(2026, 10, 21, 14, 5, 30).getTime()
  progress.waits({ scenario: 'loans/a-long-path', until: at + 60_000 })
  progress.waits({ scenario: 'loans/a-short-path', until: at })
  await vi.waitFor(
    () => expect(text()).toContain('waits until 14:05:30 and 1 more: loans/a-short-path'),
    5_000,
  )
  progress.waits({ scenario: 'loans/a-short-path' })
  await vi.waitFor(() => expect(text()).toContain('waits until 14:06:30: loans/a-long-path'), 5_000)
  progress.waits({ scenario: 'loans/a-long-path' })
  progress.ended({ verdict: 'pass', title: 'a second check' })
  await vi.waitFor(() => expect(text()).toContain('2 of 3 checks  a second check'), 5_000)
  progress.stop()
})

test('a terminal that has no width is a pipe', () => {
  const { output, text } = stream(true)
  const progress = startProgress(2, Object.assign(output, { columns: 0 }))
  progress.waits({ scenario: 'a', until: 1 })
  progress.above('warning: slow')
  progress.stop()
  expect(text()).toBe('warning: slow\n')
})

test('a run that is over before the line is there shows none', async () => {
  const { output, text } = stream(true)
  const progress = startProgress(1, output)
  progress.stop()
  await import('ora')
  expect(text()).toBe('')
})
