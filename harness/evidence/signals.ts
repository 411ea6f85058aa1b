/** What stops a scenario without being the fault of the target or of the harness. */

/** A prerequisite did not come about: the target answered, but not with what the next step needs. */
export class NotReached extends Error {
  override readonly name = 'NotReached'
}

/** The target was neither caught doing wrong nor seen doing right: network, time, an answer that cannot be read. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

/** A request above what the plan allows. It was not sent. */
export class HeldBack extends Error {
  override readonly name = 'HeldBack'
}
