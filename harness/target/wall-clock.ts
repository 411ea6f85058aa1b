import { setTimeout as sleep } from 'node:timers/promises'
import { Inconclusive, Waiting } from '../evidence/signals.ts'
import type { TargetClock } from '../session/clock.ts'

/** A clock that nobody moves: what is to pass is waited for. */

/** How the target's time follows from that of this machine. */
export interface Pace {
  /** A moment of this machine at which both clocks show the same, in ms since 1970. */
  readonly origin: number
  /** How many times as fast the target's time runs. */
  readonly speed: number
}

export interface WallClockOptions {
  readonly pace?: Pace
  /** The end of the run: nobody waits beyond it. Its reason is thrown. */
  readonly ends?: AbortSignal | undefined
  /** When that is, in ms since 1970: what is due later is not waited for at all. */
  readonly deadline?: number | undefined
  /** This machine's time, in ms since 1970. */
  readonly wall?: () => number
}

/** A machine that sleeps stops its timers: it looks at its clock again after so many ms. */
const LONGEST_SLEEP = 15_000

const sleepUntil = async (due: number, wall: () => number, ends: AbortSignal | undefined): Promise<void> => {
  try {
    for (let left = due - wall(); left > 0; left = due - wall())
      await sleep(Math.min(left, LONGEST_SLEEP), undefined, { signal: ends })
  } catch (error) {
    // The reason of the end is what the verdict says.
    ends?.throwIfAborted()
    throw error
  }
}

/** Minutes are what a person can do something about; of a run in a hurry, seconds. */
const lateness = (ms: number): string =>
  ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`

/**
 * @throws Inconclusive where something was to be seen at a moment, and it has become later than it may.
 * @param times in ms of the target's time.
 */
export const refuseLate = ({
  due,
  now,
  slackMs,
}: {
  due: number
  now: number
  slackMs?: number | undefined
}): void => {
  if (slackMs === undefined || now - due <= slackMs) return
  throw new Inconclusive(
    `it was to be looked at by ${new Date(due + slackMs).toISOString()}, and the run went on ${lateness(now - due - slackMs)} later`,
  )
}

export const createWallClock = ({
  pace = { origin: 0, speed: 1 },
  ends,
  deadline = Number.POSITIVE_INFINITY,
  wall = Date.now,
}: WallClockOptions = {}): TargetClock => {
  const now = (): number => pace.origin + (wall() - pace.origin) * pace.speed
  return {
    kind: 'wall',
    now: () => new Date(now()),
    async pass(ms, slackMs) {
      const due = now() + ms
      const until = wall() + ms / pace.speed
      if (until > deadline) throw new Waiting(new Date(until))
      await sleepUntil(until, wall, ends)
      refuseLate({ due, now: now(), slackMs })
    },
  }
}
