import { afterEach, expect, test, vi } from 'vitest'
import { Inconclusive, Waiting } from '../evidence/signals.ts'
import { createWallClock } from './wall-clock.ts'

afterEach(() => void vi.useRealTimers())

const START = Date.UTC(2026, 0, 5, 9)

/** A machine whose clock advances by this many ms at each reading. */
const machine = (step = 0) => {
  let now = START - step
  return () => (now += step)
}

test('the time of a target is that of this machine, unless its clock is faster', () => {
  const pace = { origin: START, speed: 60 }
  expect(createWallClock({ wall: machine() }).now().getTime()).toBe(START)
  expect(
    createWallClock({ wall: machine(1000) })
      .now()
      .getTime(),
  ).toBe(START)
  const fast = createWallClock({ pace, wall: machine(1000) })
  expect([fast.now(), fast.now()].map((time) => time.getTime() - START)).toEqual([0, 60_000])
})

test('time is waited for, and less of it if the target is faster', async () => {
  const startedAt = performance.now()
  await createWallClock({ pace: { origin: Date.now(), speed: 1000 } }).pass(30_000)
  const waited = performance.now() - startedAt
  expect(waited).toBeGreaterThan(25)
  expect(waited).toBeLessThan(5_000)
})

test('a machine whose clock is set back waits no longer, and its time goes on', async () => {
  const clock = createWallClock()
  const before = clock.now()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  await clock.pass(30)
  const passed = clock.now().getTime() - before.getTime()
  expect(passed).toBeGreaterThanOrEqual(29)
  expect(passed).toBeLessThan(5_000)
})

test('a wait beyond the deadline of the run is not started', async () => {
  const clock = createWallClock({ deadline: START + 60_000, wall: machine() })
  const waiting = clock.pass(60_001)
  await expect(waiting).rejects.toThrow(Waiting)
  await expect(waiting).rejects.toMatchObject({ until: new Date(START + 60_001) })
  await expect(waiting).rejects.toThrow('2026-01-05 09:02 UTC')
  await createWallClock({ deadline: START + 60_000, wall: machine(30_000) }).pass(29_999)
})

test('the end of the run ends a wait, with the same reason', async () => {
  const end = new AbortController()
  const waiting = createWallClock({ ends: end.signal }).pass(60_000)
  end.abort(new Inconclusive('the run is over'))
  await expect(waiting).rejects.toThrow('the run is over')
})

test('a reading that comes too late is inconclusive', async () => {
  // One reading of the clock each: for the due time, for the deadline, during the sleep, and afterwards.
  const late = createWallClock({ wall: machine(60_000) }).pass(1, 100_000)
  await expect(late).rejects.toThrow(Inconclusive)
  await expect(late).rejects.toThrow('it was to be polled by 2026-01-05T09:01:40.001Z')
  await createWallClock({ wall: machine(60_000) }).pass(1, 200_000)
  await createWallClock({ wall: machine(60_000) }).pass(1)
})
