import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { TOO_MANY_REQUESTS } from '../session/answer.ts'
import { lastingOf, staysOf } from '../session/loans-line.ts'
import { stepsOf } from './time-line-steps.ts'
import { broken, minutes, since, staysFor, told, touch, untilCanceled } from './time-line-words.ts'
import { ViolationError } from './violation.ts'
import type { Stay } from '../session/loans-line.ts'
import type { Step } from './time-line-steps.ts'
import type { ObservedLine } from './time-line-words.ts'

/** Judges of the time line of one loan application. The verdict rests on every look that told a status. */

const endOf = ({ path }: ObservedLine): string => path.at(-1) ?? ''

const endedAt = (line: ObservedLine, stays: readonly Stay[]): number =>
  stays.findIndex(({ status }, at) => status === endOf(line) && (at > 0 || line.path.length === 1))

/** @throws Inconclusive where statuses of the path may have been passed unseen. */
const keepsOrder = (line: ObservedLine, stays: readonly Stay[]): void => {
  let open: Stay | undefined
  for (const [at, stay] of stays.entries()) {
    const before = stays[at - 1]
    if (before === undefined) continue
    const [from, to] = [line.path.indexOf(before.status), line.path.indexOf(stay.status)]
    const next = line.path[from + 1]
    if (to === from + 1) continue
    const room = stay.since.to - stay.since.from
    const isUnseen = to > from && room >= (to - from - 1) * lastingOf(line.timing).least
    if (isUnseen) open ??= stay
    else
      throw broken({
        line,
        subject: `the status behind ${before.status}`,
        expected: next ?? 'none',
        received: told(line, stay),
        at: stay.first,
      })
  }
  if (open !== undefined)
    throw new Inconclusive(`${line.name}: what came before ${told(line, open)}, was not looked at in time`)
}

/**
 * The application goes through the statuses of its path, one after the other, to the last one.
 * @throws Inconclusive where its looks lie too far apart, or end too soon.
 */
export const keepsPath = (whole: ObservedLine): void => {
  const line = untilCanceled(whole)
  touch(line)
  const stays = staysOf(line)
  const end = endedAt(line, stays)
  keepsOrder(line, end < 0 ? stays : stays.slice(0, end + 1))
  if (end < 0 && line === whole) isUnfinished(line, stays)
}

const isUnfinished = (line: ObservedLine, stays: readonly Stay[]): never => {
  const last = stays.at(-1)
  const { most } = lastingOf(line.timing)
  if (last === undefined || last.until - last.since.to <= most)
    throw new Inconclusive(`${line.name}: the application was not looked at until its path ends`)
  throw broken({
    line,
    subject: `the status behind ${last.status}`,
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

/** Three minutes between two changes say nothing of the first one, where a clock of the bank's own moves all at once. */
const SOONER = ', or sooner where all applications move at the same times (`loans.timing.ticks`)'

/**
 * Each status that the application has left lasted as long as it may: the interval, give or take the tolerance.
 * @throws Inconclusive where its looks lie too far apart to tell. @throws NotReached where it has left none.
 */
export const keepsTime = (whole: ObservedLine): void => {
  const line = untilCanceled(whole)
  touch(line)
  const steps = stepsOf(line)
  for (const [at, step] of steps.entries())
    if (step.finding === 'early' || step.finding === 'late')
      throw broken({
        line,
        subject: `how long ${step.stay.status} lasted`,
        expected: `${minutes(step.lawful.least)} to ${minutes(step.lawful.most)} min${at === 0 && step.finding === 'early' ? SOONER : ''}`,
        received: duration(line, step),
        at: step.next?.first ?? step.stay.last,
      })
  const left = steps.filter(({ next }) => next !== undefined)
  const open = left.find(({ finding }) => finding === 'open')
  if (open !== undefined)
    throw new Inconclusive(
      `${line.name}: ${open.stay.status} lasted ${duration(line, open)}; the looks lie too far apart`,
    )
  if (left.length === 0) throw new NotReached(`${line.name}: the application has left no status`)
}

/**
 * The application keeps the last status of its path.
 * @throws NotReached where it did not come there.
 */
export const restsAtItsEnd = (line: ObservedLine): void => {
  touch(line)
  const all = staysOf(line)
  const end = endedAt(line, all)
  if (end < 0) throw new NotReached(`${line.name}: the application did not come to ${endOf(line)}`)
  staysFor(line, all, end)
}

const UNAUTHORIZED = 401

/**
 * Every look that told a status has the result code OK.
 * @throws NotReached where no look told one.
 */
export const isAlwaysOk = (line: ObservedLine): void => {
  const told = line.looks.filter(({ status }) => status !== undefined)
  if (told.length === 0) throw new NotReached(`${line.name}: no look told a status`)
  for (const { status, code, exchange } of told) {
    if (exchange.status.value !== undefined && code === 'OK') continue
    throw new ViolationError({
      subject: `the result code beside ${status ?? ''} (${line.name})`,
      expected: 'OK',
      received: code ?? 'nothing',
      exchange: exchange.id,
    })
  }
}

/**
 * Every look told a status.
 * @throws Inconclusive where an answer is missing, or is about something else than the application.
 */
export const isAlwaysTold = (line: ObservedLine): void => {
  for (const { status, code, exchange } of line.looks) {
    if (status !== undefined) continue
    const http = Number(exchange.status.value)
    if (http >= 500 || http === UNAUTHORIZED || http === TOO_MANY_REQUESTS)
      throw new Inconclusive(`${exchange.id} ended in ${http}, and tells nothing of the application`)
    throw new ViolationError({
      subject: `the answer to a look (${line.name})`,
      expected: 'the status of the application',
      received: code ?? `${http} without a status`,
      exchange: exchange.id,
    })
  }
  touch(line)
}

/** Every status that a look told is one of these. @throws NotReached where none told one. */
export const isAlwaysOneOf = (line: ObservedLine, statuses: readonly string[]): void => {
  if (line.looks.every(({ status }) => status === undefined))
    throw new NotReached(`${line.name}: no look told a status`)
  for (const { status, exchange } of line.looks)
    if (status !== undefined && !statuses.includes(status))
      throw new ViolationError({
        subject: `the status (${line.name})`,
        expected: `one of ${statuses.join(', ')}`,
        received: status,
        exchange: exchange.id,
      })
  touch(line)
}
