import { expect, test } from 'vitest'
import { loadCatalogue } from '../plan/catalogue.ts'
import type { CheckResult } from '../check/result.ts'
import { loadDefects } from './selection.ts'
import { runTrial, violatedIn } from './trial.ts'

const ID = 'a-revoked-access-token-is-accepted-for-a-fac'

const [catalogue, defects] = await Promise.all([loadCatalogue(), loadDefects()])

test('where one violation is enough, the other scenarios of its requirement are left out', async () => {
  const defect = defects.find(({ id }) => id === ID)
  if (defect === undefined) throw new Error(`no defect ${ID}`)
  const options = { socket: false, seed: 42, runsOf: () => 4, only: ['TOK-88', 'ACC-24', 'TOK-20'] }
  const all = await runTrial(catalogue, () => ({ defect }), options)
  const some = await runTrial(catalogue, () => ({ defect }), { ...options, isOneEnough: true })
  expect(violatedIn(some)).toEqual(new Set(['TOK-88', 'ACC-24']))
  expect(violatedIn(all)).toEqual(violatedIn(some))
  const numberOf = (results: readonly CheckResult[], requirement: string): number =>
    results.filter((result) => result.requirement === requirement).length
  expect(numberOf(some, 'TOK-88')).toBeLessThan(numberOf(all, 'TOK-88'))
  expect(numberOf(some, 'TOK-20')).toBe(numberOf(all, 'TOK-20'))
})
