import { PassThrough } from 'node:stream'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { SOON } from '../../testing/pace.ts'
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

const PATHS = ['loans/a-long-path', 'loans/a-short-path', 'tokens/a-token']
/** The check `1` is on the first scenario, and so on. */
const checksOn = (...scenarios: readonly string[]) =>
  scenarios.map((scenario, at) => ({
    id: String(at + 1),
    scenario,
    chapter: scenario.startsWith('loans') ? ('loans' as const) : ('tokens' as const),
  }))

const passed = (id: string, title = 'a check') => ({ id, verdict: 'pass' as const, title })
const failed = (id: string, title = 'a check') => ({ id, verdict: 'fail' as const, title })

/** A run in a pipe, with the clock of the test. */
const inPipe = (lastsMs?: number) => {
  vi.useFakeTimers({ now: new Date(2026, 10, 21, 14, 0, 10) })
  onTestFinished(() => void vi.useRealTimers())
  const { output, text } = stream(false)
  const progress = startProgress({ checks: checksOn(...PATHS), lastsMs }, output)
  return {
    progress,
    linesAfter: (ms: number) => (vi.advanceTimersByTime(ms), text().split('\n').slice(0, -1)),
  }
}

const at = (minute: number): number => new Date(2026, 10, 21, 14, minute, 30).getTime()

test('in a pipe there is a line every 30 seconds, until the run ends', () => {
  const { progress, linesAfter } = inPipe()
  progress.ended(failed('3'))
  progress.above('warning: slow')
  expect(linesAfter(60_000)).toEqual([
    'warning: slow',
    'tokens · 1 of 3 checks, 1 failed · 30 s',
    'tokens · 1 of 3 checks, 1 failed · 1 min 0 s',
  ])
  progress.stop()
  expect(linesAfter(60_000)).toHaveLength(3)
})

test('in a pipe there is a line for each step after the scenarios, unless the run was short', () => {
  const { progress, linesAfter } = inPipe()
  progress.step('judging all answers of the run')
  expect(linesAfter(20_000)).toEqual([])
  progress.step('writing the reports')
  expect(linesAfter(0)).toEqual(['writing the reports'])
  progress.stop()
})

test('a run that waits shows when it ends and what it waits for, and a chapter only while one runs', () => {
  const { progress, linesAfter } = inPipe(26 * 60_000)
  progress.waits({ scenario: 'loans/a-long-path', until: at(5) })
  progress.waits({ scenario: 'loans/a-short-path', until: at(3) })
  expect(linesAfter(30_000)).toEqual([
    '0 of 3 checks · 0 of 26 min · ends about 14:27 · waiting for 2 loan paths (next change 14:04)',
  ])
  progress.ended(passed('3'))
  progress.waits({ scenario: 'loans/a-short-path' })
  expect(linesAfter(30_000).at(-1)).toBe(
    'loans · 1 of 3 checks · 1 of 26 min · ends about 14:27 · waiting for 1 loan path (next change 14:06)',
  )
  progress.ended(failed('2'))
  expect(linesAfter(30_000).at(-1)).toBe(
    '1 failed · 1 of 26 min · ends about 14:27 · waiting for 1 loan path (next change 14:06)',
  )
  progress.stop()
})

test('a run that takes longer than expected does not say when it ends', () => {
  const { progress, linesAfter } = inPipe(40_000)
  progress.ended(passed('3'))
  progress.waits({ scenario: 'loans/a-long-path', until: at(5) })
  progress.waits({ scenario: 'tokens/a-token~2', until: at(3) })
  expect(linesAfter(60_000).map((line) => line.split(' · waiting')[0])).toEqual([
    '30 of 40 s · ends about 14:01',
    '60 s, longer than the expected 40 s',
  ])
  expect(linesAfter(0)[0]).toContain('waiting for 1 loan path and 1 other scenario (next change 14:04)')
  progress.stop()
})

afterEach(() => void vi.unstubAllEnvs())

test('on a terminal the line counts, also what ended before it was there', async () => {
  // A build server has no person at its terminal, so that ora would keep the line still there.
  vi.stubEnv('CI', undefined)
  const { output, text } = stream(true)
  const progress = startProgress({ checks: checksOn('tokens/1', 'tokens/2', 'loans/3') }, output)
  progress.ended(passed('1', 'a first check'))
  progress.ended(failed('2', 'a second check'))
  await vi.waitFor(() => expect(text()).toContain('2 of 3 checks, 1 failed  a second check'), SOON)
  progress.above('warning: slow')
  expect(text()).toContain('warning: slow\n')
  progress.ended(passed('3', 'a third check'))
  await vi.waitFor(() => expect(text()).toContain('3 of 3 checks, 1 failed  a third check'), SOON)
  progress.stop()
})
