import { expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { consequenceOf, consequences } from './consequences.ts'

/** The compliance report explains every possible finding to customers and clients. */

test('every spec file has a consequence, and every consequence a spec file', async () => {
  const { checks } = await loadCatalogue()
  const files = [...new Set(checks.map(({ file }) => file))]
  const unexplained = checks.filter(
    ({ check, file }) => consequenceOf(check.requirement.id, file) === undefined,
  )
  expect(unexplained.map(({ key }) => key)).toEqual([])
  const used = new Set(files.map((file) => file.replace(/^specs\/(.+)\.spec\.ts.*$/, '$1')))
  expect(Object.keys(consequences).filter((key) => !used.has(key))).toEqual([])
})

test('a consequence is two sentences, without the words of the suite', () => {
  for (const { customers, clients } of Object.values(consequences))
    for (const sentence of [customers, clients]) {
      expect(sentence).toMatch(/^[A-Z].*[^.]\.$/)
      expect(sentence).not.toMatch(/\b(requirement|check|scenario|verdict|exchange)\b/)
    }
})

test('only what opens something to others is critical, also in a file about access', () => {
  const severityOf = (id: string): string | undefined =>
    consequenceOf(id, 'specs/loans/refusals.spec.ts:66')?.severity
  expect(severityOf('LOA-58')).toBe('critical')
  for (const id of ['LOA-22', 'LOA-39', 'LOA-40']) expect(severityOf(id)).toBe('major')
})
