/** Reading statusDateTime. */

/** ISO 8601, extended: a date, a time of at least minutes, and Z, ±hh:mm or ±hh. */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::\d\d)?)$/

const MINUTE_MS = 60_000

const offsetMinutes = (offset: string): number => {
  if (offset === 'Z') return 0
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** The instant in ms since 1970; undefined for what is no such date-time, or one that no calendar has. */
export const instantOf = (value: unknown): number | undefined => {
  const match = typeof value === 'string' ? DATE_TIME.exec(value) : null
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0))
  const [, , , , , , , fraction = '0', offset = 'Z'] = match
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const isOfACalendar =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60
  if (!isOfACalendar || second > 60 || Math.abs(offsetMinutes(offset)) >= 24 * 60) return undefined
  const ms = Math.floor(Number(`0.${fraction}`) * 1000)
  return date.getTime() + ms - offsetMinutes(offset) * MINUTE_MS
}

/** Three digits or more behind the seconds. */
export const HAS_MILLISECONDS = /T\d\d:\d\d:\d\d[.,]\d{3,}/

/** Whether two values tell one time; values that tell none are compared as they stand. */
export const isSameTime = (one: unknown, other: unknown): boolean =>
  isToldTwice(one, other) ? instantOf(one) === instantOf(other) : one === other

/** Whether both values tell a time. */
export const isToldTwice = (one: unknown, other: unknown): boolean =>
  instantOf(one) !== undefined && instantOf(other) !== undefined
