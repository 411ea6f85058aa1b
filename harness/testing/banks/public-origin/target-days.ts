import { DateTime } from 'luxon'

/** The working days of TARGET: Monday to Friday, without its six holidays. */

const FIXED_HOLIDAYS = new Set(['01-01', '05-01', '12-25', '12-26'])

/** Easter Sunday of a year of the Gregorian calendar, by the anonymous algorithm. */
function easterOf(year: number): DateTime {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const shift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const moon = (19 * golden + century - Math.floor(century / 4) - shift + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - moon - (year % 4)) % 7
  const correction = Math.floor((golden + 11 * moon + 22 * weekday) / 451)
  const days = moon + weekday - 7 * correction + 114
  return DateTime.utc(year, Math.floor(days / 31), (days % 31) + 1)
}

/** Whether a text in the form YYYY-MM-DD is a working day; false where it is no day at all. */
export function isTargetDay(text: string): boolean {
  const day = DateTime.fromISO(text, { zone: 'utc' })
  if (!day.isValid || day.weekday > 5 || FIXED_HOLIDAYS.has(text.slice(5))) return false
  const fromEaster = day.diff(easterOf(day.year), 'days').days
  return fromEaster !== -2 && fromEaster !== 1
}
