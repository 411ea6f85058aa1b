import { NotReached } from '../evidence/signals.ts'
import {
  factsOfText,
  pseudonymsIn,
  type FactsByPseudonym,
  type SecretFacts,
} from '../evidence/redaction/secret-facts.ts'

/**
 * Judges see pseudonyms in place of secrets. What they may know of a secret besides, such as its length, was measured
 * when it was recorded.
 */

const NONE: FactsByPseudonym = new Map()
/** In a whole run: facts are kept with the record of each scenario. */
const UNKNOWN: FactsByPseudonym = new Map()

let known = NONE

/** While the work is done, these are the facts. Judges are synchronous: no other one runs in between. */
export const withFacts = <Value>(facts: FactsByPseudonym, work: () => Value): Value => {
  known = facts
  try {
    return work()
  } finally {
    known = NONE
  }
}

/** @throws NotReached where the work asks for facts about what has a pseudonym. */
export const withoutFacts = <Value>(work: () => Value): Value => withFacts(UNKNOWN, work)

const requireFacts = (text: string): void => {
  if (known === UNKNOWN && pseudonymsIn(text).length > 0)
    throw new NotReached('facts about a secret are known in its scenario only')
}

/** Facts about a text, as if its secrets stood in it. For all that may be secret, or personal data. */
export const factsOf = (text: string): SecretFacts => {
  requireFacts(text)
  return factsOfText(text, known)
}

/** The JSON type of a string: that of the value in whose place a pseudonym stands. */
export const jsonTypeOf = (text: string): 'string' | 'number' => {
  requireFacts(text)
  return known.get(text)?.isNumber === true ? 'number' : 'string'
}

export const isPseudonym = (text: string): boolean => known.has(text)

/** The pseudonyms of what an answer has in clear. */
export const inClearIn = (exchange: string): readonly string[] =>
  [...known].flatMap(([pseudonym, { standsIn = [] }]) => (standsIn.includes(exchange) ? [pseudonym] : []))
