import { Worker } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import { announcedClock, announcerOn, hearOn } from './announcement.ts'
import type { WaitNotice } from '../report/audience.ts'
import type { TargetClock } from '../session/session.ts'

const clockThat = (pass: TargetClock['pass']): TargetClock => ({ kind: 'wall', now: () => new Date(0), pass })

const announced = (pass: TargetClock['pass'] = async () => undefined) => {
  const told: WaitNotice[] = []
  const announce = (notice: WaitNotice): void => void told.push(notice)
  return { told, clock: announcedClock(clockThat(pass), { scenario: 'loans/a-path', speed: 2, announce }) }
}

test('a wait is told with its end, by the clock of this machine, and that it is over', async () => {
  const { told, clock } = announced()
  const before = Date.now()
  await clock.pass(180_000)
  expect(told.map(({ scenario, until }) => [scenario, until !== undefined])).toEqual([
    ['loans/a-path', true],
    ['loans/a-path', false],
  ])
  expect(Math.abs((told[0]?.until ?? 0) - before - 90_000)).toBeLessThan(5_000)
})

test('a wait that is broken off is over, and its reason goes on', async () => {
  const { told, clock } = announced(() => Promise.reject(new Error('interrupted')))
  await expect(clock.pass(180_000)).rejects.toThrow('interrupted')
  expect(told.at(-1)).toEqual({ scenario: 'loans/a-path' })
})

test('a moment is not worth telling', async () => {
  const { told, clock } = announced()
  await clock.pass(1_000)
  expect(told).toEqual([])
})

test('what a worker tells is heard outside of it, until nobody wants to hear any more', async () => {
  const name = `announcement.test ${process.pid}`
  const heard: WaitNotice[] = []
  const stop = hearOn(name, (notice) => heard.push(notice))
  const worker = new Worker(
    `new (require('node:worker_threads').BroadcastChannel)(${JSON.stringify(name)}).postMessage({ scenario: 'a', until: 7 })`,
    { eval: true },
  )
  await vi.waitFor(() => expect(heard).toEqual([{ scenario: 'a', until: 7 }]), 10_000)
  await worker.terminate()
  stop()
  announcerOn(name)({ scenario: 'b' })
  await new Promise(setImmediate)
  expect(heard.length).toBe(1)
})
