import { DateTime } from 'luxon'

/** The time of the bank, and what its calendar says: opening hours, working days, days of execution. */

const ZONE = 'Europe/Bratislava'
const TAKES_FROM = 7
const TAKES_UNTIL = 3
const EXECUTES_AT = 6

/** The time of the machine plus an offset that only grows. */
export class Clock {
  #offset = 0

  now(): number {
    return Date.now() + this.#offset
  }

  advance(milliseconds: number): void {
    this.#offset += milliseconds
  }
}

export const local = (moment: number): DateTime => DateTime.fromMillis(moment, { zone: ZONE })

/** ISO 8601 with milliseconds and the UTC offset of the local time. */
export const stamp = (moment: number): string => local(moment).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ")

export const localDay = (moment: number): string => local(moment).toFormat('yyyy-MM-dd')

/** Whether the payment API takes orders: from 07:00 until 03:00 of the next day. */
export function takesOrders(moment: number): boolean {
  const { hour } = local(moment)
  return hour >= TAKES_FROM || hour < TAKES_UNTIL
}

/** When an order for a day is executed. */
export const executionOf = (day: string): number =>
  DateTime.fromISO(day, { zone: ZONE }).set({ hour: EXECUTES_AT }).toMillis()

/** A day on which TARGET is open; text that names no day of the calendar is none. */
export function isWorkingDay(text: string): boolean {
  const day = DateTime.fromFormat(text, 'yyyy-MM-dd', { zone: 'utc' })
  if (!day.isValid || day.weekday > 5) return false
  if (['01-01', '05-01', '12-25', '12-26'].includes(text.slice(5))) return false
  const afterEaster = day.diff(easterSunday(day.year), 'days').days
  return afterEaster !== -2 && afterEaster !== 1
}

/** Easter of the Gregorian calendar, by the rule of Meeus, Jones and Butcher. */
function easterSunday(year: number): DateTime {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const corrected = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - corrected + 15) % 30
  const untilSunday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * untilSunday) / 451)
  const counted = epact + untilSunday - 7 * late + 114
  return DateTime.utc(year, Math.floor(counted / 31), (counted % 31) + 1)
}
