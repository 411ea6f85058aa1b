import { Inconclusive } from '../evidence/signals.ts'
import { lastingOf } from '../session/loans-line.ts'
import { ViolationError } from './violation.ts'
import type { LoanLine, Stay } from '../session/loans-line.ts'
import type { Observed } from './observe.ts'

/** What the judges of a time line have in common: how they name what they saw, and what they take for seen. */

export type ObservedLine = Observed<LoanLine>

/** `3:05` for three minutes and five seconds. */
export const minutes = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  return `${seconds < 0 ? '-' : ''}${Math.floor(Math.abs(seconds) / 60)}:${String(Math.abs(seconds) % 60).padStart(2, '0')}`
}

export const touch = (line: ObservedLine): void => {
  for (const { status, exchange } of line.looks) if (status !== undefined) exchange.status.isPresent()
}

const exchangeAt = ({ looks, id }: ObservedLine, at: number | undefined): string =>
  looks[at ?? 0]?.exchange.id ?? `the application ${id}`

export const since = ({ start }: ObservedLine, instant: number): string =>
  `${minutes(instant - start.from)} min`

interface Broken {
  readonly line: ObservedLine
  readonly subject: string
  readonly expected: string
  readonly received: string
  readonly at: number | undefined
}

export const broken = ({ line, subject, expected, received, at }: Broken): ViolationError =>
  new ViolationError({
    subject: `${subject} (${line.name})`,
    expected,
    received,
    exchange: exchangeAt(line, at),
  })

/** Whether a DELETE took the application out of its path. */
export const isTakenOut = ({ cancellation, looks }: ObservedLine): boolean =>
  cancellation !== undefined &&
  cancellation.status !== 'CANCELED' &&
  looks.some(({ status, from }) => status === 'CANCELED' && from >= cancellation.from)

/** What was seen before a cancellation that took it out of its path; all, where there was none. */
export const untilCanceled = (line: ObservedLine): ObservedLine =>
  isTakenOut(line)
    ? { ...line, looks: line.looks.filter(({ from }) => from < (line.cancellation?.from ?? Infinity)) }
    : line

export const told = (line: ObservedLine, { status, since: { from, to } }: Stay): string =>
  `${status}, into which it moved between ${since(line, from)} and ${since(line, to)}`

/** @throws Inconclusive where the application was not looked at for one of the longest intervals. */
export const staysFor = (line: ObservedLine, all: readonly Stay[], at: number): void => {
  const rest = all[at]
  const later = all[at + 1]
  if (rest === undefined) return
  if (later !== undefined)
    throw broken({
      line,
      subject: `the status behind ${rest.status}`,
      expected: `${rest.status}, for good`,
      received: told(line, later),
      at: later.first,
    })
  if (rest.until - rest.since.to < lastingOf(line.timing).most)
    throw new Inconclusive(`${line.name}: the application was not looked at long enough in ${rest.status}`)
}
