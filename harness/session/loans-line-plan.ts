import { lastingOf, momentOf, staysOf } from './loans-line.ts'
import type { Bracket, LoanLine, LoanTiming, Stay } from './loans-line.ts'

/**
 * When an application is looked at: rarely while nothing can lawfully happen, and close together where a look decides
 * whether a move was early, on time or late.
 */

/** Looks that are closer together than this part of a moment are one. */
const SAME = 1 / 4
/** Looks between the instants that matter, so that no move is seen from too far. */
const IN_BETWEEN = 2

const evenly = (from: number, to: number): readonly number[] =>
  Array.from({ length: IN_BETWEEN }, (_, at) => from + ((to - from) * (at + 1)) / (IN_BETWEEN + 1))

/** Of two that are nearly the same, the later one. */
const apart = (instants: readonly number[], least: number): readonly number[] =>
  instants
    .map((instant) => Math.round(instant))
    .toSorted((one, other) => one - other)
    .filter((instant, at, all) => (all[at + 1] ?? Infinity) - instant >= least)

/** How far a step may be behind its latest lawful instant before nothing is expected of it any more. */
const PATIENCE = 3

/**
 * When to look for the end of a status that began in this bracket: just before a move is lawful, at the instant from
 * which it surely is, around the expected one, and where it is surely late. Whatever is late is looked for a while.
 */
export const looksFor = (since: Bracket, timing: LoanTiming): readonly number[] => {
  const { intervalMs, toleranceMs } = timing
  const { least, most } = lastingOf(timing)
  const close = momentOf(timing)
  const before = since.from + least - close
  const [lower, expected] = [since.to + least, since.from + intervalMs - close]
  const [behind, upper] = [since.to + intervalMs + close, since.from + most]
  const late = since.to + most + close
  const overdue = [toleranceMs / 2, 2 * toleranceMs, most, (PATIENCE - 1) * most]
  return apart(
    [
      ...[before, lower, ...evenly(lower, expected), expected],
      ...[since.from + intervalMs, since.to + intervalMs, behind],
      ...[...evenly(behind, upper), upper, since.to + most, late],
      ...overdue.map((ms) => since.to + most + ms),
    ],
    close * SAME,
  )
}

/** When to look for a move that may come at once. */
const looksAnyTime = (since: Bracket, timing: LoanTiming): readonly number[] => {
  const stride = timing.toleranceMs / 2
  const count = Math.floor(timing.intervalMs / stride)
  return Array.from({ length: count }, (_, at) => Math.round(since.to + (at + 1) * stride))
}

/** Of the shortest stay, what may lie between two looks, so that no status is passed unseen. */
const CLOSE_ENOUGH = 4 / 5

/**
 * When to look for the status in which an application is to be canceled, and for what becomes of it: when it moves is
 * for others to tell, so that it is enough to miss no status. Every second look comes soon after an expected move.
 */
export const looksOnTheWay = (since: Bracket, timing: LoanTiming): readonly number[] => {
  const { least, most } = lastingOf(timing)
  const stride = Math.min(least * CLOSE_ENOUGH, (timing.intervalMs + momentOf(timing)) / 2)
  const count = Math.ceil((PATIENCE * most) / stride)
  return Array.from({ length: count }, (_, at) => Math.round(since.to + (at + 1) * stride))
}

/** When to look whether an application that has come to its end rests there, for two of the longest intervals. */
export const looksAtRest = (since: Bracket, timing: LoanTiming): readonly number[] => {
  const { least, most } = lastingOf(timing)
  const close = momentOf(timing)
  return [least, most, 2 * most].map((ms) => Math.round(since.to + ms + close))
}

/** An application that moves more often than this beyond its path is not followed for ever. */
const MOST_MOVES_BEYOND = 3

/** A look soon after a cancellation, so that a bank may take a moment for it. */
const behindCancellation = ({ cancellation, timing }: LoanLine): readonly number[] =>
  cancellation === undefined ? [] : [cancellation.to, cancellation.to + momentOf(timing)]

const looksOf = (line: LoanLine, stays: readonly Stay[]): readonly number[] => {
  const { path, timing, cancellation } = line
  const end = stays.find(({ status }, at) => status === path.at(-1) && (at > 0 || path.length === 1))
  if (end !== undefined) return looksAtRest(end.since, timing)
  const canceled =
    cancellation && stays.find(({ status, until }) => status === 'CANCELED' && until >= cancellation.from)
  if (canceled !== undefined) return looksAtRest(canceled.since, timing)
  const current = stays.at(-1)
  const isLost = stays.length > path.length + MOST_MOVES_BEYOND
  if (current === undefined || isLost) return []
  const planned = (line.cancelIn === undefined ? looksFor : looksOnTheWay)(current.since, timing)
  return timing.ticks === true && stays.length === 1
    ? [...looksAnyTime(current.since, timing), ...planned]
    : planned
}

/**
 * When the application is to be looked at next; in the past, where that was missed, and nothing once it has been seen
 * at rest, or is not expected to move any more.
 */
export const nextLook = (line: LoanLine): number | undefined => {
  const last = line.looks.at(-1)
  if (last === undefined) return line.start.to
  return [...looksOf(line, staysOf(line)), ...behindCancellation(line)]
    .toSorted((one, other) => one - other)
    .find((instant) => instant > last.from)
}
