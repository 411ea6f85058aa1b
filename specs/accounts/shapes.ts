import { note } from '../../harness/check/index.ts'
import type { Observed, ObservedExchange, Scenario } from '../../harness/check/index.ts'
import { ACC } from './requirements.ts'

/** What is observed of answers that the interface does not show. */

/** The fields of an item of a list, and their types; never a value. */
export const shapeOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0])}]`
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}: ${shapeOf(inner)}`)
    .join(', ')}}`
}

const described = ({ status, body }: ObservedExchange): string =>
  `${String(status.value)} ${body.kind().value === 'text' ? 'without JSON' : body.shape}`

/** Notes what the refusals of account operations look like. */
export const describeRefusals = <Seen>(
  scenario: Scenario<Seen>,
  fault: string,
  pick: (record: Observed<Seen>) => readonly ObservedExchange[],
): void =>
  note(ACC.errorBodyOfTheAccountOperations, scenario, (record) => {
    const looks = new Set(pick(record).flatMap((call) => (call.accepted ? [] : [described(call)])))
    return looks.size === 0 ? undefined : `${fault}: ${[...looks].join(' or ')}`
  })
