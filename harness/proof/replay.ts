import { isDeepStrictEqual } from 'node:util'
import { lawfulRules } from '../bank/rules.ts'
import { copyOf, UNREPEATABLE } from './copy.ts'
import { PlainHeaders } from './plain-headers.ts'
import type { RuleChange, Variation, Wire } from '../bank/defect.ts'
import type { Rules } from '../bank/rules.ts'
import type {
  AnyRule,
  Question,
  Recollection,
  Recollections,
  RuleName,
  WireExchange,
} from './recollection.ts'

/**
 * Whether a changed bank would lead a scenario to the same end: it is asked the scenario's questions once more, and
 * its answers are compared with the lawful ones. What cannot be compared counts as different.
 */

type Change = Pick<Variation, 'rules' | 'wire' | 'server'>

/**
 * Says of a scenario whether a bank with this change gives it nothing new to see.
 * @param lawful the rules of the bank that is remembered.
 */
export const isUntouchedBy =
  (change: Change, recollections: Recollections, lawful: Rules = lawfulRules) =>
  async (scenario: string): Promise<boolean> => {
    const recollection = recollections.get(scenario)
    if (recollection === undefined || change.server !== undefined) return false
    try {
      const isSame = await sameRules(change.rules, recollection, lawful)
      return isSame && (await sameWire(change.wire, recollection))
    } catch {
      return false
    }
  }

type Numbered = Question & { readonly place: number }
type ByRule = Partial<Record<string, Numbered[]>>

/** A change replaces one rule or two, and a scenario asks all of them, some a thousand times. */
const byRule = new WeakMap<Recollection, ByRule>()

const grouped = (recollection: Recollection): ByRule => {
  const known = byRule.get(recollection)
  if (known !== undefined) return known
  const groups: ByRule = {}
  for (const [place, question] of recollection.questions.entries())
    (groups[question.rule] ??= []).push({ ...question, place })
  byRule.set(recollection, groups)
  return groups
}

/** In the order in which they were asked: rules that are replaced together may know of each other. */
const questionsTo = (rules: readonly string[], recollection: Recollection): readonly Question[] => {
  const groups = grouped(recollection)
  return rules.flatMap((rule) => groups[rule] ?? []).sort((a, b) => a.place - b.place)
}

const sameRules = async (
  change: RuleChange | undefined,
  recollection: Recollection,
  lawful: Rules,
): Promise<boolean> => {
  if (change === undefined) return true
  const current: Current = { question: undefined }
  const replaced = (typeof change === 'function' ? change(recalling(current, lawful)) : change) as Readonly<
    Record<string, AnyRule>
  >
  for (const question of questionsTo(Object.keys(replaced), recollection)) {
    const rule = replaced[question.rule]
    if (rule === undefined) continue
    current.question = question
    if (!(await sameAnswer(rule, question))) return false
  }
  return true
}

/** The question that is being asked. */
interface Current {
  question: Question | undefined
}

/**
 * The lawful rules for whoever replaces them, with what is random drawn as it was drawn: a lawful rule that is asked
 * the same question again gives the same answer. Else a new code would be another one, and a bank that is wrong about
 * its third code alone would seem to be wrong about each.
 */
const recalling = (current: Current, known: Rules): Rules =>
  new Proxy(known, {
    get(rules, name) {
      const lawful = rules[name as RuleName] as AnyRule | undefined
      if (lawful === undefined) return undefined
      return (facts: unknown) => {
        const { question } = current
        const isAsked = question?.rule === name && isDeepStrictEqual(question.facts, question.factsAfter)
        return isAsked && isDeepStrictEqual(facts, question.facts) ? copyOf(question.answer) : lawful(facts)
      }
    },
  })

const sameAnswer = async (rule: AnyRule, { facts, answer, factsAfter }: Question): Promise<boolean> => {
  if ([facts, answer, factsAfter].includes(UNREPEATABLE)) return false
  const given = copyOf(facts)
  const other: unknown = await rule(given)
  return isDeepStrictEqual(other, answer) && isDeepStrictEqual(given, factsAfter)
}

const sameWire = async (wire: Wire | undefined, { exchanges }: Recollection): Promise<boolean> => {
  if (wire === undefined) return true
  const calls: { readonly request: Request; readonly response: Response }[] = []
  let current: WireExchange | undefined
  const decorated = wire(async (request) => {
    const response = responseOf(current)
    calls.push({ request, response })
    return response
  })
  for (const exchange of exchanges) {
    current = exchange
    calls.length = 0
    const request = requestOf(exchange)
    const response = await decorated(request)
    const [call, ...more] = calls
    if (call === undefined || more.length > 0) return false
    if (!(await sameResponse(response, call.response, exchange))) return false
    if (!(await sameRequest(call.request, request, exchange))) return false
  }
  return true
}

/** Both messages of an exchange, unread: hundreds of banks are handed a copy of them. */
interface Unread {
  readonly request: Request
  readonly response: Response
}

const messages = new WeakMap<WireExchange, Unread>()

const unread = (exchange: WireExchange): Unread => {
  const { url, method, headers, body, status, answer, answerHeaders } = exchange
  const known = messages.get(exchange) ?? {
    request: new Request(url, {
      ...{ method, headers: pairs(headers), redirect: 'manual' },
      ...(body !== '' && { body }),
    }),
    response: new Response(answer === '' ? null : answer, { status, headers: pairs(answerHeaders) }),
  }
  messages.set(exchange, known)
  return known
}

const responseOf = (exchange: WireExchange | undefined): Response => {
  if (exchange === undefined) throw new Error('an answer that nobody asked for')
  return unread(exchange).response.clone()
}

const requestOf = (exchange: WireExchange): Request => unread(exchange).request.clone()

type Fields = WireExchange['headers']

const pairs = (fields: Fields): [string, string][] => fields.map(([name, value]) => [name, value])

/** Headers that nobody has changed are not read to find that out. */
const isPlain = (headers: unknown): headers is PlainHeaders => headers instanceof PlainHeaders

const sameFields = (headers: Headers, given: Headers, fields: Fields): boolean => {
  if (isPlain(headers) && headers.isStill(given)) return true
  let place = 0
  for (const [name, value] of headers) {
    const field = fields[place]
    if (field === undefined || field[0] !== name || field[1] !== value) return false
    place += 1
  }
  return place === fields.length
}

/** A decorator that hands on what it was given, unread, has left its body alone: it is not read to find that out. */
const sameResponse = async (
  response: Response,
  given: Response,
  exchange: WireExchange,
): Promise<boolean> => {
  const { status, answer, answerHeaders } = exchange
  return (
    response.status === status &&
    sameFields(response.headers, unread(exchange).response.headers, answerHeaders) &&
    ((response === given && !response.bodyUsed) || (await response.text()) === answer)
  )
}

const sameRequest = async (request: Request, given: Request, exchange: WireExchange): Promise<boolean> => {
  const { method, url, headers, body } = exchange
  return (
    request.method === method &&
    request.url === url &&
    sameFields(request.headers, unread(exchange).request.headers, headers) &&
    // A decorator may have read the body in passing on a copy of the request; then nothing was changed in it.
    (request.bodyUsed || request === given || (await request.text()) === body)
  )
}
