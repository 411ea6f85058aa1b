import { runTrial } from './trial.ts'
import type { Variation } from '../bank/defect.ts'
import type { Catalogue } from '../plan/catalogue.ts'
import type { TrialOptions } from './trial.ts'

/**
 * Which rules of the bank each scenario has it ask. A bank in which only other rules are replaced answers that
 * scenario as the lawful bank does, so that a trial need not repeat it.
 */
export type RulesAsked = ReadonlyMap<string, ReadonlySet<string>>

const watched = (asked: Set<string>): Variation => ({
  id: 'watched',
  story: 'the reference bank, with somebody who writes down which rules it asks',
  rules: (lawful) =>
    Object.fromEntries(
      Object.entries(lawful).map(([name, rule]) => [
        name,
        (...facts: unknown[]) => {
          asked.add(name)
          return (rule as (...given: unknown[]) => unknown)(...facts)
        },
      ]),
    ),
})

export const observeRules = async (catalogue: Catalogue, options: TrialOptions): Promise<RulesAsked> => {
  const asked = new Map<string, Set<string>>()
  await runTrial(
    catalogue,
    (scenario) => {
      const rules = asked.get(scenario) ?? new Set<string>()
      asked.set(scenario, rules)
      return { variation: watched(rules) }
    },
    options,
  )
  return asked
}
