import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { momentOf, staysOf } from '../session/loans-line.ts'
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

/** Whether the cancellation was refused as one that comes too late; nothing, where it was neither refused nor accepted. */
export const refusalIn = (line: ObservedLine): boolean | undefined => {
  const { code, exchange } = cancellationOf(line)
  if (code === REFUSED) return true
  return exchange.accepted && (code === undefined || code === 'OK') ? false : undefined
}

const statusSoonAfter = (line: ObservedLine): { readonly status: string; readonly at: number } => {
  const { to } = cancellationOf(line)
  const behind = line.looks
    .map(({ status, from }, at) => ({ status, from, at }))
    .filter((look) => look.from >= to && look.status !== undefined)
  const soon = behind.find(({ from }) => from >= to + momentOf(line.timing)) ?? behind.at(-1)
  if (soon?.status === undefined)
    throw new Inconclusive(`${line.name}: no status was answered behind the cancellation`)
  return { status: soon.status, at: soon.at }
}

const isDefinite = (line: ObservedLine): void => {
  const { exchange } = cancellationOf(line)
  if (Number(exchange.status.value) >= 500)
    throw new Inconclusive(`${exchange.id} ended in a breakdown (${String(exchange.status.value)})`)
}

/** The DELETE was accepted, and the application is CANCELED. */
export const isCanceled = (line: ObservedLine): void => {
  touch(line)
  const { exchange, code } = cancellationOf(line)
  if (refusalIn(line) !== false) {
    isDefinite(line)
    throw new ViolationError({
      subject: `the DELETE in ${cancellationOf(line).status} (${line.name})`,
      expected: 'to cancel the application',
      received: code ?? String(exchange.status.value),
      exchange: exchange.id,
    })
  }
  const { status, at } = statusSoonAfter(line)
  if (status !== 'CANCELED')
    throw broken({
      line,
      subject: `the status behind the DELETE in ${cancellationOf(line).status}`,
      expected: 'CANCELED',
      received: status,
      at,
    })
}

/** The DELETE was answered NOT_ALLOWED_OPER. */
export const isNotAllowed = (line: ObservedLine): void => {
  const { exchange, code, status } = cancellationOf(line)
  if (refusalIn(line) === true) return void exchange.status.value
  if (code === undefined) isDefinite(line)
  throw new ViolationError({
    subject: `the DELETE in ${status} (${line.name})`,
    expected: REFUSED,
    received: code ?? `${String(exchange.status.value)} without a code`,
    exchange: exchange.id,
  })
}

/** The DELETE was answered in one of the two ways that the interface knows: it cancels, or it is not allowed. */
export const isCanceledOrNotAllowed = (line: ObservedLine): void =>
  refusalIn(line) === true ? void cancellationOf(line).exchange.status : isCanceled(line)

/**
 * A DELETE that was refused has changed nothing.
 * @throws NotReached where it was accepted.
 */
export const isLeftAlone = (line: ObservedLine): void => {
  touch(line)
  const { status: before, exchange } = cancellationOf(line)
  if (refusalIn(line) !== true) throw new NotReached(`${line.name}: ${exchange.id} was not refused`)
  const { status, at } = statusSoonAfter(line)
  // It may just have moved by itself: that is looked at where its path is.
  const isNext = line.path.indexOf(status) === line.path.indexOf(before) + 1 && status !== 'CANCELED'
  if (status !== before && !isNext)
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
  const canceled = all.findIndex(({ status, until }) => status === 'CANCELED' && until >= from)
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
