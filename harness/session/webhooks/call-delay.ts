/** In ms. */
const LAG = 250
/** The longest wait, in ms. */
const LONGEST_MS = 10_000
/** After this many missing calls, the longest wait is no longer used. */
const MOST_MISSED = 2

/** How long the webhook calls of a target take in real time: as the profile says, until they have taken longer. */
export class CallDelay {
  readonly #saidMs: number
  #settleMs: number
  #lagMs: number
  #missed = 0

  /** @param settleMs the time in the profile. */
  constructor(settleMs: number) {
    this.#saidMs = settleMs
    this.#settleMs = settleMs
    this.#lagMs = Math.min(LAG, settleMs)
  }

  /** How long the target may take for the calls that fell due when its clock was moved, in ms. */
  get settleMs(): number {
    return this.#settleMs
  }

  /** How late a call may be if none is known to be due, in ms: as late as calls have been before. */
  get lagMs(): number {
    return this.#lagMs
  }

  /** How long to wait for a call that should have arrived, in ms: a queue or a network may delay it. */
  get lastMs(): number {
    return this.#missed < MOST_MISSED ? Math.max(this.#settleMs, LONGEST_MS) : this.#settleMs
  }

  /** A call arrived that many ms after the last move of the clock. */
  came(ms: number): void {
    // The next one may be slower still.
    const next = Math.min(2 * ms, Math.max(this.#saidMs, LONGEST_MS))
    this.#lagMs = Math.max(this.#lagMs, next)
    if (ms > this.#settleMs) this.#settleMs = next
  }

  /** A call that should have arrived did not. */
  missed(): void {
    this.#missed += 1
  }
}
