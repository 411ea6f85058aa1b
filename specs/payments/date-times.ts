/** Reading statusDateTime. */

/**
 * ISO 8601, extended and basic: a date of the calendar, by the day of its year or by its week, a time of at least
 * minutes, and Z or an offset of hours and perhaps minutes.
 */
const FORMS = [
  /^(?<year>\d{4})-(?:(?<month>\d\d)-(?<day>\d\d)|(?<ordinal>\d{3})|W(?<week>\d\d)-(?<weekday>[1-7]))T(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?<offset>Z|[+-]\d\d(?::\d\d)?)$/,
  /^(?<year>\d{4})(?:(?<month>\d\d)(?<day>\d\d)|(?<ordinal>\d{3})|W(?<week>\d\d)(?<weekday>[1-7]))T(?<hour>\d\d)(?<minute>\d\d)(?:(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?<offset>Z|[+-]\d\d(?:\d\d)?)$/,
] as const

type Parts = Readonly<Record<string, string | undefined>>

const DAY_MS = 24 * 60 * 60_000
const MINUTE_MS = 60_000

const offsetMinutes = (offset: string): number => {
  if (offset === 'Z') return 0
  const [hours, minutes] = [offset.slice(1, 3), offset.slice(-2)].map(Number)
  const isWhole = offset.length === 3
  return (offset.startsWith('-') ? -1 : 1) * ((hours ?? 0) * 60 + (isWhole ? 0 : (minutes ?? 0)))
}

const ofCalendar = (year: number, month: number, day: number): number | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

const ofOrdinal = (year: number, ordinal: number): number | undefined => {
  const date = new Date(Date.UTC(year, 0, ordinal))
  return date.getUTCFullYear() === year ? date.getTime() : undefined
}

/** Monday is 1. */
const weekdayOf = (ms: number): number => new Date(ms).getUTCDay() || 7

/** The week with the first Thursday of the year is its first one. */
const ofWeek = (year: number, week: number, weekday: number): number | undefined => {
  const fourth = Date.UTC(year, 0, 4)
  const monday = fourth + (7 * (week - 1) + 1 - weekdayOf(fourth)) * DAY_MS
  const isOfTheYear = week > 0 && new Date(monday + 3 * DAY_MS).getUTCFullYear() === year
  return isOfTheYear ? monday + (weekday - 1) * DAY_MS : undefined
}

/** The midnight, in ms; undefined for a date that no calendar has. */
const midnightOf = ({ year, month, day, ordinal, week, weekday }: Parts): number | undefined => {
  if (ordinal !== undefined) return ofOrdinal(Number(year), Number(ordinal))
  if (week !== undefined) return ofWeek(Number(year), Number(week), Number(weekday))
  return ofCalendar(Number(year), Number(month), Number(day))
}

/** The instant in ms since 1970; undefined for what is no such date-time, or one that no calendar has. */
export const instantOf = (value: unknown): number | undefined => {
  if (typeof value !== 'string') return undefined
  const parts: Parts | undefined = FORMS.map((form) => form.exec(value)).find(
    (match) => match !== null,
  )?.groups
  const midnight = parts && midnightOf(parts)
  if (parts === undefined || midnight === undefined) return undefined
  const { hour, minute, second = '0', fraction = '0', offset = 'Z' } = parts
  const isOfADay = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60
  if (!isOfADay || Math.abs(offsetMinutes(offset)) >= 24 * 60) return undefined
  const minutes = Number(hour) * 60 + Number(minute) - offsetMinutes(offset)
  return midnight + minutes * MINUTE_MS + Number(second) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000)
}

/** Three digits or more behind the seconds. */
export const HAS_MILLISECONDS = /T\d\d:?\d\d:?\d\d[.,]\d{3,}/

/** Whether two values tell one time; values that tell none are compared as they stand. */
export const isSameTime = (one: unknown, other: unknown): boolean =>
  isToldTwice(one, other) ? instantOf(one) === instantOf(other) : one === other

/** Whether both values tell a time. */
export const isToldTwice = (one: unknown, other: unknown): boolean =>
  instantOf(one) !== undefined && instantOf(other) !== undefined
