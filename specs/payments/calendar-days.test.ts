import { expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { runTrial } from '../../harness/proof/trial.ts'
import type { Variation } from '../../harness/bank/defect.ts'

const HOUR = 60 * 60 * 1000

const LIFETIME = 90 * 24 * HOUR + HOUR

/** A bank whose 90 days end at the same time of day, when summer time has ended since. */
const inAutumn: Variation = {
  id: 'days-of-the-calendar-in-autumn',
  title: 'The 90 days of a token last an hour longer.',
  rules: { accessLifetime: () => LIFETIME, refreshLifetime: () => LIFETIME },
}

test('the end of summer time is not held against a bank that counts the days of the calendar', async () => {
  const catalogue = await loadCatalogue()
  const results = await runTrial(catalogue, () => ({ variation: inAutumn }), {
    only: ['TOK-81', 'TOK-82', 'TOK-87', 'ACC-12', 'TRX-13', 'REF-11'],
    seed: 42,
    runsOf: () => 1,
  })
  expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['pass']))
})
