import { expect, test } from 'vitest'
import { copyOf, isSame, UNREPEATABLE } from './copy.ts'

test('a later change of the original does not change the copy', () => {
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

test('a query is copied with its parameters', () => {
  const query = new URLSearchParams('pageSize=10')
  const copy = copyOf({ query }) as { readonly query: URLSearchParams }
  query.set('pageSize', '11')
  expect(copy.query.toString()).toBe('pageSize=10')
})

test('a frozen value is not copied', () => {
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

const facts = () => ({
  now: new Date('2026-01-05T09:00:00Z'),
  list: [{ n: 1 }, [Number.NaN]],
  codes: new Map([['a', { at: 5 }]]),
  query: new URLSearchParams('pageSize=10'),
  previous: undefined,
})

test('equal values are the same in any order of their members', () => {
  expect(isSame(facts(), facts())).toBe(true)
  expect(isSame(facts(), copyOf(facts()))).toBe(true)
  const { now, ...others } = facts()
  expect(isSame({ ...others, now }, facts())).toBe(true)
})

test.each([
  ['a date', { now: new Date('2026-01-05T09:00:01Z') }],
  ['a date that is none', { now: new Date(Number.NaN) }],
  ['an item', { list: [{ n: 2 }, [Number.NaN]] }],
  ['an item less', { list: [{ n: 1 }] }],
  ['a list that is an object', { list: { 0: { n: 1 }, 1: [Number.NaN] } }],
  ['what a map holds', { codes: new Map([['a', { at: 6 }]]) }],
  ['what a query asks for', { query: new URLSearchParams('pageSize=11') }],
  ['a member that is null', { previous: null }],
  ['a member more', { next: undefined }],
  ['a text that looks like it', { list: '[object Object],NaN' }],
])('%s is a difference', (_, other) => {
  expect(isSame(facts(), { ...facts(), ...other })).toBe(false)
  expect(isSame({ ...facts(), ...other }, facts())).toBe(false)
})

test('a member that is left out differs from one that is undefined', () => {
  expect(isSame({ a: undefined }, { b: undefined })).toBe(false)
  expect(isSame({ a: undefined }, {})).toBe(false)
})

test('a zero below zero, and an object of another kind, are something else', () => {
  expect(isSame(0, -0)).toBe(false)
  expect(isSame({ message: 'a' }, Object.assign(new Error('b'), { message: 'a' }))).toBe(false)
  expect(isSame(Number.NaN, Number.NaN)).toBe(true)
})
