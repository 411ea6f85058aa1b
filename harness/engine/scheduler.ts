import { Semaphore } from 'async-mutex'
import { throwIfLate } from '../connection/wall-clock.ts'
import type { Need } from '../session/scenario.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { TargetClock } from '../session/clock.ts'
import type { Target } from '../connection/target.ts'

/** Which scenarios run at the same time. */

export interface SchedulerOptions {
  readonly target: Pick<Target, 'fresh'>
  /** Scenarios at the same time. */
  readonly concurrency: number
  /** Whether scenarios with these needs wait for the wall clock, without a test hook that moves the target's clock. */
  readonly waits: (needs: readonly Need[]) => boolean
}

/** A running scenario's share of the concurrency. */
export interface Slot {
  /** Releases the slot until the wait is over. */
  meanwhile(wait: () => Promise<void>): Promise<void>
  /** The scenario has ended. */
  release(): void
}

type Timing = Pick<PlannedCheck, 'waitsMs' | 'awaitsWebhooks'>

/** Waits until a slot is free. */
export type Schedule = (planned: Timing, needs: readonly Need[]) => Promise<Slot>

/**
 * Needs of a scenario that would affect concurrent scenarios on a shared target: a moved clock or a revocation
 * ends their tokens, changed webhook settings redirect their calls, a booking shifts the pages that they read, another choice of
 * accounts may change what their tokens open. Payments book
 * and move the clock.
 */
const EXCLUSIVE_NEEDS: ReadonlySet<Need> = new Set([
  'clock',
  'revocation',
  'consent-revocation',
  'booking',
  'webhook',
  'webhook-settings',
  'account-choice',
  'payments',
])

/** A scenario whose wait is over comes first, so that it is not late; one that will wait starts before the rest. */
const PRIORITY = { resumed: 2, waiting: 1, other: 0 } as const

/** Whether a scenario waits for a moment that it knows beforehand. */
export const isTimed = ({ waitsMs, awaitsWebhooks }: Timing): boolean =>
  waitsMs !== undefined && awaitsWebhooks !== true

export const createScheduler = ({ target, concurrency, waits }: SchedulerOptions): Schedule => {
  const slots = new Semaphore(concurrency)
  // Loan tokens do not end by grants of other scenarios. With waits, loan scenarios have slots of their own, so that they
  // are not late; among themselves they take turns, since a new loan token may end an earlier one.
  const loans = waits(['loans']) ? new Semaphore(concurrency) : slots

  return async (planned, needs) => {
    const isWaiting = waits(needs)
    const isExclusive = (need: Need): boolean => EXCLUSIVE_NEEDS.has(need) && !(isWaiting && need === 'clock')
    const gives = isWaiting && isTimed(planned)
    const shared = needs.includes('loans') ? loans : slots
    const width = needs.some(isExclusive) && !target.fresh ? concurrency : 1
    let [, release] = await shared.acquire(width, gives ? PRIORITY.waiting : PRIORITY.other)
    return {
      async meanwhile(wait) {
        if (!gives) return wait()
        release()
        release = () => undefined
        await wait()
        ;[, release] = await shared.acquire(width, PRIORITY.resumed)
      },
      release: () => release(),
    }
  }
}

/** A clock that releases the slot while time passes, and says when it releases it and when it has one again. */
export const yieldingClock = (
  clock: TargetClock,
  slot: Pick<Slot, 'meanwhile'>,
  { release, reacquire }: Readonly<Record<'release' | 'reacquire', () => void>>,
): TargetClock => ({
  kind: clock.kind,
  now: () => clock.now(),
  async pass(ms, slackMs) {
    const due = clock.now().getTime() + ms
    release()
    await slot.meanwhile(() => clock.pass(ms))
    reacquire()
    throwIfLate({ due, now: clock.now().getTime(), slackMs })
  },
})
