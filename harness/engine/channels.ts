import { BroadcastChannel } from 'node:worker_threads'
import type { WaitNotice } from '../evidence/signals.ts'
import type { TargetClock } from '../session/clock.ts'

/** Messages between the main thread and the threads of a run. */

export type Announce = (notice: WaitNotice) => void

/** All threads of a run have the same process id. */
const channelFor = (purpose: 'waits' | 'interruption'): BroadcastChannel => {
  const channel = new BroadcastChannel(`${purpose} of ${process.pid}`)
  // It must not keep the process alive.
  channel.unref()
  return channel
}

/** In a thread: reports what a scenario waits for. */
export const createAnnouncer = (): Announce => {
  const channel = channelFor('waits')
  return (notice) => channel.postMessage(notice)
}

/** In the main thread: listens to what threads wait for. @returns a function that stops listening. */
export const onWaits = (onWait: Announce): (() => void) => {
  const channel = channelFor('waits')
  channel.onmessage = (message) => onWait((message as { readonly data: WaitNotice }).data)
  return () => channel.close()
}

/** In the main thread: ends the scenarios of all threads. vitest's own signal does not reach all concurrent tests. */
export const interruptThreads = (): void => {
  channelFor('interruption').postMessage('interrupt')
}

/** In a thread: calls the function when the run is interrupted. */
export const onInterruption = (onInterruption: () => void): void => {
  channelFor('interruption').onmessage = onInterruption
}

/** Shorter waits are not reported. */
const LEAST_REPORTED_MS = 2_000

/** A wall clock that reports its waits. @param speed how many times faster than real time it runs. */
export const announcedClock = (
  clock: TargetClock,
  { scenario, speed, announce }: { scenario: string; speed: number; announce: Announce },
): TargetClock => ({
  kind: clock.kind,
  now: () => clock.now(),
  async pass(ms, slackMs) {
    if (ms / speed < LEAST_REPORTED_MS) return clock.pass(ms, slackMs)
    announce({ scenario, until: Date.now() + ms / speed })
    try {
      await clock.pass(ms, slackMs)
    } finally {
      announce({ scenario })
    }
  },
})
