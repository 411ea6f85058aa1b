import { BroadcastChannel } from 'node:worker_threads'
import type { WaitNotice } from '../report/audience.ts'
import type { TargetClock } from '../session/session.ts'

/** What a worker waits for, told to whoever watches the run. */

export type Announce = (notice: WaitNotice) => void

/** Tells on a channel of that name. */
export const announcerOn = (name: string): Announce => {
  const channel = new BroadcastChannel(name)
  channel.unref()
  return (notice) => channel.postMessage(notice)
}

/** Hears what is told there. @returns what ends that. */
export const hearOn = (name: string, hear: Announce): (() => void) => {
  const channel = new BroadcastChannel(name)
  channel.unref()
  channel.onmessage = (message) => hear((message as { readonly data: WaitNotice }).data)
  return () => channel.close()
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
