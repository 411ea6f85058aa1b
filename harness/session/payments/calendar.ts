/** The days on which payments are executed, and the hours in which they are accepted. All in UTC. */

const DAY_MS = 24 * 60 * 60 * 1000

/** Easter Sunday of the Gregorian calendar (Gauss's algorithm), as a day counted from 1 March. */
const easterOf = (year: number): number => {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7
  return 22 + d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451)
}

/** Whether TARGET, the system that settles euro payments, is closed on that day. */
const isClosingDay = (day: Date): boolean => {
  const monthAndDay = day.toISOString().slice(5, 10)
  if (['01-01', '05-01', '12-25', '12-26'].includes(monthAndDay)) return true
  const easter = Date.UTC(day.getUTCFullYear(), 2, easterOf(day.getUTCFullYear()))
  const distance = Math.round((startOf(day) - easter) / DAY_MS)
  return distance === -2 || distance === 1
}

const startOf = (day: Date): number => Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate())

export const isWorkingDay = (day: Date): boolean => ![0, 6].includes(day.getUTCDay()) && !isClosingDay(day)

/** The first working day at least that many days later, such as 2026-01-08. */
export const workingDayAfter = (now: Date, count: number): string => {
  let day = new Date(startOf(now) + count * DAY_MS)
  while (!isWorkingDay(day)) day = new Date(day.getTime() + DAY_MS)
  return day.toISOString().slice(0, 10)
}

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const MINUTE_MS = 60_000

/** The time until the clock next shows that time of day, in ms. */
export const untilTime = (now: Date, time: string): number => {
  const due = startOf(now) + minutesOf(time) * MINUTE_MS
  return due > now.getTime() ? due - now.getTime() : due + DAY_MS - now.getTime()
}

export interface Hours {
  readonly from: string
  readonly to: string
}

/** The time until payments are accepted, in ms; 0 if they are now. */
export const untilOpen = (now: Date, { from, to }: Hours): number => {
  const [opens, closes] = [minutesOf(from), minutesOf(to)]
  for (let day = startOf(now); ; day += DAY_MS) {
    const [start, end] = [day + opens * MINUTE_MS, day + closes * MINUTE_MS]
    if (now.getTime() < end && isWorkingDay(new Date(day))) return Math.max(0, start - now.getTime())
  }
}
