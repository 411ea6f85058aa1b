import { messageOf } from '../../evidence/errors.ts'
import { digestOfValue, outcomeIn, type ExchangeOf, type JudgedOutcome } from './outcome.ts'
import type { RecordLine } from '../../evidence/stored/record-file.ts'
import type { Property, Scenario } from '../../session/scenario.ts'
import type { JudgedRun } from '../judge.ts'

/** A scenario of a run that has ended, from its stored lines; they are decoded once for all checks. */
export interface StoredRun extends JudgedRun {
  /** Why an outcome that was asked for since the last call is not there. */
  takeMissing(): string | undefined
}

/** @param lines by the digest of the value; a scenario that is no property has one line. */
export const openStoredRun = (
  { kind }: Scenario | Property,
  lines: ReadonlyMap<string, RecordLine>,
  exchangeOf: ExchangeOf,
): StoredRun => {
  const outcomes = new Map<string, { readonly value: unknown; readonly outcome: JudgedOutcome }>()

  const read = (key: string): JudgedOutcome => {
    const line = lines.get(key)
    if (line === undefined) throw new Error('the run has no record of it')
    return outcomeIn(line, exchangeOf)
  }

  let missing: string | undefined

  return {
    takeMissing() {
      const because = missing
      missing = undefined
      return because
    },
    interferingScenario: [...lines.values()].find(({ interfering }) => interfering !== undefined)
      ?.interfering,
    explain: () => [],
    hideKnown: (text) => text,
    async outcome(value) {
      const key = kind === 'property' ? digestOfValue(value) : ''
      const known = outcomes.get(key)
      if (known !== undefined) return known.outcome
      try {
        const outcome = read(key)
        outcomes.set(key, { value, outcome })
        return outcome
      } catch (stopped) {
        missing = messageOf(stopped)
        return { stopped }
      }
    },
    outcomes: async () => [...outcomes.values()],
  }
}
