/** How far and whereto a clock is moved, in the units that a lever may want: the names of its placeholders. */

export type ClockArguments = Readonly<Record<(typeof CLOCK_ARGUMENTS)[number], string | number>>

export const CLOCK_ARGUMENTS = [
  'milliseconds',
  'seconds',
  'minutes',
  'duration',
  'instant',
  'epochSeconds',
  'epochMilliseconds',
] as const

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/**
 * The same move in every unit. What is no whole number of its unit has decimals: a clock that was moved a second too far
 * or too short would make a conforming target look wrong.
 * @param ms by how much.
 * @param now the target's time, ms since 1970.
 */
export const clockArguments = (ms: number, now: number): ClockArguments => {
  const whole = Math.round(ms)
  const then = Math.round(now) + whole
  return {
    milliseconds: ms,
    seconds: whole / SECOND_MS,
    minutes: whole / MINUTE_MS,
    // ISO 8601; seconds alone, since days and months are not of the same length everywhere.
    duration: `PT${whole / SECOND_MS}S`,
    instant: new Date(then).toISOString(),
    epochSeconds: then / SECOND_MS,
    epochMilliseconds: then,
  }
}
