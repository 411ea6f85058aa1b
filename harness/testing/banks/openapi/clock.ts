import { DateTime } from 'luxon'

const zone = 'Europe/Vienna'

/** The time of the bank. It runs on by itself and can be moved forward. */
export class Clock {
  #ahead = 0

  now(): number {
    return Date.now() + this.#ahead
  }

  advance(seconds: number): void {
    this.#ahead += seconds * 1000
  }
}

/** ISO 8601 with milliseconds and the UTC offset of the bank. */
export const timestamp = (moment: number): string =>
  DateTime.fromMillis(moment, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ")

/** The day of a moment at the bank. Days of this form are ordered as text. */
export const dayOf = (moment: number): string => DateTime.fromMillis(moment, { zone }).toFormat('yyyy-MM-dd')

/** The moment at which a day begins at the bank. */
export const startOf = (day: string): number => DateTime.fromISO(day, { zone }).toMillis()

/** Whether the calendar has this day. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text, { zone }).isValid
