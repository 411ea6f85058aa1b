import { isAccepted } from '../evidence/record/answer.ts'
import { describeAnswer, showsNoViolation } from '../evidence/record/answer-kind.ts'
import { attemptOf, headerOf, OPERATIONS, type Exchange, type Operation } from '../evidence/exchange.ts'
import { groupBy } from '../plan/lists.ts'
import type { Requirement } from '../check/requirement.ts'
import { identityOf, type CheckResult } from '../check/result.ts'

/**
 * The requirement that an operation answers, where valid requests are refused now and then: the same one was accepted before
 * and after, and no other refusal in between can be the reason. It is judged once the run has ended.
 */

/** Fewer refusals may be those of a gateway. */
const FEWEST = 3
const REPLACED: ReadonlySet<string> = new Set(['pass', 'inconclusive', 'not-reached'])

const isConsent = ({ operation }: Exchange): boolean => operation === 'createConsent'

/** The same for requests of which a second one is as valid as the first. Pseudonyms of tokens may be the same in another scenario. */
const keyOf = (exchange: Exchange): string | undefined => {
  const { operation, concurrent, request } = exchange
  if (concurrent || !(isConsent(exchange) || OPERATIONS[operation as Operation].effect === 'read'))
    return undefined
  const { method, url, headers, body } = request
  // The id of a request has one form, and another value each time.
  const sent = headers.map(([name, value]) => [name, /request-id$/i.test(name) ? value.length : value])
  // An IBAN has one pseudonym, whether it is written in groups or not: the same text may have been another request.
  const content = [body?.text, body?.bytes]
  return JSON.stringify([isConsent(exchange) || attemptOf(exchange), method, url, sent, ...content])
}

const credentialsIn = ({ request }: Exchange): string | undefined =>
  headerOf(request.headers, 'authorization')

/** Whether a refusal may be the reason of others: one in the same scenario, or wrong credentials that lock a client. */
const mayExplain = (refusal: Exchange, accepted: Exchange): boolean =>
  isConsent(accepted)
    ? ['createConsent', 'token', 'loanToken'].includes(refusal.operation) &&
      (refusal.response?.status === 401 || credentialsIn(refusal) !== credentialsIn(accepted))
    : attemptOf(refusal) === attemptOf(accepted)

const refusedAtTimes = (exchanges: Iterable<Exchange>): readonly Exchange[] => {
  const found: Exchange[] = []
  /** Since an accepted request: that one, and the same ones that were refused. */
  const since = new Map<string, readonly [Exchange, ...Exchange[]]>()
  for (const exchange of exchanges) {
    const { sender, response } = exchange
    if (sender !== 'scenario' || response === undefined || showsNoViolation(exchange)) continue
    const key = keyOf(exchange) ?? ''
    const own = since.get(key)
    if (response.status < 300 && isAccepted(exchange)) {
      found.push(...(own ?? []).slice(1))
      if (key !== '') since.set(key, [exchange])
    } else if (response.status >= 400) {
      for (const [other, [accepted]] of since) if (mayExplain(exchange, accepted)) since.delete(other)
      if (own) since.set(key, [...own, exchange])
    }
  }
  return found
}

/**
 * The results of a whole run; one of the requirement whose operation refused valid requests is a violation.
 * @param exchanges all of the run, in the order of the answers.
 */
export const withRefusedAtTimes = (
  results: readonly CheckResult[],
  exchanges: Iterable<Exchange>,
  requirements: readonly Pick<Requirement, 'id' | 'answers'>[],
): readonly CheckResult[] => {
  const changed = [...results]
  const refused = groupBy(
    refusedAtTimes(exchanges),
    ({ request, operation }) => `${request.method} ${operation}`,
  )
  for (const [operation, [first, ...others]] of refused) {
    const ids = requirements.flatMap(({ id, answers }) => (answers === operation ? [id] : []))
    const at = results.findIndex(
      ({ requirement, verdict }) => ids.includes(requirement) && REPLACED.has(verdict),
    )
    const result = results[at]
    if (others.length + 1 < FEWEST || result === undefined) continue
    const { durationMs, judged = 1 } = result
    const violation = {
      subject: `the answers to ${first.request.method} ${new URL(first.request.url).pathname}`,
      expected: 'an acceptance of each request that is accepted before and after',
      received: `${describeAnswer(first)} as the first of ${others.length + 1} refusals in between`,
      exchange: first.id,
    }
    changed[at] = {
      ...identityOf(result),
      durationMs,
      judged,
      verdict: 'fail',
      decidedBy: 'refused-at-times',
      violation,
      exchanges: [...result.exchanges, first.id],
    }
  }
  return changed
}
