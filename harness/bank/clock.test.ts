import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from './clock.ts'

const startAt = new Date('2026-01-05T09:00:00Z')
const after = (ms: number): Date => new Date(startAt.getTime() + ms)

describe('a stopped clock', () => {
  test('shows its start time until it is advanced', async () => {
    const clock = new VirtualClock({ startAt })
    expect(clock.now()).toEqual(startAt)
    expect(await clock.advance(1500)).toEqual(after(1500))
    expect(clock.now()).toEqual(after(1500))
  })

  test('runs due tasks in order, each at its due time, and awaits them', async () => {
    const clock = new VirtualClock({ startAt })
    const log: string[] = []
    const note = (name: string) => async () => {
      await Promise.resolve()
      log.push(`${name} at ${clock.now().getTime() - startAt.getTime()}`)
    }
    clock.schedule(after(200), note('second'))
    clock.schedule(after(100), note('first'))
    clock.schedule(after(200), note('third'))
    clock.schedule(after(301), note('not yet'))
    await clock.advance(300)
    expect(log).toEqual(['first at 100', 'second at 200', 'third at 200'])
  })

  test('runs a task that a task has scheduled, within the same advance', async () => {
    const clock = new VirtualClock({ startAt })
    const times: number[] = []
    const everyThreeMinutes = (): void => {
      times.push(clock.now().getTime() - startAt.getTime())
      clock.schedule(new Date(clock.now().getTime() + 180_000), everyThreeMinutes)
    }
    clock.schedule(after(180_000), everyThreeMinutes)
    await clock.advance(600_000)
    expect(times).toEqual([180_000, 360_000, 540_000])
  })

  test('runs a task of the past at the next advance, without going back', async () => {
    const clock = new VirtualClock({ startAt })
    let ranAt: Date | undefined
    clock.schedule(after(-5000), () => {
      ranAt = clock.now()
    })
    await clock.advance(0)
    expect(ranAt).toEqual(startAt)
  })

  test('runs concurrent advances one after the other', async () => {
    const clock = new VirtualClock({ startAt })
    const both = await Promise.all([clock.advance(10), clock.advance(20)])
    expect(both).toEqual([after(10), after(30)])
  })

  test('rejects with the error of a task, at its due time, and can be advanced afterwards', async () => {
    const clock = new VirtualClock({ startAt })
    clock.schedule(after(10), () => {
      throw new Error('undelivered')
    })
    await expect(clock.advance(20)).rejects.toThrow('undelivered')
    expect(clock.now()).toEqual(after(10))
    expect(await clock.advance(20)).toEqual(after(30))
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 9e15])('does not advance by %d ms', async (ms) => {
    await expect(new VirtualClock({ startAt }).advance(ms)).rejects.toThrow(RangeError)
  })

  test('never goes back, and runs each task once, in order, when it is due', async () => {
    const instants = fc.array(fc.integer({ min: -50, max: 500 }), { maxLength: 20 })
    const advances = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(instants, advances, async (dues, steps) => {
        const clock = new VirtualClock({ startAt })
        const ran: number[] = []
        const seen: number[] = []
        for (const due of dues) {
          clock.schedule(after(due), () => {
            ran.push(due)
            seen.push(clock.now().getTime() - startAt.getTime())
          })
        }
        for (const step of steps) seen.push((await clock.advance(step)).getTime() - startAt.getTime())
        const end = steps.reduce((sum, step) => sum + step, 0)
        const expected = steps.length === 0 ? [] : dues.filter((due) => due <= end)
        expect(ran).toEqual(expected.toSorted((a, b) => a - b))
        expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('a running clock', () => {
  test('runs at a multiple of the wall clock, and can be advanced', async () => {
    const clock = new VirtualClock({ startAt, speed: 1000 })
    const early = clock.now().getTime()
    await clock.advance(3_600_000)
    const late = clock.now().getTime()
    expect(late - early).toBeGreaterThanOrEqual(3_600_000)
    expect(late - early).toBeLessThan(3_600_000 + 60_000)
    clock.stop()
  })

  test('runs a task by itself, not before its due time', async () => {
    const clock = new VirtualClock({ startAt, speed: 1000 })
    const due = after(20_000)
    const ranAt = await new Promise<Date>((resolve) => clock.schedule(due, () => resolve(clock.now())))
    expect(ranAt.getTime()).toBeGreaterThanOrEqual(due.getTime())
    clock.stop()
  })
})
