import { observe } from '../../check/observed/observe.ts'
import { ViolationError } from '../../check/verdict.ts'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { nextPoll } from '../../session/loans/poll-times.ts'
import { UsedExchanges } from '../../check/observed/exchange.ts'
import type { ObservedLine } from '../../check/time-line/observed-line.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { LoanLine, StatusPoll } from '../../evidence/record/loan-time-line.ts'

/** The parts of a sample exchange that differ from a token answer. */
export interface SampleParts {
  readonly id?: string
  readonly operation?: string
  readonly url?: string
  readonly effect?: Exchange['effect']
  readonly status?: number
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
  readonly fault?: Exchange['fault']
  readonly timesRepeated?: number
}

export const sampleExchange = (parts: SampleParts = {}): Exchange => {
  const { id = 'sample/1', operation = 'token', url = 'http://127.0.0.1/token' } = parts
  const { effect = 'consent', status = 200, headers = [], fault, timesRepeated } = parts
  const text = parts.body ?? '{"access_token":"t0ken","expires_in":7776000,"nested":{"consentId":"c1"}}'
  return {
    kind: 'exchange',
    id,
    sender: 'scenario',
    operation,
    effect,
    request: { method: 'POST', url, headers: [] },
    ...(fault === undefined
      ? { response: { status, headers, body: { text, bytes: Buffer.byteLength(text) } } }
      : { fault }),
    ...(timesRepeated !== undefined && { timesRepeated }),
    sentAt: '2026-01-05T09:00:00.000Z',
    durationMs: 1,
  }
}

export const TIMED_OUT = { kind: 'timeout', cause: 'DEADLINE', message: 'no whole answer came' } as const

/** A simulated bank: the status of a loan application by the time since its start, and polls of it. */

const TIMING = { intervalMs: 180_000, toleranceMs: 60_000 }

export const CLIENT = [
  'NEW',
  'LOAN_APPLICATION_IN_PROGRESS',
  'LOAN_APPLICATION_FINISHED',
  'LOAN_DISBURSED',
] as const

const START = 1_000_000

/** The status after this number of ms. */
type StatusAt = (ms: number) => string

/** Each status lasts for the delay with the same index; the last one has no end. */
export const lasting =
  (statuses: readonly string[], delays: readonly number[]): StatusAt =>
  (ms) => {
    let left = ms
    const at = delays.findIndex((delay) => (left -= delay) < 0)
    return statuses[at < 0 ? delays.length : at] ?? ''
  }

const exchangeOf = (id: number, status: string | undefined) =>
  sampleExchange({ id: `sample/${id}`, operation: 'readLoan', body: JSON.stringify({ status }) })

const begun = (path: readonly string[]): LoanLine => ({
  name: 'client',
  id: 'a',
  path,
  timing: TIMING,
  polls: [],
  start: { from: START, to: START },
})

const withPoll = (line: LoanLine, statusAt: StatusAt, from: number, to = from): LoanLine => {
  const status = statusAt((from + to) / 2 - START)
  const poll: StatusPoll = { from, to, status, exchange: exchangeOf(line.polls.length + 1, status) }
  return { ...line, polls: [...line.polls, poll] }
}

/** Polled as the harness polls. @param latency of each poll, in ms. */
export const followed = (statusAt: StatusAt, path: readonly string[] = CLIENT, latency = 0): LoanLine => {
  let line = begun(path)
  for (let at = nextPoll(line), now = 0; at !== undefined; at = nextPoll(line)) {
    const from = Math.max(at, now)
    now = from + latency
    line = withPoll(line, statusAt, from, now)
  }
  return line
}

/** Polled at these instants, in ms since the start. */
export const polledAfter = (
  instants: readonly number[],
  statusAt: StatusAt,
  path: readonly string[] = CLIENT,
): LoanLine => instants.reduce<LoanLine>((line, ms) => withPoll(line, statusAt, START + ms), begun(path))

/** Canceled after this number of ms, before the next poll. */
export const canceledAfter = (
  ms: number,
  {
    status,
    code,
    http = 200,
    body = JSON.stringify(code === undefined ? {} : { errorCode: code }),
  }: { readonly status: string; readonly code?: string; readonly http?: number; readonly body?: string },
  line: LoanLine,
): LoanLine => {
  const at = START + ms
  const exchange = sampleExchange({ id: 'sample/delete', operation: 'cancelLoan', status: http, body })
  const cancellation: NonNullable<LoanLine['cancellation']> = {
    from: at,
    to: at,
    status,
    exchange,
    ...(code !== undefined && { code }),
  }
  return { ...line, cancelIn: status, cancellation }
}

export const observed = (line: LoanLine): ObservedLine => observe(line, new UsedExchanges())

type Judge = (line: ObservedLine) => void

/** `pass`, or the error that the judge threw. */
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
