import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { TOO_MANY_REQUESTS } from '../../evidence/record/answer-kind.ts'
import { lastingOf, staysOf, type Stay } from '../../evidence/record/loan-time-line.ts'
import { stepsOf, type Step } from './durations.ts'
import {
  minutes,
  since,
  staysFor,
  untilCanceled,
  useAllPolls,
  violationAt,
  withMoveTime,
  type ObservedLine,
} from './observed-line.ts'
import { held, ViolationError } from '../verdict.ts'
import { isOfTheBank } from '../observed/loans.ts'

/** Judges of the path and the timing of one loan application. The verdict rests on every poll that showed a status. */

const endOf = ({ path }: ObservedLine): string => path.at(-1) ?? ''

const endedAt = (line: ObservedLine, stays: readonly Stay[]): number =>
  stays.findIndex(({ status }, at) => status === endOf(line) && (at > 0 || line.path.length === 1))

/** @throws Inconclusive if statuses of the path may have passed between two polls. */
const keepsOrder = (line: ObservedLine, stays: readonly Stay[]): void => {
  let open: Stay | undefined
  for (const [at, stay] of stays.entries()) {
    const before = stays[at - 1]
    if (before === undefined) continue
    const [from, to] = [line.path.indexOf(before.status), line.path.indexOf(stay.status)]
    const next = line.path[from + 1]
    if (to === from + 1) {
      held()
      continue
    }
    const available = stay.since.to - stay.since.from
    const isUnseen = to > from && available >= (to - from - 1) * lastingOf(line.timing).least
    if (isUnseen) open ??= stay
    else
      throw violationAt({
        line,
        subject: `the status after ${before.status}`,
        expected: next ?? 'none',
        received: withMoveTime(line, stay),
        at: stay.first,
      })
  }
  if (open !== undefined)
    throw new Inconclusive(
      `${line.name}: what came before ${withMoveTime(line, open)}, was not polled in time`,
    )
}

/**
 * Judges that the application goes through the statuses of its path, one after the other, to the last one.
 * @throws Inconclusive if the polls are too far apart, or end too early.
 */
export const keepsPath = (whole: ObservedLine): void => {
  const line = untilCanceled(whole)
  useAllPolls(line)
  const stays = staysOf(line)
  const end = endedAt(line, stays)
  keepsOrder(line, end < 0 ? stays : stays.slice(0, end + 1))
  if (end >= 0) held()
  else if (line === whole) isUnfinished(line, stays)
}

const isUnfinished = (line: ObservedLine, stays: readonly Stay[]): never => {
  const last = stays.at(-1)
  const { most } = lastingOf(line.timing)
  if (last === undefined || last.until - last.since.to <= most)
    throw new Inconclusive(`${line.name}: the application was not polled until the end of its path`)
  throw violationAt({
    line,
    subject: `the status after ${last.status}`,
    expected: `${line.path[line.path.indexOf(last.status) + 1] ?? endOf(line)}, about ${minutes(line.timing.intervalMs)} min later`,
    received: `${last.status} still after ${since(line, last.until)}`,
    at: last.last,
  })
}

const duration = (line: ObservedLine, { stay, next, least, most, unseen }: Step): string => {
  const passed = unseen === 0 ? '' : `, with ${unseen} more unseen`
  const spent =
    most === Infinity
      ? `at least ${minutes(least)} min`
      : `${minutes(Math.max(0, least))} to ${minutes(most)} min`
  const moved =
    next === undefined
      ? `it was still there ${since(line, stay.until)} after the start`
      : `it moved to ${next.status} between ${since(line, next.since.from)} and ${since(line, next.since.to)} after the start`
  return `${spent}${passed}: ${moved}`
}

/**
 * The interval between two changes says nothing about the first status if the bank moves all applications at the
 * same times.
 */
const SOONER = ', or sooner where all applications move at the same times (`loans.timing.ticks`)'

/**
 * Judges that each status lasted as long as it may: the interval, plus or minus the tolerance.
 * @throws Inconclusive if the polls are too far apart to decide.
 * @throws NotReached if the application left no status.
 */
export const keepsIntervals = (whole: ObservedLine): void => {
  const line = untilCanceled(whole)
  useAllPolls(line)
  const steps = stepsOf(line)
  for (const [at, step] of steps.entries())
    if (step.finding === 'early' || step.finding === 'late')
      throw violationAt({
        line,
        subject: `how long ${step.stay.status} lasted`,
        expected: `${minutes(step.permitted.least)} to ${minutes(step.permitted.most)} min${at === 0 && step.finding === 'early' ? SOONER : ''}`,
        received: duration(line, step),
        at: step.next?.first ?? step.stay.last,
      })
  const left = steps.filter(({ next }) => next !== undefined)
  const open = left.find(({ finding }) => finding === 'open')
  if (open !== undefined)
    throw new Inconclusive(
      `${line.name}: ${open.stay.status} lasted ${duration(line, open)}; the polls lie too far apart`,
    )
  if (left.length === 0) throw new NotReached(`${line.name}: the application has left no status`)
  left.forEach(held)
}

/** Judges that the application stays in the last status of its path. @throws NotReached if it did not reach it. */
export const staysInLastStatus = (line: ObservedLine): void => {
  useAllPolls(line)
  const all = staysOf(line)
  const end = endedAt(line, all)
  if (end < 0) throw new NotReached(`${line.name}: the application did not reach ${endOf(line)}`)
  staysFor(line, all, end)
}

const UNAUTHORIZED = 401

/**
 * Judges that every poll has a status.
 * @throws Inconclusive if an answer is missing, or is not about the application.
 */
export const alwaysHasStatus = (line: ObservedLine): void => {
  for (const { status, code, exchange } of line.polls) {
    if (status !== undefined) {
      held()
      continue
    }
    const http = Number(exchange.status.value)
    if (http >= 500 || http === UNAUTHORIZED || http === TOO_MANY_REQUESTS)
      throw new Inconclusive(`${exchange.id} was answered ${http}, which says nothing about the application`)
    isOfTheBank(
      exchange,
      line.polls.map((poll) => poll.exchange),
    )
    throw new ViolationError({
      subject: `the answer to a poll (${line.name})`,
      expected: 'the status of the application',
      received: code ?? `${http} without a status`,
      exchange: exchange.id,
    })
  }
  useAllPolls(line)
}
