/**
 * The bank's own time. It is stopped until it is advanced, or runs at a multiple of the wall clock. It never goes back,
 * and tasks run in the order of their due times.
 */

export type Task = () => void | Promise<void>

interface Appointment {
  readonly at: number
  readonly task: Task
}

export interface ClockOptions {
  readonly startAt: Date
  /** Virtual milliseconds per millisecond of the wall clock; 0 (the default) is a stopped clock. */
  readonly speed?: number
}

/** A longer wait overflows Node's timer and would fire at once. */
const LONGEST_WAIT = 2 ** 31 - 1

export class VirtualClock {
  readonly #speed: number
  readonly #wallStart = performance.now()
  readonly #agenda: Appointment[] = []
  #base: number
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #advancing: Promise<unknown> = Promise.resolve()

  constructor({ startAt, speed = 0 }: ClockOptions) {
    this.#base = startAt.getTime()
    this.#speed = speed
  }

  now(): Date {
    return new Date(this.#reading())
  }

  /** Runs the task when the clock reaches `at`; a task of the past runs at the next advance, or at once if the clock runs. */
  schedule(at: Date, task: Task): void {
    const due = at.getTime()
    // After all tasks with the same due time.
    const place = this.#agenda.findIndex((other) => other.at > due)
    this.#agenda.splice(place === -1 ? this.#agenda.length : place, 0, { at: due, task })
    this.#setTimer()
  }

  /**
   * Moves the clock forward by `ms` milliseconds and runs the tasks that are due in between, each at its due time and
   * awaited before the next. Concurrent advances run one after the other, so a task must not await one.
   * A task that throws ends the advance at its time, and the advance rejects with the same error.
   */
  async advance(ms: number): Promise<Date> {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`a clock advances by 0 ms or more, not by ${ms}`)
    if (Number.isNaN(new Date(this.#reading() + ms).getTime())) {
      throw new RangeError(`${ms} ms lead past the last date that can be written`)
    }
    const turn = this.#advancing.then(() => this.#advanceNow(ms))
    this.#advancing = turn.catch(() => undefined)
    return turn
  }

  /** Stops the timer of a running clock: scheduled tasks run only on an advance. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #advanceNow(ms: number): Promise<Date> {
    const target = this.#reading() + ms
    for (let next = this.#takeDue(target); next; next = this.#takeDue(target)) {
      this.#moveTo(next.at)
      await next.task()
    }
    this.#moveTo(target)
    this.#setTimer()
    return this.now()
  }

  #takeDue(target: number): Appointment | undefined {
    const next = this.#agenda[0]
    return next && next.at <= target ? this.#agenda.shift() : undefined
  }

  #reading(): number {
    if (this.#speed === 0) return this.#base
    return this.#base + Math.floor((performance.now() - this.#wallStart) * this.#speed)
  }

  #moveTo(instant: number): void {
    this.#base += Math.max(0, instant - this.#reading())
  }

  #setTimer(): void {
    const next = this.#agenda[0]
    if (this.#speed === 0 || this.#stopped || !next) return
    clearTimeout(this.#timer)
    const wait = Math.min(LONGEST_WAIT, Math.max(0, Math.ceil((next.at - this.#reading()) / this.#speed)))
    // A failing task must not stop the clock. The process reports it as an unhandled rejection.
    this.#timer = setTimeout(() => void this.advance(0), wait).unref()
  }
}
