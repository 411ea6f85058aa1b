/** What stops a scenario without being the fault of the target or of the harness. */

/** A prerequisite did not come about: the target answered, but not with what the next step needs. */
export class NotReached extends Error {
  override readonly name: string = 'NotReached'
}

/** What is to be judged comes about later than the run may last: whoever goes on with the run then will see it. */
export class Waiting extends NotReached {
  override readonly name = 'Waiting'
  readonly until: Date
  constructor(until: Date) {
    super(`waits until ${minuteOf(until)}; npm test -- --resume goes on then`)
    this.until = until
  }
}

/** To the minute, and no earlier than it is. */
export const minuteOf = (time: Date): string =>
  `${new Date(Math.ceil(time.getTime() / 60_000) * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The target was neither caught doing wrong nor seen doing right: network, time, an answer that cannot be read. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

/** A request above what the plan allows. It was not sent. */
export class HeldBack extends Error {
  override readonly name = 'HeldBack'
}
