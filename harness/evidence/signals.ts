/** Errors that stop a scenario and are neither a violation nor an error of this program. */

/** A prerequisite is missing: the target's answer lacks what the next step needs. */
export class NotReached extends Error {
  override readonly name: string = 'NotReached'
}

/** What must be judged happens after the end of this run; the resumed run judges it. */
export class Waiting extends NotReached {
  override readonly name = 'Waiting'
  readonly until: Date
  constructor(until: Date) {
    super(`waits until ${minuteOf(until)}; the resumed run judges it`)
    this.until = until
  }
}

/** The time to the minute, rounded up. */
export const minuteOf = (time: Date): string =>
  `${new Date(Math.ceil(time.getTime() / 60_000) * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** In seconds if short, otherwise in minutes. */
export const span = (ms: number): string =>
  ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`

/** The target was seen neither right nor wrong: network, time, or an answer that cannot be read. */
export class Inconclusive extends Error {
  override readonly name: string = 'Inconclusive'
}

/** A moment that was to be observed has passed. A resumed run begins the scenario anew. */
export class Missed extends Inconclusive {
  override readonly name = 'Missed'
}

/** A request that the plan does not allow. It was not sent. */
export class HeldBack extends Error {
  override readonly name = 'HeldBack'
}

/** A scenario that waits until then, in ms since 1970 by this machine's clock; without `until`, one that continues. */
export interface WaitNotice {
  readonly scenario: string
  readonly until?: number
  /** Why a resumed run has begun it anew. */
  readonly anew?: string
}
