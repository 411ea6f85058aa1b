import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { nextPoll } from '../../session/loans/poll-times.ts'
import { observe } from '../../check/observed/observe.ts'
import { sampleExchange } from './exchange.ts'
import { ViolationError } from '../../check/verdict.ts'
import type { LoanCancellation, LoanLine, StatusPoll } from '../../evidence/record/loan-application.ts'
import type { ObservedLine } from '../../check/time-line/steps.ts'

/** A bank of a few lines, for the tests of this folder: statuses by the time since the start, and looks at them. */

export const TIMING = { intervalMs: 180_000, toleranceMs: 60_000 }

export const CLIENT = [
  'NEW',
  'LOAN_APPLICATION_IN_PROGRESS',
  'LOAN_APPLICATION_FINISHED',
  'LOAN_DISBURSED',
] as const

const START = 1_000_000

/** Which status it is in after so many ms. */
export type Course = (ms: number) => string

/** Each status lasts as long as that; the last one for ever. */
export const lasting =
  (statuses: readonly string[], delays: readonly number[]): Course =>
  (ms) => {
    let left = ms
    const at = delays.findIndex((delay) => (left -= delay) < 0)
    return statuses[at < 0 ? delays.length : at] ?? ''
  }

const exchangeOf = (id: number, status: string | undefined) =>
  sampleExchange({ id: `sample/${id}`, operation: 'readLoan', body: JSON.stringify({ status }) })

const begun = (path: readonly string[]): LoanLine => ({
  ...{ name: 'client', id: 'a', path, timing: TIMING, polls: [] },
  start: { from: START, to: START },
})

const lookedAt = (line: LoanLine, course: Course, from: number, to = from): LoanLine => {
  const status = course((from + to) / 2 - START)
  const look: StatusPoll = { from, to, status, exchange: exchangeOf(line.polls.length + 1, status) }
  return { ...line, polls: [...line.polls, look] }
}

/** Looked at as the harness does. */
export const followed = (course: Course, path: readonly string[] = CLIENT, latency = 0): LoanLine => {
  let line = begun(path)
  for (let at = nextPoll(line), now = 0; at !== undefined; at = nextPoll(line)) {
    const from = Math.max(at, now)
    now = from + latency
    line = lookedAt(line, course, from, now)
  }
  return line
}

/** Looked at after so many ms each. */
export const lookedAtAfter = (
  instants: readonly number[],
  course: Course,
  path: readonly string[] = CLIENT,
): LoanLine => instants.reduce<LoanLine>((line, ms) => lookedAt(line, course, START + ms), begun(path))

/** Canceled after so many ms, before the look that follows. */
export const canceledAfter = (
  ms: number,
  { status, code, http = 200 }: { readonly status: string; readonly code?: string; readonly http?: number },
  line: LoanLine,
): LoanLine => {
  const at = START + ms
  const body = JSON.stringify(code === undefined ? {} : { errorCode: code })
  const exchange = sampleExchange({ id: 'sample/delete', operation: 'cancelLoan', status: http, body })
  const cancellation: LoanCancellation = {
    ...{ from: at, to: at, status, exchange },
    ...(code !== undefined && { code }),
  }
  return { ...line, cancelIn: status, cancellation }
}

export const observed = (line: LoanLine): ObservedLine => observe(line, new Set())

type Judge = (line: ObservedLine) => void

/** `pass`, or what stopped the judge. */
export const verdictOf = (judge: Judge, line: LoanLine): string => {
  try {
    judge(observed(line))
    return 'pass'
  } catch (thrown) {
    if (thrown instanceof ViolationError) return `violation: ${thrown.message}`
    if (thrown instanceof Inconclusive) return `inconclusive: ${thrown.message}`
    if (thrown instanceof NotReached) return `not reached: ${thrown.message}`
    throw thrown
  }
}
