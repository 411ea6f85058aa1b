import { expect, test } from 'vitest'
import { variations } from '../bank/variations/index.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { judgeDefect } from './result.ts'
import { loadDefects } from './selection.ts'
import { runTrial } from './trial.ts'

/**
 * A bank that refuses with pages, whose profile does not say so: its refusals may be those of a firewall. What it answers
 * where it must refuse is a violation all the same.
 */

const [catalogue, defects] = await Promise.all([loadCatalogue(), loadDefects()])
const variation = variations.find(({ id }) => id === 'refusals-outside-of-oauth-and-loans-are-html-pages')
if (variation === undefined) throw new Error('no variation refuses with pages')

const ROWS = ['ACC-10', 'REF-12', 'CON-17', 'TOK-38']

test.each(ROWS)('the defects of %s are caught', async (row) => {
  const broken = defects.filter(({ breaks }) => breaks.some(({ id }) => id === row)).slice(0, 1)
  expect(broken).not.toEqual([])
  for (const defect of broken) {
    const results = await runTrial(catalogue, () => ({ defect, variation }), {
      socket: false,
      seed: 42,
      runsOf: () => 4,
      only: [row],
      environment: defect.triedIn ?? defect.environment ?? 'sandbox',
    })
    expect(judgeDefect({ ...defect, breaks: [row] }, results)).toMatchObject({
      survived: false,
      crashed: [],
    })
  }
})
