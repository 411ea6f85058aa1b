import { DateTime } from 'luxon'

/** The days on which payments are executed, and the hours in which they are accepted, by the time zone of the bank. */

/** The time at the bank. @param zone of the IANA database. */
const local = (now: Date, zone: string): DateTime => DateTime.fromJSDate(now, { zone })

/** Easter Sunday of the Gregorian calendar (Gauss's algorithm), as a day counted from 1 March. */
const easterOf = (year: number): number => {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7
  return 22 + d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451)
}

/** Whether TARGET, the system that settles euro payments, is closed on that day. */
const isClosingDay = (day: DateTime): boolean => {
  if (['01-01', '05-01', '12-25', '12-26'].includes(day.toFormat('MM-dd'))) return true
  const easter = DateTime.utc(day.year, 3, 1).plus({ days: easterOf(day.year) - 1 })
  const distance = DateTime.utc(day.year, day.month, day.day).diff(easter, 'days').days
  return distance === -2 || distance === 1
}

const isWorking = (day: DateTime): boolean => day.weekday <= 5 && !isClosingDay(day)

/** The first working day at least that many days later, such as 2026-01-08. */
export const workingDayAfter = (now: Date, count: number, zone = 'UTC'): string => {
  let day = local(now, zone).startOf('day').plus({ days: count })
  while (!isWorking(day)) day = day.plus({ days: 1 })
  return day.toFormat('yyyy-MM-dd')
}

/** The day of the calendar that many days later, such as 2026-01-08. @param count below 0 for a day before. */
export const dayAfter = (now: Date, count: number, zone = 'UTC'): string =>
  local(now, zone).plus({ days: count }).toFormat('yyyy-MM-dd')

/** That time of day, HH:MM, on that day. */
const at = (day: DateTime, time: string): DateTime => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return day.set({ hour, minute, second: 0, millisecond: 0 })
}

/** The time until the clock next shows that time of day, in ms; never 0. */
export const untilTime = (now: Date, time: string, zone = 'UTC'): number => {
  const here = local(now, zone)
  const today = at(here, time)
  const due = today > here ? today : at(here.plus({ days: 1 }), time)
  return due.toMillis() - here.toMillis()
}

interface Hours {
  readonly from: string
  readonly to: string
}

/** The time until payments are accepted, in ms; 0 if they are now. */
export const untilOpen = (now: Date, { from, to }: Hours, zone = 'UTC'): number => {
  const here = local(now, zone)
  const isOverMidnight = to <= from
  // The hours that began yesterday may not be over.
  for (let day = here.minus({ days: 1 }); ; day = day.plus({ days: 1 })) {
    const [opens, closes] = [at(day, from), at(isOverMidnight ? day.plus({ days: 1 }) : day, to)]
    if (here < closes && isWorking(day)) return Math.max(0, opens.toMillis() - here.toMillis())
  }
}

/** The time until payments are accepted on a working day that another one follows, in ms; never 0. */
export const untilOpenBeforeWorkingDay = (now: Date, { from }: Pick<Hours, 'from'>, zone = 'UTC'): number => {
  const here = local(now, zone)
  let opening = here.plus(untilTime(now, from, zone))
  while (![opening, opening.plus({ days: 1 })].every(isWorking)) opening = opening.plus({ days: 1 })
  return opening.toMillis() - here.toMillis()
}
