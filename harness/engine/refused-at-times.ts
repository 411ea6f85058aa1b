import { isAccepted } from '../evidence/record/answer.ts'
import { describeAnswer, showsNoViolation } from '../evidence/record/answer-kind.ts'
import { attemptOf, headerOf, OPERATIONS, type Exchange, type Operation } from '../evidence/exchange.ts'
import { groupBy } from '../plan/lists.ts'
import type { Requirement } from '../check/requirement.ts'
import type { CheckResult } from '../check/result.ts'

/**
 * The requirement that an operation answers, where valid requests are refused now and then: one that was accepted before and
 * after, and nothing else was refused in between, such as a wrong secret that locks the client. It is judged once the run has ended.
 */

/** Fewer refusals may be those of a gateway. */
const FEWEST = 3

const isConsent = ({ operation }: Exchange): boolean => operation === 'createConsent'

/** Of the same request a second one is as valid as the first. */
const isRepeatable = (exchange: Exchange): boolean =>
  exchange.concurrent !== true &&
  (isConsent(exchange) || OPERATIONS[exchange.operation as Operation].effect === 'read')

/** Requests that differ only in the id of the request, which has one form. Pseudonyms of tokens may be the same in another scenario. */
const keyOf = (exchange: Exchange): string => {
  const { method, url, headers, body } = exchange.request
  const sent = headers.map(([name, value]) => `${name}: ${/request-id$/i.test(name) ? value.length : value}`)
  const scenario = isConsent(exchange) ? '' : attemptOf(exchange)
  return [scenario, method, url, ...sent.toSorted(), body?.text ?? ''].join('\n')
}

interface Window {
  readonly accepted: Exchange
  readonly refused: readonly Exchange[]
}

const CLIENT_OPERATIONS: readonly string[] = ['createConsent', 'token', 'loanToken']

const credentialsIn = ({ request }: Exchange): string | undefined =>
  headerOf(request.headers, 'authorization')

/** Whether another refusal may be the cause of those in a window: one in its scenario, or of a client that is locked then. */
const mayExplain = (other: Exchange, { accepted }: Window): boolean =>
  isConsent(accepted)
    ? CLIENT_OPERATIONS.includes(other.operation) &&
      (other.response?.status === 401 || credentialsIn(other) !== credentialsIn(accepted))
    : attemptOf(other) === attemptOf(accepted)

/** What was refused between two accepted requests that are the same. */
const refusedBetween = (exchanges: Iterable<Exchange>): readonly Exchange[] => {
  const found: Exchange[] = []
  const windows = new Map<string, Window>()
  for (const exchange of exchanges) {
    const { sender, response } = exchange
    if (sender !== 'scenario' || response === undefined || showsNoViolation(exchange)) continue
    const key = isRepeatable(exchange) ? keyOf(exchange) : ''
    const window = windows.get(key)
    if (response.status < 300 && isAccepted(exchange)) {
      found.push(...(window?.refused ?? []))
      if (key !== '') windows.set(key, { accepted: exchange, refused: [] })
    } else if (response.status >= 400) {
      for (const [other, each] of windows) if (mayExplain(exchange, each)) windows.delete(other)
      if (window) windows.set(key, { ...window, refused: [...window.refused, exchange] })
    }
  }
  return found
}

const REPLACED: ReadonlySet<string> = new Set(['pass', 'inconclusive', 'not-reached'])

const pathOf = ({ request }: Exchange): string => request.url.replace(/\?.*/, '').replace(/\/[^/]*$/, '')

/**
 * The results of a whole run; one of the requirement whose operation refused valid requests is a violation.
 * @param exchanges all of the run, in the order of the answers.
 */
export const withRefusedAtTimes = (
  results: readonly CheckResult[],
  exchanges: () => Iterable<Exchange>,
  requirements: readonly Pick<Requirement, 'id' | 'answers'>[],
): readonly CheckResult[] => {
  const byOperation = groupBy(refusedBetween(exchanges()), (one) => `${one.request.method} ${one.operation}`)
  const violations = new Map<CheckResult, CheckResult>()
  for (const [operation, refused] of byOperation) {
    const [first] = refused
    if (refused.length < FEWEST) continue
    const ids = requirements.flatMap(({ id, answers }) => (answers === operation ? [id] : []))
    const paths = new Map(Array.from(exchanges(), (exchange) => [exchange.id, pathOf(exchange)] as const))
    const own = results.filter(
      ({ requirement, verdict }) => ids.includes(requirement) && REPLACED.has(verdict),
    )
    const result =
      own.find(({ exchanges: judged }) => judged.some((id) => paths.get(id) === pathOf(first))) ?? own[0]
    if (result === undefined) continue
    const { id, requirement, title, durationMs } = result
    violations.set(result, {
      id,
      requirement,
      title,
      durationMs,
      verdict: 'fail',
      decidedBy: 'refused-at-times',
      violation: {
        subject: `the answers to ${first.request.method} ${new URL(first.request.url).pathname}`,
        expected: 'an acceptance of each request that is accepted before and after',
        received: `${describeAnswer(first)} as the first of ${refused.length} refusals in between`,
        exchange: first.id,
      },
      exchanges: [...new Set([...result.exchanges, first.id])],
      judged: result.judged ?? 1,
    })
  }
  return results.map((result) => violations.get(result) ?? result)
}
