import { lawfulRules } from '../bank/rules.ts'
import { copyOf, isSame, UNREPEATABLE } from './copy.ts'
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
  const [first = [], ...more] = rules.flatMap((rule) => [groups[rule] ?? []])
  return more.length === 0 ? first : [first, ...more].flat().sort((a, b) => a.place - b.place)
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
    const verdict = sameAnswer(rule, question)
    // As good as always a rule answers at once: nobody has to wait for that.
    if (!(typeof verdict === 'boolean' ? verdict : await verdict)) return false
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
        const isAsked = question?.rule === name && isSame(question.facts, question.factsAfter)
        return isAsked && isSame(facts, question.facts) ? copyOf(question.answer) : lawful(facts)
      }
    },
  })

const sameAnswer = (rule: AnyRule, { facts, answer, factsAfter }: Question): boolean | Promise<boolean> => {
  if (facts === UNREPEATABLE || answer === UNREPEATABLE || factsAfter === UNREPEATABLE) return false
  const given = copyOf(facts)
  const compare = (other: unknown): boolean => isSame(other, answer) && isSame(given, factsAfter)
  const other = rule(given)
  return other instanceof Promise ? other.then(compare) : compare(other)
}

const sameWire = async (wire: Wire | undefined, { exchanges }: Recollection): Promise<boolean> => {
  if (wire === undefined) return true
  let lent: Lent | undefined
  const asked: Request[] = []
  const decorated = wire(async (request) => {
    asked.push(request)
    if (lent === undefined) throw new Error('an answer that nobody asked for')
    return lent.response
  })
  for (const exchange of exchanges) {
    lent = lend(exchange)
    asked.length = 0
    const response = await decorated(lent.request)
    const [request] = asked
    if (request === undefined || asked.length > 1) return false
    if (!(await sameResponse(response, lent, exchange))) return false
    if (!(await sameRequest(request, lent, exchange))) return false
  }
  return true
}

type Fields = WireExchange['headers']

const pairs = (fields: Fields): [string, string][] => fields.map(([name, value]) => [name, value])

/** Both messages of an exchange. Hundreds of banks are handed a copy, which nearly all hand on untouched to the next. */
class Lent {
  readonly sent: Request
  readonly answered: Response
  request: Request
  response: Response

  constructor({ url, method, headers, body, status, answer, answerHeaders }: WireExchange) {
    this.sent = new Request(url, {
      ...{ method, headers: pairs(headers), redirect: 'manual' },
      ...(body !== '' && { body }),
    })
    this.answered = new Response(answer === '' ? null : answer, { status, headers: pairs(answerHeaders) })
    this.request = this.sent.clone()
    this.response = this.answered.clone()
  }

  /** With new copies in the place of those that somebody has read or changed. */
  renewed(): this {
    if (!this.isStillRequest(this.request)) this.request = this.sent.clone()
    if (!this.isStillResponse(this.response)) this.response = this.answered.clone()
    return this
  }

  isStillRequest(request: Request): boolean {
    return request === this.request && !request.bodyUsed && isStill(request, this.sent)
  }

  isStillResponse(response: Response): boolean {
    return response === this.response && !response.bodyUsed && isStill(response, this.answered)
  }
}

/** Headers that nobody has changed are not read to find that out. */
const isStill = ({ headers }: Message, given: Message): boolean => {
  const fields: unknown = headers
  return fields instanceof PlainHeaders && fields.isStill(given.headers)
}

type Message = Pick<Request, 'headers'>

const messages = new WeakMap<WireExchange, Lent>()

const lend = (exchange: WireExchange): Lent => {
  const lent = messages.get(exchange)?.renewed() ?? new Lent(exchange)
  messages.set(exchange, lent)
  return lent
}

const sameFields = (message: Message, given: Message, fields: Fields): boolean => {
  if (isStill(message, given)) return true
  let place = 0
  for (const [name, value] of message.headers) {
    const field = fields[place]
    if (field === undefined || field[0] !== name || field[1] !== value) return false
    place += 1
  }
  return place === fields.length
}

const sameResponse = async (response: Response, lent: Lent, exchange: WireExchange): Promise<boolean> => {
  if (lent.isStillResponse(response)) return true
  const { status, answer, answerHeaders } = exchange
  return (
    response.status === status &&
    sameFields(response, lent.answered, answerHeaders) &&
    (await response.text()) === answer
  )
}

const sameRequest = async (request: Request, lent: Lent, exchange: WireExchange): Promise<boolean> => {
  if (lent.isStillRequest(request)) return true
  const { method, url, headers, body } = exchange
  return (
    request.method === method &&
    request.url === url &&
    sameFields(request, lent.sent, headers) &&
    // A decorator may have read the body in passing on a copy of the request; then nothing was changed in it.
    (request.bodyUsed || request === lent.request || (await request.text()) === body)
  )
}
