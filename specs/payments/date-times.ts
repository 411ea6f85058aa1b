import { DateTime } from 'luxon'

/** The date-times of payment status records. */

/** ISO 8601 in extended or basic form: a date, a time of at least minutes, and Z or an offset. */
const FORM =
  /^(\d{4}-(\d\d-\d\d|\d{3}|W\d\d-\d)T(?!24)\d\d:\d\d(:\d\d([.,]\d{1,30})?)?(Z|[+-]([01]\d|2[0-3])(:\d\d)?)|\d{4}(\d{4}|\d{3}|W\d{3})T(?!24)\d{4}(\d\d([.,]\d{1,30})?)?(Z|[+-]([01]\d|2[0-3])(\d\d)?))$/

/** A leap second, which the library does not support. */
const LEAP_SECOND = /(?<=T\d\d:?\d\d:?)60/

/** The instant in ms since 1970; undefined if the value is not such a date-time of the calendar. */
export const instantOf = (value: unknown): number | undefined => {
  if (typeof value !== 'string' || !FORM.test(value)) return undefined
  const instant = DateTime.fromISO(value.replace(LEAP_SECOND, '59'))
  if (!instant.isValid) return undefined
  return instant.toMillis() + (LEAP_SECOND.test(value) ? 1_000 : 0)
}

/** Three digits or more after the seconds. */
export const HAS_MILLISECONDS = /T\d\d:?\d\d:?\d\d[.,]\d{3,}/

/** Whether two values state the same time; values without a time are compared as they are. */
export const isSameTime = (one: unknown, other: unknown): boolean =>
  areTimes(one, other) ? instantOf(one) === instantOf(other) : one === other

/** Whether both values are date-times. */
export const areTimes = (one: unknown, other: unknown): boolean =>
  instantOf(one) !== undefined && instantOf(other) !== undefined
