/** The bank's calendar: the time of Bratislava, and the days on which TARGET settles euro payments. */
import { DAY, HOUR, MINUTE } from './facts.ts'

const lastSundayOf = (year: number, month: number): number => {
  const last = new Date(Date.UTC(year, month + 1, 0))
  return last.getTime() - last.getUTCDay() * DAY
}

/** The offset of Bratislava from UTC, in ms. Summer time starts and ends at 01:00 UTC. */
export const offsetAt = (now: Date): number => {
  const year = now.getUTCFullYear()
  const begins = lastSundayOf(year, 2) + HOUR
  const ends = lastSundayOf(year, 9) + HOUR
  const isSummer = begins <= now.getTime() && now.getTime() < ends
  return isSummer ? 2 * HOUR : HOUR
}

/** ISO 8601 with milliseconds: 2026-01-05T10:00:00.000+01:00. */
export const localDateTime = (instant: Date, offset = offsetAt(instant)): string => {
  const local = new Date(instant.getTime() + offset).toISOString().slice(0, -1)
  const minutes = Math.abs(offset) / MINUTE
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

/** The calendar day at the bank, like 2026-01-05. */
export const bankDay = (now: Date): string => localDateTime(now).slice(0, 10)

/** The instant of this local hour on this day. */
export const atHour = (day: string, hour: number): Date => {
  const asIfUtc = new Date(`${day}T00:00:00.000Z`).getTime() + hour * HOUR
  return new Date(asIfUtc - offsetAt(new Date(asIfUtc)))
}

/** Whether the day exists: the 30th of February does not. */
export const isDay = (day: string): boolean => {
  const instant = new Date(`${day}T00:00:00.000Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day)
}

/** Easter Sunday, by the anonymous Gregorian algorithm. */
const easterSunday = (year: number): number => {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const leapCentury = Math.floor(century / 4)
  const moon = (century - leapCentury - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) % 30
  const correction =
    Math.floor(moon / 28) * (1 - Math.floor(29 / (moon + 1)) * Math.floor((21 - golden) / 11))
  const full = moon - correction
  const weekday = (year + Math.floor(year / 4) + full + 2 - century + leapCentury) % 7
  const offset = full - weekday
  const month = 3 + Math.floor((offset + 40) / 44)
  return Date.UTC(year, month - 1, offset + 28 - 31 * Math.floor(month / 4))
}

/** New Year, Labour Day, Christmas and the day after; Good Friday and Easter Monday depend on Easter. */
const FIXED_CLOSINGS: readonly string[] = ['01-01', '05-01', '12-25', '12-26']

/** Whether TARGET is closed on this day, apart from weekends. */
const isClosingDay = (day: Date): boolean => {
  if (FIXED_CLOSINGS.includes(day.toISOString().slice(5, 10))) return true
  const easter = easterSunday(day.getUTCFullYear())
  return [easter - 2 * DAY, easter + DAY].includes(day.getTime())
}

const WEEKEND: readonly number[] = [6, 0]

/** Whether payments are executed on this day. */
export const isBankingDay = (day: string): boolean => {
  const date = new Date(`${day}T00:00:00.000Z`)
  return !WEEKEND.includes(date.getUTCDay()) && !isClosingDay(date)
}
