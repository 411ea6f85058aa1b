import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { TOO_MANY_REQUESTS } from '../session/answer.ts'
import type { GrantAttempt } from '../session/application.ts'
import type { Subject } from './subject.ts'
import type { Observed, ObservedExchange, ObservedLanding } from './observe.ts'

interface Answered {
  /** Of its exchange, where it is one. */
  readonly id?: string
  readonly status?: Subject
}

interface Attempt extends Answered {
  readonly accepted: boolean
  /** Where it ended, if it is an authorization. */
  readonly exchange?: Answered
  isRefused(because: string): void
}

/**
 * Judges a refusal between two positive controls: the valid request is accepted, the same request with one change
 * is refused, the valid request is accepted again. Several changed requests, one change each, may share the controls.
 * @param because why a conforming bank refuses the changed request.
 * @throws NotReached where a control was not accepted: then the refusal shows nothing.
 */
export const isRefusedBetween = (
  {
    before,
    changed,
    after,
  }: {
    readonly before: Attempt
    readonly changed: Attempt | readonly Attempt[]
    readonly after: Attempt
  },
  because: string,
): void => {
  wasAccepted(before, 'before')
  // All of them before the control behind them: one that was accepted may have used up what the control needs.
  for (const attempt of [changed].flat()) attempt.isRefused(because)
  wasAccepted(after, 'after')
}

/**
 * What a refusal is compared with.
 * @throws NotReached where it was not accepted, with what it was answered: a breakdown looks like a refusal otherwise.
 */
export const wasAccepted = (valid: Omit<Attempt, 'isRefused'>, where: 'before' | 'after'): void => {
  if (valid.accepted) return
  const { id, status } = valid.exchange ?? valid
  const end = id === undefined ? '' : ` (${id}: ${String(status?.value)})`
  throw new NotReached(`the valid request ${where} the changed one was not accepted${end}`)
}

/** The target has looked at the request and failed, or has not come to look at it. */
export const brokeDown = ({ status }: ObservedExchange): boolean => Number(status.value) >= 500

/** RFC 6585 §4: how often a target may be asked is not shown. */
const isTurnedAway = ({ status }: ObservedExchange): boolean => status.value === TOO_MANY_REQUESTS

/** A page in the place of an answer, under a status of success: of maintenance, or of a gateway that blocks. */
export const isPage = ({ status, body }: ObservedExchange): boolean =>
  Number(status.value) < 300 && /^\s*<(!doctype html|html)\b/i.test(String(body.text.value))

/** It has looked at nothing: it broke down, turned the request away, or showed a page instead. */
export const lookedAtNothing = (answer: ObservedExchange): boolean =>
  brokeDown(answer) || isTurnedAway(answer) || isPage(answer)

/** Where an attempted grant ended: at the token endpoint, or already at the authorization that gave no code. */
export const endOf = ({ landing, exchange }: Observed<GrantAttempt>): ObservedExchange | ObservedLanding =>
  exchange ?? landing

/**
 * The same call, once it is known to be a refusal: to judge the form of one.
 * @throws NotReached where it was accepted: then there is no refusal to have a form.
 * @throws Inconclusive where the target broke down over it, or turned it away.
 */
export const refusalOf = (call: ObservedExchange): ObservedExchange => {
  if (call.accepted) throw new NotReached('the request was accepted, so there is no refusal to judge')
  call.isRefused('it is not valid')
  wasHeard(call)
  return call
}

/**
 * For what must be answered in one way alone. A page in the place of that answer is one that is wrong.
 * @throws Inconclusive where the target broke down over the call, or turned it away.
 */
export const wasHeard = (call: ObservedExchange): void => {
  if (brokeDown(call))
    throw new Inconclusive(`${call.id} ended in a breakdown (${String(call.status.value)})`)
  if (isTurnedAway(call)) throw new Inconclusive(`${call.id} was turned away (429): see --rate`)
}

/**
 * Those of the calls that were refused: to judge the form of each. That one was accepted is judged elsewhere.
 * @throws NotReached where none was refused.
 */
export const refusalsAmong = (calls: readonly ObservedExchange[]): readonly ObservedExchange[] => {
  const refused = calls.filter(({ accepted }) => !accepted)
  if (refused.length === 0)
    throw new NotReached('every request was accepted, so there is no refusal to judge')
  return refused.map(refusalOf)
}

/** Judges that a refusal names the scheme in a WWW-Authenticate header, alone or among others (RFC 9110 §11.6.1). */
export const isChallenged = (call: ObservedExchange, scheme: 'Basic' | 'Bearer'): void =>
  refusalOf(call)
    .header('WWW-Authenticate')
    .matches(new RegExp(`(^|,)\\s*${scheme}(\\s|,|$)`, 'i'), `a challenge of the scheme ${scheme}`)
