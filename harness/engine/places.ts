import { Semaphore } from 'async-mutex'
import { refuseLate } from '../target/wall-clock.ts'
import type { Need } from '../session/scenario.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { TargetClock } from '../session/clock.ts'
import type { Target } from '../target/target.ts'

/** Who acts on the target at the same time. */

export interface PlacesOptions {
  readonly target: Pick<Target, 'fresh'>
  /** Scenarios under way at once. */
  readonly concurrency: number
  /** Whether time is waited for: then whoever waits disturbs nobody, and is disturbed by nobody. */
  readonly waits: boolean
}

/** Where a scenario acts from. */
export interface Place {
  /** Somebody else may have the place while this is waited for. */
  meanwhile(wait: () => Promise<void>): Promise<void>
}

type Wanting = Pick<PlannedCheck, 'waitsMs' | 'awaitsWebhooks'>

export type WithPlace = <T>(
  planned: Wanting,
  needs: readonly Need[],
  run: (place: Place) => Promise<T>,
) => Promise<T>

/**
 * A scenario that moves the clock of a shared target, or revokes what the customer has granted, has the target for
 * itself: nobody else's tokens may end under their feet. So has one that points the webhooks of an application to
 * itself, and one that books: whoever walks the pages of the account at the same time would see them move. Payments
 * book as well, and move the clock into the hours in which they are taken.
 */
const EXCLUSIVE: ReadonlySet<Need> = new Set([
  'clock',
  'revocation',
  'consent-revocation',
  'booking',
  'webhook',
  'webhook-settings',
  'payments',
])

/** Who has waited comes before who has not, so that a moment is not missed; and who will wait begins before the rest. */
const PRIORITY = { back: 2, waiting: 1, other: 0 } as const

const NOWHERE: Place = { meanwhile: (wait) => wait() }

export const isTimed = ({ waitsMs, awaitsWebhooks }: Wanting): boolean =>
  waitsMs !== undefined && awaitsWebhooks !== true

export const createPlaces = ({ target, concurrency, waits }: PlacesOptions): WithPlace => {
  const places = new Semaphore(concurrency)
  // Loans have tokens of their own, which nobody else's grant ends: where time is waited for, they keep to their moments
  // beside all others. Among themselves they take turns, since a later token of theirs may end an earlier one.
  const loans = waits ? new Semaphore(concurrency) : places
  const isExclusive = (need: Need): boolean => EXCLUSIVE.has(need) && !(waits && need === 'clock')

  return async (planned, needs, run) => {
    const gives = waits && isTimed(planned)
    const shared = needs.includes('loans') ? loans : places
    const width = needs.some(isExclusive) && !target.fresh ? concurrency : 1
    let [, release] = await shared.acquire(width, gives ? PRIORITY.waiting : PRIORITY.other)
    const place: Place = {
      async meanwhile(wait) {
        release()
        release = () => undefined
        await wait()
        ;[, release] = await shared.acquire(width, PRIORITY.back)
      },
    }
    try {
      return await run(gives ? place : NOWHERE)
    } finally {
      release()
    }
  }
}

/** What is done when a scenario gives its place away, and when it has it again. */
export interface Turns {
  readonly leave: () => void
  readonly back: () => void
}

/** Gives the place away while time passes. */
export const yieldingClock = (clock: TargetClock, place: Place, { leave, back }: Turns): TargetClock => ({
  kind: clock.kind,
  now: () => clock.now(),
  async pass(ms, slackMs) {
    const due = clock.now().getTime() + ms
    leave()
    await place.meanwhile(() => clock.pass(ms))
    back()
    refuseLate({ due, now: clock.now().getTime(), slackMs })
  },
})
