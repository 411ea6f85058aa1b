import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { TOO_MANY_REQUESTS } from '../session/answer.ts'
import { lastingOf, momentOf, staysOf } from '../session/loans-line.ts'
import { isPage } from './refused.ts'
import { keepsPath } from './time-line-judges.ts'
import { broken, isTakenOut, staysFor, touch } from './time-line-words.ts'
import { ViolationError } from './violation.ts'
import type { ObservedLine } from './time-line-words.ts'

/** Judges of an application that was canceled on its path, or was to be. */

const cancellationOf = (line: ObservedLine) => {
  if (line.cancellation === undefined)
    throw new NotReached(`${line.name}: the application was not seen in ${line.cancelIn ?? 'any status'}`)
  return line.cancellation
}

const REFUSED = 'NOT_ALLOWED_OPER'
const CANCELED = 'CANCELED'

/** What the application was soon after: a bank may take a moment. */
const soonAfter = (line: ObservedLine): { readonly status: string; readonly at: number } | undefined => {
  const { to } = cancellationOf(line)
  const behind = line.looks.flatMap(({ status, from }, at) =>
    from < to || status === undefined ? [] : [{ status, from, at }],
  )
  return behind.find(({ from }) => from >= to + momentOf(line.timing)) ?? behind.at(-1)
}

const statusSoonAfter = (line: ObservedLine): { readonly status: string; readonly at: number } => {
  const soon = soonAfter(line)
  if (soon === undefined)
    throw new Inconclusive(`${line.name}: no status was answered behind the cancellation`)
  return soon
}

/**
 * Whether the cancellation was refused as one that comes too late. How an accepted one is answered is undisclosed, so
 * that its effect tells it; nothing, where it was neither refused nor had one.
 */
export const refusalIn = (line: ObservedLine): boolean | undefined => {
  const { code, status } = cancellationOf(line)
  if (code === REFUSED) return true
  return status !== CANCELED && soonAfter(line)?.status === CANCELED ? false : undefined
}

/** Between the last look and the DELETE, and the look behind it, so much time may pass that the application moves. */
const mayHaveMoved = (line: ObservedLine): boolean => {
  const { status, from } = cancellationOf(line)
  const stay = staysOf(line).findLast((one) => one.status === status && one.since.from <= from)
  const until = line.looks[soonAfter(line)?.at ?? -1]?.to ?? from
  return (
    status !== line.path.at(-1) && until - (stay?.since ?? line.start).from >= lastingOf(line.timing).least
  )
}

const tooLate = (line: ObservedLine): Inconclusive =>
  new Inconclusive(
    `${line.name}: when ${cancellationOf(line).exchange.id} came, the application may have left ${cancellationOf(line).status}`,
  )

const isDefinite = (line: ObservedLine): void => {
  const { exchange } = cancellationOf(line)
  const http = Number(exchange.status.value)
  if (http >= 500) throw new Inconclusive(`${exchange.id} ended in a breakdown (${http})`)
  if (isPage(exchange)) throw new Inconclusive(`${exchange.id} was answered with a page (${http})`)
  if (http === TOO_MANY_REQUESTS) throw new Inconclusive(`${exchange.id} was turned away (${http})`)
}

/** The application is CANCELED behind the DELETE. */
export const isCanceled = (line: ObservedLine): void => {
  touch(line)
  const { exchange, code, status: before } = cancellationOf(line)
  if (refusalIn(line) === false) return exchange.status.isPresent()
  if (mayHaveMoved(line)) throw tooLate(line)
  isDefinite(line)
  if (!exchange.accepted || (code !== undefined && code !== 'OK'))
    throw new ViolationError({
      subject: `the DELETE in ${before} (${line.name})`,
      expected: 'to cancel the application',
      received: code ?? String(exchange.status.value),
      exchange: exchange.id,
    })
  const { status, at } = statusSoonAfter(line)
  throw broken({
    line,
    subject: `the status behind the DELETE in ${before}`,
    expected: CANCELED,
    received: status,
    at,
  })
}

/** The DELETE was answered NOT_ALLOWED_OPER. */
export const isNotAllowed = (line: ObservedLine): void => {
  const { exchange, code, status } = cancellationOf(line)
  if (refusalIn(line) === true) return exchange.status.isPresent()
  isDefinite(line)
  throw new ViolationError({
    subject: `the DELETE in ${status} (${line.name})`,
    expected: REFUSED,
    received: code ?? `${String(exchange.status.value)} without a code`,
    exchange: exchange.id,
  })
}

/** The DELETE was answered in one of the two ways that the interface knows: it cancels, or it is not allowed. */
export const isCanceledOrNotAllowed = (line: ObservedLine): void =>
  refusalIn(line) === true ? cancellationOf(line).exchange.status.isPresent() : isCanceled(line)

/**
 * A DELETE that was refused has changed nothing.
 * @throws NotReached where it was accepted.
 */
export const isLeftAlone = (line: ObservedLine): void => {
  touch(line)
  const { status: before, exchange } = cancellationOf(line)
  if (refusalIn(line) !== true) throw new NotReached(`${line.name}: ${exchange.id} was not refused`)
  const { status, at } = statusSoonAfter(line)
  if (status === before) return
  if (mayHaveMoved(line)) throw tooLate(line)
  throw broken({
    line,
    subject: 'the status behind a refused DELETE',
    expected: before,
    received: status,
    at,
  })
}

/**
 * An application that a DELETE has taken out of its path is CANCELED for good.
 * @throws NotReached where none has.
 */
export const staysCanceled = (line: ObservedLine): void => {
  touch(line)
  const { from } = cancellationOf(line)
  const all = staysOf(line)
  const canceled = all.findIndex(({ status, until }) => status === CANCELED && until >= from)
  if (refusalIn(line) !== false || canceled < 0)
    throw new NotReached(`${line.name}: the application was not canceled`)
  staysFor(line, all, canceled)
}

/** The part of the line that begins with the status of the cancellation. */
const fromCancellation = (line: ObservedLine): ObservedLine => {
  const { status, from } = cancellationOf(line)
  const stay = staysOf(line).findLast((one) => one.status === status && one.since.from <= from)
  return {
    ...line,
    path: line.path.slice(Math.max(0, line.path.indexOf(status))),
    start: stay?.since ?? line.start,
    looks: line.looks.slice(stay?.first ?? 0),
  }
}

/**
 * An application whose DELETE was refused goes on to the end of its path.
 * @throws NotReached where it was accepted.
 */
export const goesOn = (line: ObservedLine): void => {
  if (refusalIn(line) !== true) throw new NotReached(`${line.name}: the DELETE was not refused`)
  if (isTakenOut(line)) throw new NotReached(`${line.name}: the application was canceled all the same`)
  keepsPath(fromCancellation(line))
}
