import { expect, test } from 'vitest'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { ordersFor } from './orders.ts'
import { loadDefects, loadVariations } from './suspects.ts'

const wanted = { only: [], suspect: [], seed: 42, runs: 25 }

const breaksOf = async (changes: Partial<Parameters<typeof ordersFor>[0]>) =>
  (await ordersFor({ ...wanted, ...changes })).flatMap((order) => ('defect' in order ? [order] : []))

test('all banks are tried where nothing is selected, and each is to be caught by all that it breaks', async () => {
  const defects = await loadDefects()
  expect(await ordersFor(wanted)).toHaveLength(defects.length + loadVariations().length)
  expect((await breaksOf({})).map(({ breaks }) => breaks)).toEqual(
    defects.map(({ breaks }) => breaks.map(({ id }) => id)),
  )
})

test('of a chapter those are tried that break something of it, and no other chapter has to catch them', async () => {
  const all = await breaksOf({})
  const ofTokens = await breaksOf({ only: ['tokens'] })
  const isToken = (id: string): boolean => id.startsWith('TOK-')
  expect(ofTokens.map(({ defect }) => defect)).toEqual(
    all.filter(({ breaks }) => breaks.some(isToken)).map(({ defect }) => defect),
  )
  expect(ofTokens.flatMap(({ breaks }) => breaks).filter((id) => !isToken(id))).toEqual([])
  // One that breaks rows of two chapters is tried for either.
  const shared = all.filter(({ breaks }) => breaks.some(isToken) && !breaks.every(isToken))
  expect(shared.length).toBeGreaterThan(0)
})

test('who speaks a dialect speaks no other', async () => {
  const dialect = 'compact'
  const orders = await ordersFor({ ...wanted, dialect })
  const tried = orders.flatMap((order) => ('variation' in order ? [order.variation] : []))
  expect(tried).not.toContain('nested')
  expect(orders.every((order) => order.dialect === dialect)).toBe(true)
})

test.each([
  [
    { only: ['tokns'] },
    /--only tokns: no chapter, requirement id or tag has this name; did you mean tokens\?/,
  ],
  [
    { suspect: ['gziped'] },
    /--suspect gziped: no defect or variation has this in its id; did you mean gzipped\?/,
  ],
  [{ suspect: ['!'] }, /--suspect !: .*npm run catalogue shows them all/],
  [{ only: ['loans'], suspect: ['code-is-never-used-up'] }, /code-is-never-used-up: nothing is left to try/],
])('%j names nothing to try, and says so', async (changes, message) => {
  const refused = ordersFor({ ...wanted, ...changes })
  await expect(refused).rejects.toThrow(ConfigurationError)
  await expect(refused).rejects.toThrow(message)
})
