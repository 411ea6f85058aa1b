import { expect, test } from 'vitest'
import { nextPosition, walkAccount } from './page-walk.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Paging } from '../../profile/schema/operations.ts'
import type { Position } from '../../evidence/record/page-walk.ts'

/** Paging that has no end is a finding, and no hang. */

const BASE = 'https://bank.example/premium/sandbox'
const LINKS = { kind: 'link', next: 'next' } as const satisfies Paging
const OFFSETS = { kind: 'offset', parameter: 'offset', first: 0, total: 'total' } as const
const CURSORS = { kind: 'cursor', next: 'next', parameter: 'cursor' } as const satisfies Paging
const NUMBERS = { kind: 'number', parameter: 'page', first: 1, count: 'pageCount' } as const satisfies Paging

const answer = (json: unknown): Exchange => {
  const text = JSON.stringify(json)
  return {
    kind: 'exchange',
    id: 'walk/1',
    sender: 'scenario',
    operation: 'listTransactions',
    effect: 'read',
    request: { method: 'GET', url: `${BASE}/transactions`, headers: [] },
    response: { status: 200, headers: [], body: { text, bytes: Buffer.byteLength(text) } },
    sentAt: '2026-01-05T09:00:00.000Z',
    durationMs: 1,
  }
}

const items = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `t${at}` }))

const walk = async (paging: Paging, page: (asked: number) => unknown) => {
  let asked = 0
  return walkAccount({
    size: 10,
    base: BASE,
    binding: { transactions: 'transactions', id: 'id', paging },
    ask: async () => answer(page((asked += 1))),
  })
}

test('a numbered page that is answered for the third time ends the walk, an empty one too', async () => {
  for (const count of [0, 1, 10]) {
    const { end, pages } = await walk(NUMBERS, () => ({ transactions: items(count), pageCount: 1000 }))
    expect([end, pages.length]).toEqual(['loop', 3])
  }
})

test('a page that is answered for the third time ends the walk, whatever it is asked for by', async () => {
  const cursors = await walk(CURSORS, (page) => ({ transactions: items(10), next: page }))
  const links = await walk(LINKS, (page) => ({ transactions: items(10), next: `?page=${page}` }))
  expect([cursors.end, cursors.pages.length]).toEqual(['loop', 3])
  expect([links.end, links.pages.length]).toEqual(['loop', 3])
})

test('a page that is answered twice ends no walk', async () => {
  const { end, pages } = await walk(NUMBERS, () => ({ transactions: items(10), pageCount: 2 }))
  expect([end, pages.length]).toEqual(['last', 2])
})

test('pages that do not tell their transactions apart may look alike', async () => {
  const { end, pages } = await walk(NUMBERS, () => ({ transactions: [{}, {}], pageCount: 6 }))
  expect([end, pages.length]).toEqual(['last', 6])
})

test('by hand a page is asked for as it would be on a walk', () => {
  const behind = (paging: Paging, json: unknown, position?: Position) =>
    nextPosition(answer(json), { paging, transactions: 'transactions' }, position)
  expect(behind(NUMBERS, { pageCount: 3 })).toEqual({ kind: 'number', page: 2 })
  expect(behind(NUMBERS, { pageCount: 3 }, { kind: 'number', page: 2 })).toEqual({ kind: 'number', page: 3 })
  expect(behind(NUMBERS, { pageCount: 3 }, { kind: 'number', page: 3 })).toBeUndefined()
  expect(behind(CURSORS, { next: 'c2' })).toEqual({ kind: 'cursor', value: 'c2' })
  expect(behind(LINKS, { next: '?page=2' })).toEqual({ kind: 'link', url: `${BASE}/transactions?page=2` })
  expect(behind(LINKS, {})).toBeUndefined()
  const page = { total: 25, transactions: items(10) }
  expect(behind(OFFSETS, page)).toEqual({ kind: 'number', page: 10 })
  expect(behind(OFFSETS, page, { kind: 'number', page: 10 })).toEqual({ kind: 'number', page: 20 })
  expect(behind(OFFSETS, page, { kind: 'number', page: 20 })).toBeUndefined()
})

test('by hand no link to another origin is taken', () => {
  const page = answer({ next: 'https://elsewhere.example/premium/sandbox/transactions?page=2' })
  expect(() => nextPosition(page, { paging: LINKS, transactions: 'transactions' })).toThrow(
    'links to a page of another origin',
  )
})
