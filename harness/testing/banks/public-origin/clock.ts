import { DateTime } from 'luxon'

/** The time of the bank in milliseconds since 1970: that of the machine, moved forward by the test hook. */
export class Clock {
  #offset = 0

  now(): number {
    return Date.now() + this.#offset
  }

  /** An earlier time changes nothing, since the clock never goes back. */
  forwardTo(moment: number): void {
    this.#offset = Math.max(this.#offset, moment - Date.now())
  }

  /** The date in UTC, in which the bank counts its days. */
  today(): string {
    return new Date(this.now()).toISOString().slice(0, 10)
  }
}

/** A time with milliseconds and the offset of Berlin, where the bank is. */
export const stamp = (moment: number): string =>
  DateTime.fromMillis(moment, { zone: 'Europe/Berlin' }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ")
