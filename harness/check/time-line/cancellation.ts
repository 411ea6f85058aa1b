import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { lastingOf, momentOf, staysOf } from '../../evidence/record/loan-time-line.ts'
import { wasProcessed } from '../refusals.ts'
import { keepsPath } from './path.ts'
import { staysFor, useAllPolls, violationAt, wasCanceledOnPath, type ObservedLine } from './observed-line.ts'
import { assert, held, ViolationError } from '../verdict.ts'
import { isOfTheBank, loanCode, loanStatus } from '../observed/loans.ts'
import type { LoanWords } from '../../evidence/record/loan-application.ts'
import type { ObservedExchange } from '../observed/exchange.ts'

/** Judges of an application that was canceled on its path, or was to be. */

const cancellationOf = (line: ObservedLine) => {
  if (line.cancellation === undefined)
    throw new NotReached(`${line.name}: the application was not seen in ${line.cancelIn ?? 'any status'}`)
  return line.cancellation
}

const REFUSED = 'NOT_ALLOWED_OPER'
const CANCELED = 'CANCELED'

/** The status soon after the cancellation: a bank may take a moment. */
const soonAfter = (line: ObservedLine): { readonly status: string; readonly at: number } | undefined => {
  const { to } = cancellationOf(line)
  const later = line.polls.flatMap(({ status, from }, at) =>
    from < to || status === undefined ? [] : [{ status, from, at }],
  )
  return later.find(({ from }) => from >= to + momentOf(line.timing)) ?? later.at(-1)
}

const statusSoonAfter = (line: ObservedLine): { readonly status: string; readonly at: number } => {
  const soon = soonAfter(line)
  if (soon === undefined)
    throw new Inconclusive(`${line.name}: no status was answered after the cancellation`)
  return soon
}

/**
 * Whether the cancellation was refused as too late. The interface does not show how an accepted one is answered, so
 * that its effect decides; undefined if it was neither refused nor had an effect.
 */
export const refusalIn = (line: ObservedLine): boolean | undefined => {
  const { code, status } = cancellationOf(line)
  if (code === REFUSED) return true
  return status !== CANCELED && soonAfter(line)?.status === CANCELED ? false : undefined
}

/** Whether enough time passed, between the last poll before the DELETE and the poll after it, for a permitted move. */
const mayHaveMoved = (line: ObservedLine): boolean => {
  const { status, from } = cancellationOf(line)
  const stay = staysOf(line).findLast((one) => one.status === status && one.since.from <= from)
  const until = line.polls[soonAfter(line)?.at ?? -1]?.to ?? from
  return (
    status !== line.path.at(-1) && until - (stay?.since ?? line.start).from >= lastingOf(line.timing).least
  )
}

const tooLate = (line: ObservedLine): Inconclusive =>
  new Inconclusive(
    `${line.name}: when ${cancellationOf(line).exchange.id} came, the application may have left ${cancellationOf(line).status}`,
  )

/** @param all lines whose DELETEs show whether the bank answers JSON */
const isDefinite = (line: ObservedLine, all: readonly ObservedLine[]): void => {
  const { exchange } = cancellationOf(line)
  const http = Number(exchange.status.value)
  if (http >= 500) throw new Inconclusive(`${exchange.id} was answered with a server error (${http})`)
  if (exchange.kind === 'gateway' || exchange.kind === 'throttled')
    throw new Inconclusive(`${exchange.id} was answered with ${exchange.described}`)
  isOfTheBank(
    exchange,
    all.flatMap(({ cancellation }) => (cancellation === undefined ? [] : [cancellation.exchange])),
  )
}

/** Judges that the application is CANCELED after the DELETE. @param all lines of the same scenario, here and below */
export const isCanceled = (line: ObservedLine, all: readonly ObservedLine[] = []): void => {
  useAllPolls(line)
  const { exchange, code, status: before } = cancellationOf(line)
  exchange.use()
  if (refusalIn(line) === false) return held()
  if (mayHaveMoved(line)) throw tooLate(line)
  isDefinite(line, all)
  if (!exchange.accepted || (code !== undefined && code !== 'OK'))
    throw new ViolationError({
      subject: `the DELETE in ${before} (${line.name})`,
      expected: 'to cancel the application',
      received: code ?? String(exchange.status.value),
      exchange: exchange.id,
    })
  const { status, at } = statusSoonAfter(line)
  throw violationAt({
    line,
    subject: `the status after the DELETE in ${before}`,
    expected: CANCELED,
    received: status,
    at,
  })
}

/** Judges that the DELETE was answered NOT_ALLOWED_OPER. */
export const isNotAllowed = (line: ObservedLine, all: readonly ObservedLine[] = []): void => {
  const { exchange, code, status } = cancellationOf(line)
  exchange.use()
  if (refusalIn(line) === true) return held()
  isDefinite(line, all)
  throw new ViolationError({
    subject: `the DELETE in ${status} (${line.name})`,
    expected: REFUSED,
    received: code ?? `${String(exchange.status.value)} without a code`,
    exchange: exchange.id,
  })
}

/** Judges that the DELETE was answered in one of the two documented ways: it cancels, or it is not allowed. */
export const isCanceledOrNotAllowed = (line: ObservedLine, all: readonly ObservedLine[] = []): void =>
  refusalIn(line) === true ? isNotAllowed(line, all) : isCanceled(line, all)

/** Judges that a refused DELETE changed nothing. @throws NotReached if it was accepted. */
export const isUnchangedByRefusal = (line: ObservedLine): void => {
  useAllPolls(line)
  const { status: before, exchange } = cancellationOf(line)
  if (refusalIn(line) !== true) throw new NotReached(`${line.name}: ${exchange.id} was not refused`)
  const { status, at } = statusSoonAfter(line)
  if (status === before) return held()
  if (mayHaveMoved(line)) throw tooLate(line)
  throw violationAt({
    line,
    subject: 'the status after a refused DELETE',
    expected: before,
    received: status,
    at,
  })
}

/**
 * Judges that an application that was canceled on its path stays CANCELED.
 * @throws NotReached if it was not canceled.
 */
export const staysCanceled = (line: ObservedLine): void => {
  useAllPolls(line)
  const { from } = cancellationOf(line)
  const all = staysOf(line)
  const canceled = all.findIndex(({ status, until }) => status === CANCELED && until >= from)
  if (refusalIn(line) !== false || canceled < 0)
    throw new NotReached(`${line.name}: the application was not canceled`)
  staysFor(line, all, canceled)
}

/** The time line from the status of the cancellation on. */
const fromCancellation = (line: ObservedLine): ObservedLine => {
  const { status, from } = cancellationOf(line)
  const stay = staysOf(line).findLast((one) => one.status === status && one.since.from <= from)
  return {
    ...line,
    path: line.path.slice(Math.max(0, line.path.indexOf(status))),
    start: stay?.since ?? line.start,
    polls: line.polls.slice(stay?.first ?? 0),
  }
}

/**
 * Judges that an application continues to the end of its path after a refused DELETE.
 * @throws NotReached if the DELETE was accepted.
 */
export const continuesAfterRefusal = (line: ObservedLine): void => {
  if (refusalIn(line) !== true) throw new NotReached(`${line.name}: the DELETE was not refused`)
  if (wasCanceledOnPath(line)) throw new NotReached(`${line.name}: the application was canceled all the same`)
  keepsPath(fromCancellation(line))
}

/**
 * A DELETE that must not cancel an application, followed by one that must: otherwise an unchanged status shows
 * nothing.
 */
export interface VainCancellation {
  readonly attempt: ObservedExchange | undefined
  readonly before: ObservedExchange
  /** The status after the attempt, and after the allowed cancellation. */
  readonly after: ObservedExchange
  /** The answer to the allowed cancellation. */
  readonly allowed: ObservedExchange
  readonly last: ObservedExchange
}

const isCanceledIn = (answer: ObservedExchange, words: LoanWords): boolean =>
  loanStatus(answer, words).value === CANCELED

/**
 * Whether the application could be canceled at all: where the target answers NOT_ALLOWED_OPER to its owner too, an
 * attempt by somebody else shows nothing.
 */
export const couldBeCanceled = ({ allowed, after, last }: VainCancellation, words: LoanWords): boolean =>
  isCanceledIn(after, words) || isCanceledIn(last, words) || loanCode(allowed, words).value !== REFUSED

/**
 * Judges that an attempt to cancel canceled nothing, and an allowed one did.
 * @throws NotReached if there was no application that could be canceled, or the allowed DELETE canceled nothing
 * either.
 * @throws Inconclusive if the attempt was answered with a server error or with 429.
 */
export const isNotCanceled = (vain: VainCancellation, words: LoanWords, because: string): void => {
  const { attempt, before, after, last } = vain
  const isCanceled = (answer: ObservedExchange): boolean => isCanceledIn(answer, words)
  const isReported = ({ value }: ReturnType<typeof loanStatus>): boolean =>
    value !== undefined && value !== null
  if (isCanceled(before) || !isReported(loanStatus(after, words)))
    throw new NotReached('there was no application that could be canceled')
  assert(!isCanceled(after), () => ({
    subject: 'the cancellation',
    expected: `to be refused: ${because}`,
    received: `status ${String(attempt?.status.value)}, and the application is CANCELED`,
    exchange: (attempt ?? after).id,
  }))
  if (attempt !== undefined) wasProcessed(attempt)
  if (!couldBeCanceled(vain, words))
    throw new NotReached('the target answered NOT_ALLOWED_OPER to the owner of the application too')
  if (!isCanceled(last)) throw new NotReached('the application was not canceled by its owner either')
}
