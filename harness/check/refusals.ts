import { Inconclusive, NotReached } from '../evidence/signals.ts'
import type { RedirectResult } from '../evidence/record/answer.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Subject } from './verdict.ts'
import type { Observed } from './observed/observe.ts'
import { ofAnother, type ObservedExchange, type ObservedRedirect } from './observed/exchange.ts'

/** Judges that compare a valid request with a changed one, and judges of the form of a refusal. */

interface Answered {
  /** The id of the exchange, if the attempt is one. */
  readonly id?: string
  readonly status?: Subject
}

interface Attempt extends Answered {
  readonly accepted: boolean
  /** The last exchange, if the attempt is an authorization. */
  readonly exchange?: Answered
}

interface RefusableAttempt extends Attempt {
  isRefused(because: string): void
  readonly isServerErrorEachTime?: boolean
  /** Notes that the valid requests before and after were accepted. */
  liesBetweenAccepted?(): void
}

interface AcceptableAttempt extends Attempt {
  isAccepted(because: string): void
}

const statusNote = ({ id, status }: Answered): string =>
  id === undefined ? '' : ` (${id}: ${String(status?.value)})`

/**
 * Judges a refusal between two positive controls: the valid request is accepted, the same request with one change
 * is refused, the valid request is accepted again. Several changed requests, one change each, may share the controls.
 * @param because why a conforming bank refuses the changed request.
 * @throws NotReached if a control was not accepted: then the refusal shows nothing.
 */
export const isRefusedBetween = (
  {
    before,
    changed,
    after,
  }: {
    readonly before: RefusableAttempt
    readonly changed: RefusableAttempt | readonly RefusableAttempt[]
    readonly after: RefusableAttempt
  },
  because: string,
): void => {
  wasAccepted(before, 'before')
  const attempts = [changed].flat()
  const broken = attempts.filter(({ isServerErrorEachTime }) => isServerErrorEachTime)
  // Judged before the second control: an attempt that was accepted may have used up what the control needs.
  for (const attempt of attempts) if (!broken.includes(attempt)) attempt.isRefused(because)
  wasAccepted(after, 'after')
  for (const attempt of broken) attempt.liesBetweenAccepted?.()
  for (const attempt of broken) attempt.isRefused(because)
}

/**
 * Judges that a changed request is accepted like the valid one.
 * @param because why a conforming bank accepts both.
 * @throws NotReached if the valid request was not accepted either: then the change is not the cause.
 * @throws Inconclusive if the changed request was accepted the second time: then the change may not be the cause.
 */
export const isAcceptedToo = (
  {
    changed,
    valid,
    again,
  }: {
    readonly changed: AcceptableAttempt
    readonly valid?: AcceptableAttempt
    readonly again?: AcceptableAttempt
  },
  because: string,
): void => {
  if (!changed.accepted && valid?.accepted === false)
    throw new NotReached('the request without the change was not accepted either')
  if (again?.accepted === true)
    throw new Inconclusive(
      `the changed request was not accepted the first time${statusNote(changed)}, but the second time`,
    )
  changed.isAccepted(because)
}

/** @throws NotReached if a control was not accepted, with its status: a server error must not pass for a refusal. */
export const wasAccepted = (valid: Attempt, where: 'before' | 'after'): void => {
  if (valid.accepted) return
  throw new NotReached(
    `the valid request ${where} the changed one was not accepted${statusNote(valid.exchange ?? valid)}`,
  )
}

/** Whether the answer is a server error: neither an acceptance nor a refusal. */
export const brokeDown = ({ status }: ObservedExchange): boolean => Number(status.value) >= 500

/** Whether it is not known that the bank processed the request: a server error, a 429, or an answer that may not be its own. */
export const wasNotProcessed = (answer: ObservedExchange): boolean =>
  brokeDown(answer) || answer.kind === 'throttled' || isNoneOfTheBank(answer)

/** An answer that is not JSON may have been cut off on its way. */
const isNoneOfTheBank = ({ kind }: ObservedExchange): boolean => kind === 'gateway' || kind === 'malformed'

/** An authorization and its code exchange, if there was a code. */
interface AttemptedGrant {
  readonly redirectResult: RedirectResult
  readonly exchange?: Exchange
}

/** Where an attempted grant ended: at the token endpoint, or at the authorization if that gave no code. */
export const endOf = ({
  redirectResult,
  exchange,
}: Observed<AttemptedGrant>): ObservedExchange | ObservedRedirect => exchange ?? redirectResult

/**
 * Returns the same call once it is known to be a refusal: to judge the form of one.
 * @throws NotReached if it was accepted: then there is no refusal.
 * @throws Inconclusive if the target answered with a server error that may pass, or with 429.
 */
export const refusalOf = (call: ObservedExchange): ObservedExchange => {
  if (call.accepted) throw new NotReached('the request was accepted, so that there is no refusal to judge')
  wasProcessed(call)
  call.isRefused('it is not valid')
  return call
}

/**
 * For an answer that has only one correct form.
 * @throws Inconclusive if the target answered with a server error that may pass, or with 429, or an intermediary has.
 */
export const wasProcessed = (call: ObservedExchange): void => {
  if (brokeDown(call)) call.isNoServerError('an answer to the request')
  if (call.isAcceptedAgain) call.isRefused('it was refused a moment before')
  if (call.kind === 'throttled')
    throw new Inconclusive(`${call.id} was answered 429 (too many requests): see --rate`)
  if (isNoneOfTheBank(call)) throw ofAnother(call)
}

/**
 * Those of the calls that were refused, and not accepted when they were sent again, to judge the form of each.
 * @throws NotReached if none was refused.
 */
export const refusalsAmong = (calls: readonly ObservedExchange[]): readonly ObservedExchange[] => {
  const refused = calls.filter(({ accepted, isAcceptedAgain }) => !accepted && !isAcceptedAgain)
  if (refused.length === 0)
    throw new NotReached('every request was accepted, so that there is no refusal to judge')
  return refused.map(refusalOf)
}

/** Judges that a refusal has a WWW-Authenticate header with this scheme; it may name other schemes too (RFC 9110 §11.6.1). */
export const isChallenged = (call: ObservedExchange, scheme: 'Basic' | 'Bearer'): void =>
  refusalOf(call)
    .header('WWW-Authenticate')
    .matches(new RegExp(`(^|,)\\s*${scheme}(\\s|,|$)`, 'i'), `a challenge of the scheme ${scheme}`)
