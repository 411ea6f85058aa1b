import { setTimeout as sleep } from 'node:timers/promises'
import { Missed, span, Waiting } from '../evidence/signals.ts'
import { steadyNow } from '../evidence/steady-clock.ts'
import type { TargetClock } from '../session/clock.ts'

/** A clock that cannot be moved: the suite waits. */

/** The relation of the target's time to that of this machine. */
export interface Pace {
  /** The time of this machine at which both clocks show the same, in ms since 1970. */
  readonly origin: number
  /** How many times as fast the target's time runs. */
  readonly speed: number
}

export interface WallClockOptions {
  readonly pace?: Pace
  /** Aborted at the end of the run: waits end, and its reason is thrown. */
  readonly ends?: AbortSignal | undefined
  /** The time of that, in ms since 1970: a wait beyond it is not started. */
  readonly deadline?: number | undefined
  /** This machine's time, in ms since 1970. */
  readonly wall?: () => number
}

/** A suspended machine stops its timers: the clock is read again after this many ms. */
const LONGEST_SLEEP = 15_000

const sleepUntil = async (due: number, wall: () => number, ends: AbortSignal | undefined): Promise<void> => {
  try {
    for (let left = due - wall(); left > 0; left = due - wall())
      await sleep(Math.min(left, LONGEST_SLEEP), undefined, { signal: ends })
  } catch (error) {
    // The verdict contains the reason of the end.
    ends?.throwIfAborted()
    throw error
  }
}

/**
 * @throws Missed if it is later than the due time plus `slackMs`.
 * All times are in ms of the target's clock.
 */
export const throwIfLate = ({
  due,
  now,
  slackMs,
}: {
  due: number
  now: number
  slackMs?: number | undefined
}): void => {
  if (slackMs === undefined || now - due <= slackMs) return
  throw new Missed(
    `it was to be polled by ${new Date(due + slackMs).toISOString()}, and the run continued ${span(now - due - slackMs)} later`,
  )
}

export const createWallClock = ({
  pace = { origin: 0, speed: 1 },
  ends,
  deadline = Number.POSITIVE_INFINITY,
  wall = steadyNow,
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
      throwIfLate({ due, now: now(), slackMs })
    },
  }
}
