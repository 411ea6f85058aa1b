import {
  lastingOf,
  momentOf,
  staysOf,
  type Bracket,
  type LoanTiming,
  type Stay,
} from '../../evidence/record/loan-time-line.ts'
import type { LoanLine } from '../../check/index.ts'

/**
 * When the status of an application is polled: rarely while it must not change, and often where a poll
 * decides whether a move was early, on time or late.
 */

/** Polls that are closer together than this part of a moment are merged. */
const SAME = 1 / 4
/** Additional polls between the decisive instants, so that no interval without a poll is too long. */
const IN_BETWEEN = 2

const evenly = (from: number, to: number): readonly number[] =>
  Array.from({ length: IN_BETWEEN }, (_, at) => from + ((to - from) * (at + 1)) / (IN_BETWEEN + 1))

/** Drops the earlier of two instants that are nearly the same. */
const apart = (instants: readonly number[], least: number): readonly number[] =>
  instants
    .map((instant) => Math.round(instant))
    .toSorted((one, other) => one - other)
    .filter((instant, at, all) => (all[at + 1] ?? Infinity) - instant >= least)

/** After how many of the longest intervals a status that has not changed is no longer polled. */
const MOST_INTERVALS = 3

/**
 * When to poll for the end of a status that began in this bracket: just before a move is permitted, when it surely is,
 * around the expected instant, and when it is surely late. A late application is polled for some time more.
 */
export const pollsForEndOfStatus = (since: Bracket, timing: LoanTiming): readonly number[] => {
  const { intervalMs, toleranceMs } = timing
  const { least, most } = lastingOf(timing)
  const close = momentOf(timing)
  const before = since.from + least - close
  const [lower, expected] = [since.to + least, since.from + intervalMs - close]
  const [behind, upper] = [since.to + intervalMs + close, since.from + most]
  const late = since.to + most + close
  const overdue = [toleranceMs / 2, 2 * toleranceMs, most, (MOST_INTERVALS - 1) * most]
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

/** When to poll for a move that may happen at any time. */
const pollsAtAnyTime = (since: Bracket, timing: LoanTiming): readonly number[] => {
  const stride = timing.toleranceMs / 2
  const count = Math.floor(timing.intervalMs / stride)
  return Array.from({ length: count }, (_, at) => Math.round(since.to + (at + 1) * stride))
}

/** The part of the shortest stay that may lie between two polls, so that no status is missed. */
const CLOSE_ENOUGH = 4 / 5

/**
 * When to poll for the status in which an application is to be canceled, and for what follows. Other scenarios
 * judge when it moves, so that it is enough to miss no status. Every second poll comes soon after an expected move.
 */
const pollsForEveryStatus = (since: Bracket, timing: LoanTiming): readonly number[] => {
  const { least, most } = lastingOf(timing)
  const stride = Math.min(least * CLOSE_ENOUGH, (timing.intervalMs + momentOf(timing)) / 2)
  const count = Math.ceil((MOST_INTERVALS * most) / stride)
  return Array.from({ length: count }, (_, at) => Math.round(since.to + (at + 1) * stride))
}

/** When to poll whether an application stays in its last status, for two of the longest intervals. */
const pollsInLastStatus = (since: Bracket, timing: LoanTiming): readonly number[] => {
  const { least, most } = lastingOf(timing)
  const close = momentOf(timing)
  return [least, most, 2 * most].map((ms) => Math.round(since.to + ms + close))
}

/** An application that moves more often than this after its path is no longer polled. */
const MOST_MOVES_BEYOND = 3

/** A poll soon after a cancellation: a bank may take a moment for it. */
const pollsAfterCancellation = ({ cancellation, timing }: LoanLine): readonly number[] =>
  cancellation === undefined ? [] : [cancellation.to, cancellation.to + momentOf(timing)]

const pollsOf = (line: LoanLine, stays: readonly Stay[]): readonly number[] => {
  const { path, timing, cancellation } = line
  const end = stays.find(({ status }, at) => status === path.at(-1) && (at > 0 || path.length === 1))
  if (end !== undefined) return pollsInLastStatus(end.since, timing)
  const canceled =
    cancellation && stays.find(({ status, until }) => status === 'CANCELED' && until >= cancellation.from)
  if (canceled !== undefined) return pollsInLastStatus(canceled.since, timing)
  const current = stays.at(-1)
  const isLost = stays.length > path.length + MOST_MOVES_BEYOND
  if (current === undefined || isLost) return []
  const planned = (line.cancelIn === undefined ? pollsForEndOfStatus : pollsForEveryStatus)(
    current.since,
    timing,
  )
  return timing.ticks === true && stays.length === 1
    ? [...pollsAtAnyTime(current.since, timing), ...planned]
    : planned
}

/**
 * When to poll the application next; in the past if that was missed; undefined if it has stopped, or is not
 * expected to move any more.
 */
export const nextPoll = (line: LoanLine): number | undefined => {
  const last = line.polls.at(-1)
  if (last === undefined) return line.start.to
  return [...pollsOf(line, staysOf(line)), ...pollsAfterCancellation(line)]
    .toSorted((one, other) => one - other)
    .find((instant) => instant > last.from)
}
