import { expect, test } from 'vitest'
import { copyOf, UNREPEATABLE } from './copy.ts'

test('what is altered later is not altered in the copy', () => {
  const facts = { used: new Set(['a']), codes: new Map([['a', { at: new Date(5) }]]), list: [{ n: 1 }] }
  const copy = copyOf(facts)
  facts.used.add('b')
  facts.codes.get('a')?.at.setTime(9)
  facts.list[0] = { n: 2 }
  expect(copy).toEqual({
    used: new Set(['a']),
    codes: new Map([['a', { at: new Date(5) }]]),
    list: [{ n: 1 }],
  })
})

test('a query is copied with what stands in it', () => {
  const query = new URLSearchParams('pageSize=10')
  const copy = copyOf({ query }) as { readonly query: URLSearchParams }
  query.set('pageSize', '11')
  expect(copy.query.toString()).toBe('pageSize=10')
})

test('what is frozen is taken as it is', () => {
  const history = Object.freeze([Object.freeze({ transactionId: 'a' })])
  expect((copyOf({ history }) as { readonly history: unknown }).history).toBe(history)
})

test.each([
  ['a function', () => 1],
  ['a request', new Request('https://bank.example')],
  ['a symbol', Symbol('s')],
])('%s cannot be copied, nor anything that has it', (_, value) => {
  expect(copyOf(value)).toBe(UNREPEATABLE)
  expect(copyOf({ deep: [value] })).toBe(UNREPEATABLE)
})
