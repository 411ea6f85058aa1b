import { isDeepStrictEqual } from 'node:util'
import { lawfulRules } from '../bank/rules.ts'
import { copyOf, UNREPEATABLE } from './copy.ts'
import type { RuleChange, Variation, Wire } from '../bank/defect.ts'
import type { AnyRule, Question, Recollection, Recollections, WireExchange } from './recollection.ts'

/**
 * Whether a changed bank would lead a scenario to the same end: it is asked the scenario's questions once more, and
 * its answers are compared with the lawful ones. What cannot be compared counts as different.
 */

type Change = Pick<Variation, 'rules' | 'wire' | 'server'>

/** Says of a scenario whether a bank with this change gives it nothing new to see. */
export const isUntouchedBy =
  (change: Change, recollections: Recollections) =>
  async (scenario: string): Promise<boolean> => {
    const recollection = recollections.get(scenario)
    if (recollection === undefined || change.server !== undefined) return false
    try {
      return (await sameRules(change.rules, recollection)) && (await sameWire(change.wire, recollection))
    } catch {
      return false
    }
  }

const sameRules = async (change: RuleChange | undefined, { questions }: Recollection): Promise<boolean> => {
  if (change === undefined) return true
  const replaced = (typeof change === 'function' ? change(lawfulRules) : change) as Readonly<
    Record<string, AnyRule>
  >
  for (const question of questions) {
    const rule = replaced[question.rule]
    if (rule !== undefined && !(await sameAnswer(rule, question))) return false
  }
  return true
}

const sameAnswer = async (rule: AnyRule, { facts, answer, factsAfter }: Question): Promise<boolean> => {
  if ([facts, answer, factsAfter].includes(UNREPEATABLE)) return false
  const given = copyOf(facts)
  const other: unknown = await rule(given)
  return isDeepStrictEqual(other, answer) && isDeepStrictEqual(given, factsAfter)
}

const sameWire = async (wire: Wire | undefined, { exchanges }: Recollection): Promise<boolean> => {
  if (wire === undefined) return true
  const passedOn: Request[] = []
  let current: WireExchange | undefined
  const decorated = wire(async (request) => {
    passedOn.push(request)
    return new Response(current?.answer === '' ? null : current?.answer, responseInit(current))
  })
  for (const exchange of exchanges) {
    current = exchange
    passedOn.length = 0
    const request = new Request(exchange.url, requestInit(exchange))
    const same = await sameResponse(await decorated(request), exchange)
    const [only, ...more] = passedOn
    if (!same || only === undefined || more.length > 0 || !(await sameRequest(only, exchange))) return false
  }
  return true
}

const EMPTY_STATUSES: readonly number[] = [101, 204, 205, 304]

const responseInit = (exchange: WireExchange | undefined): ResponseInit => {
  if (exchange === undefined || EMPTY_STATUSES.includes(exchange.status))
    throw new Error('an answer that cannot be made again')
  return { status: exchange.status, headers: exchange.answerHeaders.map(([name, value]) => [name, value]) }
}

const requestInit = ({ method, headers, body }: WireExchange): RequestInit => ({
  method,
  headers: headers.map(([name, value]) => [name, value]),
  redirect: 'manual',
  ...(body !== '' && { body }),
})

const sameResponse = async (response: Response, exchange: WireExchange): Promise<boolean> =>
  response.status === exchange.status &&
  isDeepStrictEqual([...response.headers], exchange.answerHeaders) &&
  (await response.text()) === exchange.answer

const sameRequest = async (request: Request, exchange: WireExchange): Promise<boolean> =>
  request.method === exchange.method &&
  request.url === exchange.url &&
  isDeepStrictEqual([...request.headers], exchange.headers) &&
  // A decorator may have read the body in passing on a copy of the request; then nothing was changed in it.
  (request.bodyUsed || (await request.text()) === exchange.body)
