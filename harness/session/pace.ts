/** In ms. */
const LAG = 250
/** Nobody is waited for longer than that. */
const LONGEST_MS = 10_000
/** A target that makes no calls is not given that time over and over. */
const MOST_MISSED = 2

/** How soon a target's webhook calls come, by the wall: as the profile says, until they have shown to come later. */
export class Pace {
  readonly #saidMs: number
  #settleMs: number
  #lagMs: number
  #missed = 0

  /** @param settleMs what the profile says. */
  constructor(settleMs: number) {
    this.#saidMs = settleMs
    this.#settleMs = settleMs
    this.#lagMs = Math.min(LAG, settleMs)
  }

  /** How long the target may take for the calls that fell due when its clock was moved, in ms. */
  get settleMs(): number {
    return this.#settleMs
  }

  /** How late calls are taken to be where none is known to be due: as late as they have been, and little before any was late. */
  get lagMs(): number {
    return this.#lagMs
  }

  /** How long a call is waited for that should have come by then, in ms: a queue or a network may hold it up. */
  get lastMs(): number {
    return this.#missed < MOST_MISSED ? Math.max(this.#settleMs, LONGEST_MS) : this.#settleMs
  }

  /** A call has come, so many ms after the clock had been moved by all that it may take. */
  came(ms: number): void {
    // The next one may be slower still.
    const next = Math.min(2 * ms, Math.max(this.#saidMs, LONGEST_MS))
    this.#lagMs = Math.max(this.#lagMs, next)
    if (ms > this.#settleMs) this.#settleMs = next
  }

  /** A call that should have come has not, in all that time. */
  missed(): void {
    this.#missed += 1
  }
}
