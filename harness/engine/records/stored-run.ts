import { NotReached } from '../../evidence/signals.ts'
import { digestOfValue, outcomeIn, type ExchangeOf, type JudgedOutcome } from './outcome.ts'
import type { RecordLine } from '../../evidence/stored/record-file.ts'
import type { Property, Scenario } from '../../session/scenario.ts'
import type { JudgedRun, ValueOutcome } from '../judge.ts'

const MISSING: JudgedOutcome = { stopped: new NotReached('the records of the run do not have it') }

/**
 * A scenario of a run that has ended, from its stored lines; they are decoded once for all checks.
 * @param lines by the digest of the value; a scenario that is no property has one line.
 */
export const openStoredRun = (
  { kind }: Scenario | Property,
  lines: ReadonlyMap<string, RecordLine>,
  exchangeOf: ExchangeOf,
): JudgedRun => {
  const outcomes = new Map<string, ValueOutcome>()
  return {
    interferingScenario: [...lines.values()].find(({ interfering }) => interfering !== undefined)
      ?.interfering,
    explain: () => [],
    hideKnown: (text) => text,
    async outcome(value) {
      const key = kind === 'property' ? digestOfValue(value) : ''
      const line = lines.get(key)
      if (line === undefined) return MISSING
      const one = outcomes.get(key) ?? { value, outcome: outcomeIn(line, exchangeOf) }
      outcomes.set(key, one)
      return one.outcome
    },
    outcomes: async () => [...outcomes.values()],
  }
}
