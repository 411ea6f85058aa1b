import { expect, test } from 'vitest'
import { Inconclusive } from '../../evidence/signals.ts'
import { observe } from './observe.ts'
import { sampleExchange, TIMED_OUT, type SampleParts } from '../../testing/samples/exchange.ts'
import { ViolationError } from '../verdict.ts'
import type { Walk } from '../../evidence/record/page-walk.ts'
import { UsedExchanges } from './exchange.ts'

const page = (id: string, ids: readonly string[], isLast: boolean, parts: SampleParts = {}) => ({
  exchange: sampleExchange({ id, operation: 'listTransactions', ...parts }),
  ids,
  isLast,
})

const walk = (parts: Partial<Walk> = {}): Walk => ({
  kind: 'walk',
  size: 2,
  pages: [page('walk/1', ['a', 'b'], false), page('walk/2', ['c'], true)],
  end: 'last',
  ...parts,
})

const seen = (parts: Partial<Walk> = {}) => {
  const used = new UsedExchanges()
  return { used, ...observe({ walk: walk(parts) }, used) }
}

test('a verdict rests on the pages that were looked at, and on no others', () => {
  const { walk, used } = seen()
  expect([walk.size, walk.pages.length, [...used]]).toEqual([2, 2, []])
  expect(walk.pages[1]?.ids).toEqual(['c'])
  expect([...used]).toEqual(['walk/2'])
  walk.pages[0]?.size.equals(2)
  expect([...used]).toEqual(['walk/2', 'walk/1'])
})

test.each([
  ['the end', (walk: ReturnType<typeof seen>['walk']) => walk.end, ['walk/2']],
  ['the ids', (walk: ReturnType<typeof seen>['walk']) => walk.ids, ['walk/1', 'walk/2']],
  ['one id', (walk: ReturnType<typeof seen>['walk']) => walk.pages[0]?.id(0), ['walk/1']],
  ['whether it is the last', (walk: ReturnType<typeof seen>['walk']) => walk.pages[0]?.isLast, ['walk/1']],
  ['whether it is whole', (walk: ReturnType<typeof seen>['walk']) => walk.isWhole(), ['walk/2', 'walk/1']],
])('%s is looked at', (_, look, touched) => {
  const { walk, used } = seen()
  look(walk)
  expect([...used]).toEqual(touched)
})

test('a page gives its size, its transactions, and its exchange', () => {
  const [first, second] = seen().walk.pages
  expect([first?.size.value, first?.isLast, second?.isLast]).toEqual([2, false, true])
  expect(first?.id(1).value).toBe('b')
  expect(first?.exchange.status.value).toBe(200)
  expect(() => second?.size.equals(2)).toThrow('transactions on the page: expected 2; received 1')
})

test('a transaction without an id leaves open what needs it, and no more', () => {
  const { walk } = seen({ pages: [page('walk/1', ['a', ''], true)] })
  expect(() => walk.ids).toThrow(Inconclusive)
  expect(() => walk.pages[0]?.ids).toThrow(/its transaction 2/)
  expect(walk.pages[0]?.size.value).toBe(2)
})

test('a walk is whole that came to the last page', () => {
  expect(() => seen().walk.isWhole()).not.toThrow()
  expect(seen().walk.end.value).toBe('last')
})

test.each([
  ['refused', /no transactions on page 2 \(200\)/],
  ['loop', /page 2 that leads back/],
  ['endless', /no end after 2 pages/],
] as const)('a walk that ended with "%s" is not whole', (end, message) => {
  const { walk } = seen({ end })
  expect(() => walk.isWhole()).toThrow(ViolationError)
  expect(() => walk.isWhole()).toThrow(message)
})

test('a page of something else leaves open whether a walk is whole', () => {
  const page200 = { status: 200, body: '<!doctype html><h1>We will be back soon</h1>' }
  const { walk } = seen({ pages: [page('walk/1', [], true, page200)], end: 'refused' })
  expect(() => walk.isWhole()).toThrow(Inconclusive)
  expect(() => walk.isWhole()).toThrow('walk/1 was answered with an HTML page (200)')
})

test('a link out of the base path, a breakdown and a full quota leave open whether a walk is whole', () => {
  const broken = [page('walk/1', [], true, { status: 503, body: 'maintenance' })]
  const away = [page('walk/1', [], true, { status: 429, body: '' })]
  const refused = [broken, away].map((pages) => ({ end: 'refused', pages }) as const)
  for (const parts of [{ end: 'foreign-link' } as const, ...refused])
    expect(() => seen(parts).walk.isWhole()).toThrow(Inconclusive)
})

test('a walk that ends at a server error each time is not whole', () => {
  const broken = [page('walk/1', [], true, { status: 500, body: '{}', timesRepeated: 3 })]
  expect(() => seen({ end: 'refused', pages: broken }).walk.isWhole()).toThrow(ViolationError)
})

test('a page that was not answered is inconclusive wherever it is looked into', () => {
  const { walk } = seen({ pages: [page('walk/1', [], true, { fault: TIMED_OUT })], end: 'refused' })
  expect(() => walk.isWhole()).toThrow(Inconclusive)
  expect(() => walk.pages[0]?.exchange.status).toThrow(Inconclusive)
})
