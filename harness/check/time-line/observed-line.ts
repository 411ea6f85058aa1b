import { lastingOf, type LoanLine, type Traced, type Stay } from '../../evidence/record/loan-time-line.ts'
import { Inconclusive } from '../../evidence/signals.ts'
import { ViolationError, held } from '../verdict.ts'
import type { Observed } from '../observed/observe.ts'

/** A time line as its judges read it, and the violations that they find in it. */

export type ObservedLine = Observed<LoanLine>

/** `3:05` for three minutes and five seconds. */
export const minutes = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  return `${seconds < 0 ? '-' : ''}${Math.floor(Math.abs(seconds) / 60)}:${String(Math.abs(seconds) % 60).padStart(2, '0')}`
}

export const useAllPolls = (line: ObservedLine): void => {
  for (const { status, exchange } of line.polls) if (status !== undefined) exchange.use()
}

const exchangeAt = ({ polls, id }: ObservedLine, at: number | undefined): string =>
  polls[at ?? 0]?.exchange.id ?? `the application ${id}`

export const since = ({ start }: Pick<Traced, 'start'>, instant: number): string =>
  `${minutes(instant - start.from)} min`

interface StatusViolation {
  readonly line: ObservedLine
  readonly subject: string
  readonly expected: string
  readonly received: string
  readonly at: number | undefined
}

export const violationAt = ({ line, subject, expected, received, at }: StatusViolation): ViolationError =>
  new ViolationError({
    subject: `${subject} (${line.name})`,
    expected,
    received,
    exchange: exchangeAt(line, at),
  })

/** Whether a DELETE canceled the application on its path. */
export const wasCanceledOnPath = ({ cancellation, polls }: ObservedLine): boolean =>
  cancellation !== undefined &&
  cancellation.status !== 'CANCELED' &&
  polls.some(({ status, from }) => status === 'CANCELED' && from >= cancellation.from)

/** The polls before such a cancellation; all polls if there was none. */
export const untilCanceled = (line: ObservedLine): ObservedLine =>
  wasCanceledOnPath(line)
    ? { ...line, polls: line.polls.filter(({ from }) => from < (line.cancellation?.from ?? Infinity)) }
    : line

export const withMoveTime = (line: Pick<Traced, 'start'>, { status, since: { from, to } }: Stay): string =>
  `${status}, into which it moved between ${since(line, from)} and ${since(line, to)}`

/** @throws Inconclusive if the application was not polled for one of the longest intervals. */
export const staysFor = (line: ObservedLine, all: readonly Stay[], at: number): void => {
  const rest = all[at]
  const later = all[at + 1]
  if (rest === undefined) return
  if (later !== undefined)
    throw violationAt({
      line,
      subject: `the status after ${rest.status}`,
      expected: `${rest.status}, for good`,
      received: withMoveTime(line, later),
      at: later.first,
    })
  if (rest.until - rest.since.to < lastingOf(line.timing).most)
    throw new Inconclusive(`${line.name}: the application was not polled long enough in ${rest.status}`)
  held()
}
