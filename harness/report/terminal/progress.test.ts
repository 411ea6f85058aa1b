import { PassThrough } from 'node:stream'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startProgress } from './progress.ts'

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

test('in a pipe there is a line every 30 seconds, with what the run waits for', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { output, text } = stream(false)
  const progress = startProgress(2, output)
  progress.ended({ verdict: 'fail', title: 'a check' }, 'loans')
  progress.above('warning: slow')
  vi.advanceTimersByTime(30_000)
  progress.waits({ scenario: 'loans/a-long-path', until: new Date(2026, 10, 21, 14, 5, 30).getTime() })
  vi.advanceTimersByTime(60_000)
  progress.stop()
  vi.advanceTimersByTime(60_000)
  const waits = 'waits until 14:05:30 for loans/a-long-path'
  expect(text().split('\n')).toEqual([
    'warning: slow',
    'loans · 1 of 2 checks, 1 failed · 30 s',
    `loans · 1 of 2 checks, 1 failed · 1 min 0 s · ${waits}`,
    `loans · 1 of 2 checks, 1 failed · 1 min 30 s · ${waits}`,
    '',
  ])
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
    () => expect(text()).toContain('waits until 14:05:30 for loans/a-short-path, and 1 more'),
    5_000,
  )
  progress.waits({ scenario: 'loans/a-short-path' })
  await vi.waitFor(() => expect(text()).toContain('waits until 14:06:30 for loans/a-long-path'), 5_000)
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
