import { expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { consequenceOf, consequences } from './consequences.ts'

/** The compliance report explains findings to customers. */

test('every consequence is that of a requirement', async () => {
  const { requirements } = await loadCatalogue()
  const known = new Set(requirements.map(({ id }) => id))
  expect([...consequences.keys()].filter((id) => !known.has(id))).toEqual([])
})

test('a consequence is one sentence, without the words of the suite', () => {
  for (const { customers } of consequences.values()) {
    expect(customers).toMatch(/^[A-Z].*[^.]\.$/)
    expect(customers).not.toMatch(/\b(requirement|check|scenario|verdict|exchange)\b/)
  }
})

test('only what opens something to others is critical', () => {
  const severityOf = (id: string): string => consequenceOf(id)?.severity ?? 'major'
  expect(severityOf('LOA-58')).toBe('critical')
  for (const id of ['LOA-22', 'LOA-39', 'LOA-40', 'TOK-05']) expect(severityOf(id)).toBe('major')
})
