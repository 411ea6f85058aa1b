/** How soon a target's webhook calls come, by the wall: as the profile says, until they have shown to come later. */
export interface Pace {
  /** How long the target may take for the calls that fell due when its clock was moved, in ms. */
  readonly settleMs: number
  /** How late calls are taken to be where none is known to be due: as late as they have been, and little before any was late. */
  readonly lagMs: number
  /** How long a call is waited for that should have come by then, in ms: a queue or a network may hold it up. */
  readonly lastMs: number
  /** A call has come, so many ms after the clock had been moved by all that it may take. */
  came(ms: number): void
  /** A call that should have come has not, in all that time. */
  missed(): void
}

/** In ms. */
const LAG = 250
/** Nobody is waited for longer than that. */
const LONGEST_MS = 10_000
/** A target that makes no calls is not given that time over and over. */
const MOST_MISSED = 2

/** @param settleMs what the profile says. */
export const createPace = (settleMs: number): Pace => {
  let settles = settleMs
  let lag = Math.min(LAG, settleMs)
  let missed = 0
  return {
    get settleMs() {
      return settles
    },
    get lagMs() {
      return lag
    },
    get lastMs() {
      return missed < MOST_MISSED ? Math.max(settles, LONGEST_MS) : settles
    },
    came(ms) {
      // The next one may be slower still.
      const next = Math.min(2 * ms, Math.max(settleMs, LONGEST_MS))
      lag = Math.max(lag, next)
      if (ms > settles) settles = next
    },
    missed() {
      missed += 1
    },
  }
}
