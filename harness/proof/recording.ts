import { conformingRules, type Rules } from '../bank/rules.ts'
import { groupBy } from '../plan/lists.ts'
import { copyOf, isSame, UNREPEATABLE } from './copy.ts'
import { runTrial, type TrialOptions } from './trial.ts'
import type { RuleChange, Variation, Wire } from '../bank/defect.ts'
import type { Catalogue } from '../plan/catalogue.ts'

/**
 * A recording contains the calls of rules and the exchanges of one scenario on the unchanged bank. On a changed bank that
 * gives the same answers, the scenario has the same result, so that it need not be run.
 */
export interface Recording {
  readonly questions: readonly Question[]
  readonly exchanges: readonly RecordedExchange[]
}

export type Recordings = ReadonlyMap<string, Recording>

/** One call of one rule. A rule may alter its facts: that is part of its answer. */
interface Question {
  readonly rule: RuleName
  readonly facts: unknown
  readonly answer: unknown
  readonly factsAfter: unknown
}

type RuleName = keyof Rules
type AnyRule = (facts: unknown) => unknown

type Fields = readonly (readonly [string, string])[]

interface RecordedExchange {
  readonly method: string
  readonly url: string
  readonly headers: Fields
  readonly body: string
  readonly status: number
  readonly answerHeaders: Fields
  readonly answer: string
}

/** The parts of a defect or variation that can be replayed. */
export type Change = Pick<Variation, 'rules' | 'wire' | 'server'>

// -- Recording

interface OpenRecording extends Recording {
  readonly questions: Question[]
  readonly exchanges: RecordedExchange[]
}

/** A rule that a scenario calls more often than this is not replayed: the scenario is run. */
const MOST_QUESTIONS = 1_000

const recordedRule = (rule: RuleName, conforming: AnyRule, { questions }: OpenRecording): AnyRule => {
  let count = 0
  const add = (question: Omit<Question, 'rule'>): void => {
    if (count <= MOST_QUESTIONS) questions.push({ rule, ...question })
    count += 1
  }
  return (given) => {
    const facts = count < MOST_QUESTIONS ? copyOf(given) : UNREPEATABLE
    const answered = (answer: unknown): unknown => {
      add(
        facts === UNREPEATABLE
          ? { facts, answer: undefined, factsAfter: undefined }
          : // A rule that does not change its facts needs one copy only.
            { facts, answer: copyOf(answer), factsAfter: isSame(facts, given) ? facts : copyOf(given) },
      )
      return answer
    }
    const answer = conforming(given)
    return answer instanceof Promise ? answer.then(answered) : answered(answer)
  }
}

const recordedWire =
  ({ exchanges }: OpenRecording): Wire =>
  (next) =>
  async (request) => {
    const body = await request.clone().text()
    const response = await next(request)
    exchanges.push({
      method: request.method,
      url: request.url,
      headers: [...request.headers],
      body,
      status: response.status,
      answerHeaders: [...response.headers],
      answer: await response.clone().text(),
    })
    return response
  }

const recordingBank = (recording: OpenRecording): Variation => ({
  id: 'recorded',
  title: 'the reference bank, with a recording of its questions and answers',
  rules: (conforming) =>
    Object.fromEntries(
      (Object.keys(conforming) as RuleName[]).map((rule) => [
        rule,
        recordedRule(rule, conforming[rule] as AnyRule, recording),
      ]),
    ),
  wire: recordedWire(recording),
})

/** Runs all scenarios on the unchanged bank, and records each. */
export const recordScenarios = async (catalogue: Catalogue, options: TrialOptions): Promise<Recordings> => {
  const recordings = new Map<string, OpenRecording>()
  const faultsFor = (scenario: string) => {
    const recording: OpenRecording = { questions: [], exchanges: [] }
    recordings.set(scenario, recording)
    return { variation: recordingBank(recording) }
  }
  await runTrial(catalogue, faultsFor, { ...options, socket: false })
  return recordings
}

// -- Replaying

/**
 * Whether a bank with this change answers all that is recorded as the unchanged bank does. What cannot be compared counts
 * as different.
 * @param conforming the rules of the bank that was recorded.
 */
export const isUnaffected = async (
  { rules, wire, server }: Change,
  recording: Recording,
  conforming: Rules = conformingRules,
): Promise<boolean> => {
  if (server !== undefined) return false
  try {
    return (await answersAlike(rules, recording, conforming)) && (await handsOnAlike(wire, recording))
  } catch {
    return false
  }
}

const numberedByRule = ({ questions }: Recording) =>
  groupBy(
    questions.map((question, place) => ({ question, place })),
    ({ question }) => question.rule,
  )

/** A change replaces one or two rules; a scenario calls all of them, some a thousand times. */
const byRule = new WeakMap<Recording, ReturnType<typeof numberedByRule>>()

const questionsByRule = (recording: Recording) => {
  const known = byRule.get(recording) ?? numberedByRule(recording)
  byRule.set(recording, known)
  return known
}

/** In the order in which they were asked: rules that are replaced together may share state. */
const questionsTo = (rules: readonly RuleName[], recording: Recording): readonly Question[] =>
  rules
    .flatMap((rule) => questionsByRule(recording).get(rule) ?? [])
    .sort((a, b) => a.place - b.place)
    .map(({ question }) => question)

const answersAlike = async (
  change: RuleChange | undefined,
  recording: Recording,
  conforming: Rules,
): Promise<boolean> => {
  if (change === undefined) return true
  const current: Current = { question: undefined }
  const replaced = (
    typeof change === 'function' ? change(withRecorded(current, conforming)) : change
  ) as Readonly<Record<string, AnyRule>>
  for (const question of questionsTo(Object.keys(replaced) as RuleName[], recording)) {
    const rule = replaced[question.rule]
    if (rule === undefined) continue
    current.question = question
    if (!(await hasSameAnswer(rule, question))) return false
  }
  return true
}

interface Current {
  question: Question | undefined
}

/**
 * The unchanged rules for a change that calls them. A rule that is asked the recorded question gives the recorded
 * answer: otherwise a new random code would count as a difference, and a bank that is wrong only about its third code
 * would seem to be wrong about each.
 */
const withRecorded = (current: Current, known: Rules): Rules =>
  new Proxy(known, {
    get(rules, name) {
      const conforming = rules[name as RuleName] as AnyRule | undefined
      if (conforming === undefined) return undefined
      return (facts: unknown) => {
        const { question } = current
        const isAsked = question?.rule === name && isSame(question.facts, question.factsAfter)
        return isAsked && isSame(facts, question.facts) ? copyOf(question.answer) : conforming(facts)
      }
    },
  })

const hasSameAnswer = async (rule: AnyRule, { facts, answer, factsAfter }: Question): Promise<boolean> => {
  if (facts === UNREPEATABLE || answer === UNREPEATABLE || factsAfter === UNREPEATABLE) return false
  const given = copyOf(facts)
  return isSame(await rule(given), answer) && isSame(given, factsAfter)
}

const handsOnAlike = async (wire: Wire | undefined, { exchanges }: Recording): Promise<boolean> => {
  if (wire === undefined) return true
  let recorded: RecordedExchange | undefined
  const received: Request[] = []
  const decorated = wire(async (request) => {
    received.push(request)
    if (recorded === undefined) throw new Error('a request before the first recorded one')
    return responseOf(recorded)
  })
  for (const exchange of exchanges) {
    recorded = exchange
    received.length = 0
    const response = await decorated(requestOf(exchange))
    const [request] = received
    if (request === undefined || received.length > 1) return false
    if (!(await isSameResponse(response, exchange)) || !(await isSameRequest(request, exchange))) return false
  }
  return true
}

const pairs = (fields: Fields): [string, string][] => fields.map(([name, value]) => [name, value])

const requestOf = ({ url, method, headers, body }: RecordedExchange): Request =>
  new Request(url, { method, headers: pairs(headers), redirect: 'manual', body: body === '' ? null : body })

const responseOf = ({ status, answer, answerHeaders }: RecordedExchange): Response =>
  new Response(answer === '' ? null : answer, { status, headers: pairs(answerHeaders) })

const hasFields = ({ headers }: Pick<Request, 'headers'>, fields: Fields): boolean => {
  const own = [...headers]
  return (
    own.length === fields.length &&
    own.every(([name, value], at) => fields[at]?.[0] === name && fields[at][1] === value)
  )
}

const isSameResponse = async (response: Response, exchange: RecordedExchange): Promise<boolean> =>
  response.status === exchange.status &&
  hasFields(response, exchange.answerHeaders) &&
  (await response.text()) === exchange.answer

const isSameRequest = async (request: Request, exchange: RecordedExchange): Promise<boolean> =>
  request.method === exchange.method &&
  request.url === exchange.url &&
  hasFields(request, exchange.headers) &&
  // A change may have read the body of the request that it hands on; then it is unchanged.
  (request.bodyUsed || (await request.text()) === exchange.body)
