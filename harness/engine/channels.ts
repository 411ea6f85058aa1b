import { BroadcastChannel } from 'node:worker_threads'
import type { WaitNotice } from '../evidence/signals.ts'
import type { TargetClock } from '../session/clock.ts'

/** What the main thread and the threads of a run say to each other while it lasts. */

export type Announce = (notice: WaitNotice) => void

/** The process is the same for all threads of a run, and another for every other run. */
const channelFor = (purpose: 'waits' | 'interruption'): BroadcastChannel => {
  const channel = new BroadcastChannel(`${purpose} of ${process.pid}`)
  // It must not keep a process alive that has nothing else to do.
  channel.unref()
  return channel
}

/** In a thread: reports what it waits for. */
export const createAnnouncer = (): Announce => {
  const channel = channelFor('waits')
  return (notice) => channel.postMessage(notice)
}

/** In the main thread: hears what threads wait for. @returns what ends that. */
export const hearWaits = (onWait: Announce): (() => void) => {
  const channel = channelFor('waits')
  channel.onmessage = (message) => onWait((message as { readonly data: WaitNotice }).data)
  return () => channel.close()
}

/** In the main thread: ends the scenarios of all threads. Tests that run side by side do not all get vitest's own signal. */
export const interruptThreads = (): void => {
  channelFor('interruption').postMessage('interrupt')
}

/** In a thread: hears that the run is interrupted. */
export const hearInterruption = (onInterruption: () => void): void => {
  channelFor('interruption').onmessage = onInterruption
}

/** Nobody needs to be told of a moment. */
const WORTH_TELLING_MS = 2_000

/** A wall clock that tells until when it is waited for. @param speed how many times as fast as here it runs. */
export const announcedClock = (
  clock: TargetClock,
  { scenario, speed, announce }: { scenario: string; speed: number; announce: Announce },
): TargetClock => ({
  kind: clock.kind,
  now: () => clock.now(),
  async pass(ms, slackMs) {
    if (ms / speed < WORTH_TELLING_MS) return clock.pass(ms, slackMs)
    announce({ scenario, until: Date.now() + ms / speed })
    try {
      await clock.pass(ms, slackMs)
    } finally {
      announce({ scenario })
    }
  },
})
