import { expect, test } from 'vitest'
import { matches } from '../bank/composition/conflicts.ts'
import { freedoms } from '../bank/composition/freedoms.ts'
import { variations } from '../bank/variations/index.ts'
import { requirements } from '../plan/catalogue.ts'
import { HIDING, isHiddenBy } from './hiding.ts'
import { DIALECTS, loadDefects } from './selection.ts'

const defects = await loadDefects()

test('each entry names variations, and defects or requirements, that exist', () => {
  const known = [...defects, ...requirements].map(({ id }) => id)
  const isKnown = (pattern: string): boolean => known.some((id) => matches(id, pattern))
  expect(HIDING.flatMap((one) => one.defects).filter((pattern) => !isKnown(pattern))).toEqual([])
  const others = [...variations, ...freedoms, ...DIALECTS.map((id) => ({ id })), { id: 'generated-1' }]
  const isVariation = (pattern: string): boolean => others.some(({ id }) => matches(id, pattern))
  expect(HIDING.flatMap((one) => one.variations).filter((pattern) => !isVariation(pattern))).toEqual([])
})

test('a defect is hidden where what it breaks never occurs, and no defect is hidden everywhere', () => {
  const lost = { id: 'state-is-lost', breaks: [{ id: 'AUT-06' }] }
  expect(isHiddenBy(lost, { id: 'any', neverOccurs: ['AUT-06'] })).toBe(true)
  expect(isHiddenBy(lost, { id: 'any', neverOccurs: ['AUT-05'] })).toBe(false)
  const most = Math.max(
    ...defects.map((defect) => variations.filter((one) => isHiddenBy(defect, one)).length),
  )
  expect(most).toBeLessThan(variations.length / 10)
})
