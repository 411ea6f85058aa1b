import { expect, test, vi } from 'vitest'
import { announcedClock, createAnnouncer, onInterruption, onWaits, interruptThreads } from './channels.ts'
import { SOON } from '../testing/pace.ts'
import type { WaitNotice } from '../evidence/signals.ts'
import type { TargetClock } from '../session/clock.ts'

const clockThat = (pass: TargetClock['pass']): TargetClock => ({ kind: 'wall', now: () => new Date(0), pass })

const announced = (pass: TargetClock['pass'] = async () => undefined) => {
  const reported: WaitNotice[] = []
  const announce = (notice: WaitNotice): void => void reported.push(notice)
  return {
    reported,
    clock: announcedClock(clockThat(pass), { scenario: 'loans/a-path', speed: 2, announce }),
  }
}

test('the start of a wait is reported with its end by the clock of this machine, and its end is reported', async () => {
  const { reported, clock } = announced()
  const before = Date.now()
  await clock.pass(180_000)
  expect(reported.map(({ scenario, until }) => [scenario, until !== undefined])).toEqual([
    ['loans/a-path', true],
    ['loans/a-path', false],
  ])
  expect(Math.abs((reported[0]?.until ?? 0) - before - 90_000)).toBeLessThan(5_000)
})

test('an interrupted wait is reported as over, and its error is rethrown', async () => {
  const { reported, clock } = announced(() => Promise.reject(new Error('interrupted')))
  await expect(clock.pass(180_000)).rejects.toThrow('interrupted')
  expect(reported.at(-1)).toEqual({ scenario: 'loans/a-path' })
})

test('a short wait is not reported', async () => {
  const { reported, clock } = announced()
  await clock.pass(1_000)
  expect(reported).toEqual([])
})

test('the main thread receives the waits of a thread until it stops listening', async () => {
  const received: WaitNotice[] = []
  const stop = onWaits((notice) => received.push(notice))
  createAnnouncer()({ scenario: 'a', until: 7 })
  await vi.waitFor(() => expect(received).toEqual([{ scenario: 'a', until: 7 }]), SOON)
  stop()
  createAnnouncer()({ scenario: 'b' })
  await new Promise(setImmediate)
  expect(received.length).toBe(1)
})

test('a thread is informed of an interruption of the run', async () => {
  const listener = vi.fn()
  onInterruption(listener)
  interruptThreads()
  await vi.waitFor(() => expect(listener).toHaveBeenCalledOnce(), SOON)
})
