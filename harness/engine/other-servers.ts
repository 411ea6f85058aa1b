import { renderViolation } from '../check/verdict.ts'
import { describeAnswer, foreignForm, formOfAnswer, kindOfAnswer } from '../evidence/record/answer-kind.ts'
import { attemptOf, factsOfOperation, headerOf, type Exchange } from '../evidence/exchange.ts'
import type { CheckResult } from '../check/result.ts'

/**
 * Which answers of a run another server than the bank has given: a firewall, a gateway, a login portal. One answer does not
 * show it, so that a table of all decides: what several operations are answered, and what is another answer when the
 * request is sent again, shows neither a key of the profile nor the bank.
 */

/** Fewer operations may have a reason in common. */
const FEWEST_OPERATIONS = 2
/** Fewer answers to all of a run may be a matter of chance. */
const FEWEST_ANSWERS = 5

/** They depend on the credentials of an application, so that the same refusal of all of them has a reason in the profile. */
const OF_CREDENTIALS: ReadonlySet<string> = new Set(['createConsent', 'token', 'loanToken'])

interface Row {
  readonly operations: Set<string>
  count: number
  readonly isThrottled: boolean
  /** A request was answered so, and otherwise when it was sent again. */
  isUnstable: boolean
  /** What was received, in words. */
  readonly answer: string
}

interface Last {
  readonly id: string
  readonly request: string
  readonly row: Row
  /** Whether a gateway answers so: a bank may answer otherwise when it is asked again. */
  readonly isForeign: boolean
}

interface Table {
  /** The rows of the exchanges that another server has answered, by their ids; without those whose repetition was answered. */
  readonly foreign: ReadonlyMap<string, Row>
  readonly count: number
  /** Each answer of the run has the same form. */
  readonly isWhole: boolean
}

/** With the length of the body: two spellings of an IBAN have one pseudonym, and a bank may take one of them only. */
const requestOf = ({ request: { method, url, headers, body } }: Exchange): string =>
  [method, url, headerOf(headers, 'authorization'), body?.text, body?.bytes].join('\n')

const tableOf = (exchanges: Iterable<Exchange>): Table => {
  const rows = new Map<string, Row>()
  const open = new Map<string, Row>()
  /** The last request of each scenario. */
  const last = new Map<string, Last>()
  let count = 0
  for (const exchange of exchanges) {
    const { id, sender, operation, response } = exchange
    if (response === undefined || (sender !== 'scenario' && sender !== 'customer')) continue
    count += 1
    const [scenario, request, form] = [attemptOf(exchange), requestOf(exchange), formOfAnswer(exchange)]
    const row = rows.get(form)
    const before = last.get(scenario)
    if (before?.request === request && exchange.effect === 'read' && before.row !== row) {
      before.row.isUnstable ||= before.isForeign && foreignForm(exchange) === undefined
      open.delete(before.id)
    }
    const found = row ?? {
      operations: new Set(),
      count: 0,
      isThrottled: kindOfAnswer(exchange) === 'throttled',
      isUnstable: false,
      answer: describeAnswer(exchange),
    }
    rows.set(form, found)
    found.operations.add(operation)
    found.count += 1
    open.set(id, found)
    last.set(scenario, { id, request, row: found, isForeign: foreignForm(exchange) !== undefined })
  }
  const isWhole = rows.size === 1
  const isForeign = ({ operations, isUnstable, isThrottled }: Row): boolean =>
    (isWhole && isThrottled) ||
    (operations.size >= FEWEST_OPERATIONS &&
      [...operations].some((operation) => factsOfOperation(operation)?.answer !== undefined) &&
      (isUnstable ||
        (isWhole &&
          count >= FEWEST_ANSWERS &&
          [...operations].some((operation) => !OF_CREDENTIALS.has(operation)))))
  return { foreign: new Map([...open].filter(([, row]) => isForeign(row))), count, isWhole }
}

const adviceOn = (answer: string): string =>
  `${answer.includes('(429)') ? 'see --rate' : 'correct `baseUrl` (or --base-url)'}, or ask the bank whether it accepts requests from this machine`

/**
 * What every request of an examination is answered with, and what to do, if it is the same and not a refusal of
 * credentials.
 */
export const commonAnswer = (
  exchanges: readonly Exchange[],
): { readonly cause: string; readonly next: string } | undefined => {
  const [first] = exchanges
  const forms = new Set(exchanges.map((each) => each.fault?.kind ?? formOfAnswer(each)))
  const addresses = new Set(exchanges.map(({ request }) => new URL(request.url).pathname))
  if (first === undefined || forms.size > 1 || addresses.size < FEWEST_OPERATIONS) return undefined
  const status = first.response?.status ?? 0
  const isRefusal = status >= 400 && status < 500 && status !== 429
  if (isRefusal && exchanges.every(({ operation }) => OF_CREDENTIALS.has(operation) || operation === 'probe'))
    return undefined
  const answer = describeAnswer(first)
  return {
    cause: `All ${exchanges.length} requests, to ${addresses.size} addresses, get the same: ${answer}.`,
    next: `${adviceOn(answer)}.`.replace(/^./, (letter) => letter.toUpperCase()),
  }
}

const UNTOUCHED: ReadonlySet<string> = new Set(['not-applicable', 'not-tested', 'harness-error'])

/**
 * The results of a whole run, without what rests on answers of another server.
 * @param exchanges all of the run.
 */
export const withoutOtherServers = (
  results: readonly CheckResult[],
  exchanges: Iterable<Exchange>,
): readonly CheckResult[] => {
  const { foreign, count, isWhole } = tableOf(exchanges)
  const [first] = foreign.keys()
  const scenarios = new Map([...foreign.keys()].reverse().map((id) => [attemptOf({ id }), id]))
  const describe = (id: string): string => {
    const {
      answer,
      count: alike,
      operations,
    } = foreign.get(id) ?? { answer: '', count: 0, operations: new Set() }
    return isWhole
      ? `all ${count} answers of the run, to ${operations.size} operation${operations.size === 1 ? '' : 's'}, are ${answer}, so that none shows a key of the profile or the bank: ${adviceOn(answer)}`
      : `${id} was answered with ${answer}, as ${alike} of ${count} requests to ${operations.size} operations, and otherwise when such a request was repeated: a firewall or gateway answers some of them`
  }
  return results.map((result) => {
    const { violation, mismatches = [], ...rest } = result
    const shown = mismatches.filter(({ exchange }) => foreign.has(exchange)).map(({ exchange }) => exchange)
    const read = result.exchanges.find((id) => foreign.has(id))
    // What follows from such an answer, such as a path that was not selected, is not the bank's either.
    const before = violation && scenarios.get(attemptOf({ id: violation.exchange }))
    const isJudged = violation !== undefined || result.verdict === 'pass'
    const id = shown[0] ?? (isJudged ? (read ?? before) : isWhole ? first : undefined)
    if (id === undefined || UNTOUCHED.has(result.verdict) || result.until !== undefined) return result
    const kept = mismatches.filter(({ exchange }) => !foreign.has(exchange))
    if (kept.length > 0) return { ...result, mismatches: kept }
    return {
      ...rest,
      verdict: 'inconclusive',
      decidedBy: 'another',
      because: violation === undefined ? describe(id) : `${renderViolation(violation)}; but ${describe(id)}`,
    }
  })
}
