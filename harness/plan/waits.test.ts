import { expect, test } from 'vitest'
import { waitLines, whyUntimely } from './waits.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const profile = (speed = 1) => ({
  clock: { speed },
  deadlines: { requestMs: 1_000, runMs: 30 * MINUTE, currentMs: 60_000 },
})

interface Asked {
  readonly speed?: number
  readonly canMoveTime?: boolean
  readonly time?: 'wall'
}

const why = (waitsMs: number, { speed = 1, canMoveTime = false, time }: Asked = {}) =>
  whyUntimely({ needs: ['clock'], waitsMs }, { profile: profile(speed), canMoveTime, time: time ?? 'auto' })

test('what takes longer than the run may last is held back, unless somebody asks for it or moves the clock', () => {
  expect(why(31 * MINUTE)?.because).toMatch(/use --time wall to start it, and --resume/)
  expect(why(30 * MINUTE)).toBeUndefined()
  expect(why(31 * MINUTE, { speed: 2 })).toBeUndefined()
  expect(why(90 * DAY, { time: 'wall' })).toBeUndefined()
  expect(why(90 * DAY, { canMoveTime: true })).toBeUndefined()
})

test('a scenario that needs no clock is none of its business', () => {
  const patience = { profile: profile(), canMoveTime: false, time: 'auto' as const }
  expect(whyUntimely({ needs: ['customer'] }, patience)).toBeUndefined()
})

test('the plan says how long the longest wait is, and what is prepared until when', () => {
  const scenarios = [14 * MINUTE, undefined, 20 * MINUTE, 90 * DAY, 7 * DAY, 90 * DAY].map((waitsMs, at) => ({
    scenario: `loans/${at}`,
    ...(waitsMs !== undefined && { waitsMs }),
  }))
  expect(waitLines(scenarios, profile(), new Date('2026-01-05T09:00:00.000Z'))).toEqual([
    '  waiting          about 20 min: 2 scenarios, all at once',
    '  prepared         1 scenario, judged by --resume after 2026-01-12 09:00 UTC',
    '  prepared         2 scenarios, judged by --resume after 2026-04-05 09:00 UTC',
  ])
})

test('a target in a hurry is waited for in less time', () => {
  const [line] = waitLines([{ scenario: 'loans/1', waitsMs: 20 * MINUTE }], profile(60), new Date(0))
  expect(line).toBe('  waiting          about 20 s: 1 scenario, all at once')
})

test('where nothing waits, nothing is said', () => {
  expect(waitLines([{ scenario: 'tokens/1' }], profile(), new Date(0))).toEqual([])
})
