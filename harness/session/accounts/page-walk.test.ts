import { array, assert, asyncProperty, constantFrom, integer, nat } from 'fast-check'
import { expect, test } from 'vitest'
import { Inconclusive } from '../../evidence/signals.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { isBelow, nextPosition, walkAccount } from './page-walk.ts'
import type { Exchange, HeaderFields } from '../../evidence/exchange.ts'
import type { Paging } from '../../profile/schema/operations.ts'
import type { Position } from '../../evidence/record/page-walk.ts'

const BASE = 'https://bank.example/premium/sandbox'
const FIRST = `${BASE}/v1/accounts/a1/transactions?pageSize=10`

const LINKS = { kind: 'link', next: '_links.next.href' } as const satisfies Paging
const CURSORS = { kind: 'cursor', next: 'next', parameter: 'cursor' } as const satisfies Paging
const OFFSETS = { kind: 'offset', parameter: 'offset', first: 0, total: 'total' } as const
const NUMBERS = { kind: 'number', parameter: 'page', first: 1, count: 'pageCount' } as const satisfies Paging

const answer = (url: string, json: unknown, headers: HeaderFields = []): Exchange => ({
  ...sampleExchange({
    id: 'walk/1',
    operation: 'listTransactions',
    headers,
    body: typeof json === 'string' ? json : JSON.stringify(json),
  }),
  request: { method: 'GET', url, headers: [] },
})

/** Walks what `page` answers, given the number of the page and what it was asked by; keeps where it asked. */
const walk = async (
  page: (asked: number, position: Position | undefined) => unknown,
  options: { readonly paging?: Paging; readonly size?: number; readonly mostPages?: number } = {},
) => {
  const { paging = LINKS, size = 10, mostPages = 1000 } = options
  const asked: string[] = []
  const result = await walkAccount({
    size,
    base: BASE,
    mostPages,
    binding: { transactions: 'transactions', id: 'id', paging },
    ask: async (position) => {
      const url = position?.kind === 'link' ? position.url : FIRST
      const json = page(asked.length, position)
      asked.push(url)
      return answer(url, json)
    },
  })
  return { ...result, asked }
}

const items = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ id: `t${from + at}` }))

/** How a link can be written that leads to the same address (RFC 3986 §4.2). */
const SPELLINGS: Readonly<Record<string, (query: string) => string>> = {
  absolute: (query) => `${BASE}/v1/accounts/a1/transactions?${query}`,
  'with dots': (query) => `${BASE}/v1/../v1/accounts/a1/transactions?${query}`,
  'path alone': (query) => `/premium/sandbox/v1/accounts/a1/transactions?${query}`,
  'last segment': (query) => `transactions?${query}`,
  'query alone': (query) => `?${query}`,
  'with a fragment': (query) => `?${query}#top`,
  'with a port': (query) => `https://bank.example:443/premium/sandbox/v1/accounts/a1/transactions?${query}`,
}

/** How many pages an account has; one that is empty has one. */
const pagesOf = (count: number, size: number): number => Math.max(1, Math.ceil(count / size))

test('links of every spelling lead through all pages, in order, to the last', async () => {
  const spelling = constantFrom(...Object.values(SPELLINGS))
  await assert(
    asyncProperty(nat(300), integer({ min: 1, max: 100 }), spelling, async (count, size, spell) => {
      const { pages, end } = await walk(
        (page) => ({
          transactions: items(page * size, Math.min(count, (page + 1) * size)),
          _links: (page + 1) * size < count ? { next: { href: spell(`from=${(page + 1) * size}`) } } : {},
        }),
        { size },
      )
      expect(end).toBe('last')
      expect(pages.flatMap(({ ids }) => ids)).toEqual(items(0, count).map(({ id }) => id))
      expect(pages.map(({ isLast }) => isLast)).toEqual(pages.map((_, at) => at === pages.length - 1))
      expect(pages).toHaveLength(pagesOf(count, size))
    }),
  )
})

test('an account without transactions has one page, whether its count is 0 or 1', async () => {
  for (const pageCount of [0, 1]) {
    const { pages, end } = await walk(() => ({ transactions: [], pageCount }), { paging: NUMBERS })
    expect([end, pages.length, pages[0]?.ids]).toEqual(['last', 1, []])
  }
})

const FOREIGN = [
  'https://evil.example/premium/sandbox/v1/accounts/a1/transactions',
  '//evil.example/premium/sandbox/',
  'http://bank.example/premium/sandbox/v1/accounts/a1/transactions?from=10',
  'https://bank.example:8443/premium/sandbox/v1/accounts/a1/transactions',
  'https://bank.example@evil.example/premium/sandbox/',
  'https://user:word@bank.example/premium/sandbox/v1/accounts/a1/transactions',
  'https://bank.example.evil.example/premium/sandbox/',
  'https://bank.example/premium/production/v1/accounts/a1/transactions?from=10',
  'https://bank.example/premium/sandbox-of-others/v1/accounts',
  'https://bank.example/premium/sandbox/../production/v1/accounts',
  'https://bank.example/premium/sandbox/%2e%2e/production/v1/accounts',
  '/v1/accounts/a1/transactions?from=10',
  '../../../../production/v1/accounts',
  '\\\\evil.example\\premium\\sandbox\\',
  'javascript:alert(1)',
  'data:application/json,{}',
] as const

test('a link out of the origin or the base path is not followed', async () => {
  await assert(
    asyncProperty(constantFrom(...FOREIGN), nat(5), async (link, at) => {
      const { end, pages, asked } = await walk((page) => ({
        transactions: items(page, page + 1),
        _links: { next: { href: page === at ? link : `?from=${page + 1}` } },
      }))
      expect(end).toBe('foreign-link')
      expect(asked).toHaveLength(at + 1)
      expect(pages.at(-1)?.isLast).toBe(false)
      for (const url of asked) expect(isBelow(url, BASE)).toBe(true)
    }),
  )
})

test('a link back to any page before, the first one too, ends the walk before a page is asked for twice', async () => {
  await assert(
    asyncProperty(nat(20), nat(20), async (one, other) => {
      const [back, at] = [Math.min(one, other), Math.max(one, other)]
      const addresses: string[] = []
      const { end, asked } = await walk((page) => {
        const own = page === 0 ? '?pageSize=10' : `?from=${page}`
        addresses.push(own)
        return {
          transactions: [{ id: page }],
          _links: { next: { href: page === at ? addresses[back] : `?from=${page + 1}` } },
        }
      })
      expect(end).toBe('loop')
      expect(new Set(asked).size).toBe(asked.length)
      expect(asked).toHaveLength(at + 1)
    }),
  )
})

test('a cursor that comes back ends the walk', async () => {
  await assert(
    asyncProperty(array(integer({ min: 0, max: 5 }), { minLength: 7, maxLength: 7 }), async (cursors) => {
      const { end, pages } = await walk((page) => ({ transactions: [{ id: page }], next: cursors[page] }), {
        paging: CURSORS,
      })
      expect(end).toBe('loop')
      expect(pages.length).toBeLessThanOrEqual(7)
    }),
  )
})

test('pages without an end are walked so far and no further', async () => {
  const { end, pages } = await walk((page) => ({ transactions: [{ id: page }], next: page + 1 }), {
    paging: CURSORS,
    mostPages: 50,
  })
  expect([end, pages.length]).toEqual(['endless', 50])
})

test('empty pages without an end are walked no further, and end the pages where the profile says so', async () => {
  const pageOf = (page: number) => ({
    transactions: page < 3 ? items(page * 10, page * 10 + 10) : [],
    next: page + 1,
  })
  const said = await walk(pageOf, { paging: CURSORS })
  expect([said.end, said.pages.length]).toEqual(['empty-pages', 6])
  const paging = { ...CURSORS, end: 'empty-page' } as const
  const { end, pages } = await walk(pageOf, { paging })
  expect([end, pages.map(({ ids, isLast }) => [ids.length, isLast])]).toEqual([
    'last',
    [
      [10, false],
      [10, false],
      [10, true],
    ],
  ])
})

test('a page that is not answered with transactions ends the walk, and is kept', async () => {
  for (const json of [{ errorCode: 'NO' }, '<html>', '', '[]', { transactions: {} }]) {
    const { end, pages } = await walk((page) =>
      page === 1 ? json : { transactions: items(0, 2), _links: { next: { href: '?from=2' } } },
    )
    expect([end, pages.length, pages[1]?.ids]).toEqual(['refused', 2, []])
  }
})

test('what a page says in no readable way of the next one leaves the walk open', async () => {
  await expect(walk(() => ({ transactions: [] }), { paging: NUMBERS })).rejects.toThrow(Inconclusive)
  await expect(walk(() => ({ transactions: [], next: { a: 1 } }), { paging: CURSORS })).rejects.toThrow(
    /under next/,
  )
  await expect(walk(() => ({ transactions: [], _links: { next: { href: 'http://[' } } }))).rejects.toThrow(
    /not a URL/,
  )
})

test('a page of which only the head was kept leaves the walk open', async () => {
  const page = answer(FIRST, { transactions: [] })
  const cut = { ...page, response: { ...page.response, body: { text: '{', bytes: 2_000_000, sha256: 'x' } } }
  const ask = async () => cut as Exchange
  const binding = { transactions: 'transactions', id: 'id', paging: LINKS }
  await expect(walkAccount({ size: 10, base: BASE, binding, ask })).rejects.toThrow(/only the head was kept/)
})

test('a transaction without an id is known by its content, and the second one with the same content is another', async () => {
  const { pages } = await walk(() => ({ transactions: [{ id: 7 }, { a: 1 }, { a: 2 }, { a: 1 }] }))
  const [named, one, other, again] = pages[0]?.ids ?? []
  expect(named).toBe('7')
  expect(again).toBe(one?.replace(/1$/, '2'))
  expect(new Set([one, other, again]).size).toBe(3)
})

test('a link in a header leads on, whatever else stands there, and a list may be the answer itself', async () => {
  const asked: string[] = []
  const { pages, end } = await walkAccount({
    size: 2,
    base: BASE,
    binding: { transactions: '$', id: 'id', paging: { kind: 'link-header', relation: 'next' } },
    ask: async (position) => {
      const at = asked.length
      const url = position?.kind === 'link' ? position.url : FIRST
      asked.push(url)
      const next = at < 2 ? `, <?from=${at + 1}>; crossorigin; rel="last next"` : ', </2>; rel="nextpage"'
      return answer(url, items(at * 2, Math.min(5, at * 2 + 2)), [
        ['link', '</first>; rel=first'],
        ['Link', `</a?page=1>; rel="prev"; title="a, b; rel=next"${next}`],
      ])
    },
  })
  expect(end).toBe('last')
  expect(pages.flatMap(({ ids }) => ids)).toEqual(['t0', 't1', 't2', 't3', 't4'])
  expect(asked.slice(1)).toEqual([1, 2].map((at) => `${BASE}/v1/accounts/a1/transactions?from=${at}`))
})

/** Paging that has no end is a finding, and no hang. */

test('a page that is answered for the third time ends the walk, an empty numbered one too', async () => {
  const ends = await Promise.all([
    ...[0, 1, 10].map((count) =>
      walk(() => ({ transactions: items(0, count), pageCount: 1000 }), { paging: NUMBERS }),
    ),
    walk((page) => ({ transactions: items(0, 10), next: page + 1 }), { paging: CURSORS }),
    walk((page) => ({ transactions: items(0, 10), _links: { next: { href: `?page=${page}` } } })),
  ])
  for (const { end, pages } of ends) expect([end, pages.length]).toEqual(['loop', 3])
})

test('a page that is answered twice ends no walk, and pages without ids may look alike', async () => {
  const twice = await walk(() => ({ transactions: items(0, 10), pageCount: 2 }), { paging: NUMBERS })
  expect([twice.end, twice.pages.length]).toEqual(['last', 2])
  const alike = await walk(() => ({ transactions: [{}, {}], pageCount: 6 }), { paging: NUMBERS })
  expect([alike.end, alike.pages.length]).toEqual(['last', 6])
})

const behind = (paging: Paging, json: unknown, position?: Position) =>
  nextPosition(answer(FIRST, json), { paging, transactions: 'transactions' }, position)

test('by hand a page is asked for as it would be on a walk', () => {
  expect(behind(NUMBERS, { pageCount: 3 })).toEqual({ kind: 'number', page: 2 })
  expect(behind(NUMBERS, { pageCount: 3 }, { kind: 'number', page: 2 })).toEqual({ kind: 'number', page: 3 })
  expect(behind(NUMBERS, { pageCount: 3 }, { kind: 'number', page: 3 })).toBeUndefined()
  expect(behind(CURSORS, { next: 'c2' })).toEqual({ kind: 'cursor', value: 'c2' })
  const url = `${BASE}/v1/accounts/a1/transactions?page=2`
  expect(behind(LINKS, { _links: { next: { href: '?page=2' } } })).toEqual({ kind: 'link', url })
  expect(behind(LINKS, {})).toBeUndefined()
  const page = { total: 25, transactions: items(0, 10) }
  expect(behind(OFFSETS, page)).toEqual({ kind: 'number', page: 10 })
  expect(behind(OFFSETS, page, { kind: 'number', page: 10 })).toEqual({ kind: 'number', page: 20 })
  expect(behind(OFFSETS, page, { kind: 'number', page: 20 })).toBeUndefined()
})

test('by hand no link to another origin is taken', () => {
  const href = 'https://elsewhere.example/premium/sandbox/transactions?page=2'
  expect(() => behind(LINKS, { _links: { next: { href } } })).toThrow('links to a page of another origin')
})
