import { copyOf, isSame, UNREPEATABLE } from './copy.ts'
import { runTrial } from './trial.ts'
import type { Rules } from '../bank/rules.ts'
import type { Variation, Wire } from '../bank/defect.ts'
import type { Catalogue } from '../plan/catalogue.ts'
import type { TrialOptions } from './trial.ts'

/**
 * What each scenario asked of the lawful bank, and what it was answered: over the wire, and by each rule. A bank that
 * answers all the same questions in the same way leads the scenario to the same end.
 */

export type RuleName = keyof Rules
export type AnyRule = (facts: unknown) => unknown

/** One question to one rule. What the rule does to its facts is part of its answer. */
export interface Question {
  readonly rule: RuleName
  readonly facts: unknown
  readonly answer: unknown
  readonly factsAfter: unknown
}

/** One message, as far as anybody can see it. */
export interface WireExchange {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly status: number
  readonly answerHeaders: readonly (readonly [string, string])[]
  readonly answer: string
}

export interface Recollection {
  readonly questions: readonly Question[]
  readonly exchanges: readonly WireExchange[]
}

export type Recollections = ReadonlyMap<string, Recollection>

interface Notebook extends Recollection {
  readonly questions: Question[]
  readonly exchanges: WireExchange[]
}

/** A rule that one scenario asks more often than this is not asked again: the scenario is done anew. */
const MOST_QUESTIONS = 1_000

const asked = (rule: RuleName, lawful: AnyRule, { questions }: Notebook): AnyRule => {
  let count = 0
  const note = (question: Omit<Question, 'rule'>): void => {
    if (count <= MOST_QUESTIONS) questions.push({ rule, ...question })
    count += 1
  }
  return (given) => {
    const facts = count < MOST_QUESTIONS ? copyOf(given) : UNREPEATABLE
    const told = (answer: unknown): unknown => {
      note(
        facts === UNREPEATABLE
          ? { facts, answer: undefined, factsAfter: undefined }
          : // As good as always a rule alters nothing: then one copy stands for both.
            {
              facts,
              answer: copyOf(answer),
              factsAfter: isSame(facts, given) ? facts : copyOf(given),
            },
      )
      return answer
    }
    const answer = lawful(given)
    return answer instanceof Promise ? answer.then(told) : told(answer)
  }
}

export const listening =
  ({ exchanges }: Notebook): Wire =>
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

const watched = (notebook: Notebook): Variation => ({
  id: 'watched',
  story: 'the reference bank, with somebody who writes down what it is asked and what it answers',
  rules: (lawful) =>
    Object.fromEntries(
      (Object.keys(lawful) as RuleName[]).map((rule) => [
        rule,
        asked(rule, lawful[rule] as AnyRule, notebook),
      ]),
    ),
  wire: listening(notebook),
})

export const recollect = async (catalogue: Catalogue, options: TrialOptions): Promise<Recollections> => {
  const notebooks = new Map<string, Notebook>()
  await runTrial(
    catalogue,
    (scenario) => {
      const notebook: Notebook = { questions: [], exchanges: [] }
      notebooks.set(scenario, notebook)
      return { variation: watched(notebook) }
    },
    { ...options, socket: false },
  )
  return notebooks
}
