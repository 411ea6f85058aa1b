/**
 * Properties of secrets that judges depend on, such as their length. Stored records have pseudonyms in place of
 * secrets; for them, what was measured on the secrets is stored as well.
 */

/** A measured property. Plain data: it is stored. */
export interface Fact {
  /** What was measured. */
  readonly name: string
  /** The values on which it was measured; in stored form, their pseudonyms. */
  readonly of: readonly string[]
  /** Left out if the value is undefined. */
  readonly value?: string | number | boolean
}

type FactValue = Fact['value']

/** Decides where a fact comes from: it is measured, or found among stored facts. */
export type FactSource = (name: string, of: readonly string[], measure: () => FactValue) => FactValue

let source: FactSource | undefined

/** While the work is done, facts come from this source. Judges are synchronous: no other one runs in between. */
export const withFacts = <Value>(facts: FactSource, work: () => Value): Value => {
  const before = source
  source = facts
  try {
    return work()
  } finally {
    source = before
  }
}

/**
 * Measures a property of values that may be secret. A judge that looks at a secret itself, and not only whether two
 * secrets are equal, does it with this function.
 * @param name what is measured: it distinguishes facts about the same values.
 */
export const measured = <Value extends FactValue>(
  name: string,
  of: readonly string[],
  measure: () => Value,
): Value => (source === undefined ? measure() : (source(name, of, measure) as Value))

/** Measures, and adds each fact to a list. */
export const collectingFacts =
  (facts: Fact[]): FactSource =>
  (name, of, measure) => {
    const value = measure()
    facts.push({ name, of, ...(value !== undefined && { value }) })
    return value
  }

const keyOf = (name: string, of: readonly string[]): string => JSON.stringify([name, ...of])

/** Finds stored facts; a fact that is not stored is measured, since it is about no secret. */
export const storedFacts = (facts: readonly Fact[]): FactSource => {
  const known = new Map(facts.map(({ name, of, value }) => [keyOf(name, of), { value }]))
  return (name, of, measure) => {
    const fact = known.get(keyOf(name, of))
    return fact === undefined ? measure() : fact.value
  }
}
