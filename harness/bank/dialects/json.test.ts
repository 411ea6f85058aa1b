import { describe, expect, test } from 'vitest'
import { decimalText, fromZero, hundredths, words } from './conversions.ts'
import { fromDialect, toDialect, type Addresses, type FieldMap } from './json.ts'

const address = new URL('http://bank.example/')
const addresses: Addresses = { here: address, there: address }

const LIST: FieldMap = {
  accounts: {
    at: '$',
    words: { 'reference.iban': 'number', balance: { at: 'sum', as: hundredths } },
  },
}

const RECORD: FieldMap = { error: 'errors.0.code', description: 'errors.0.title', 'page.next': 'links.next' }

const ORDER: FieldMap = {
  'amount.value': { at: 'data.sum', as: decimalText },
  'amount.currency': 'data.currency',
  items: { at: 'data.items', words: { name: 'title' } },
}

describe('both directions', () => {
  test.each([
    [
      'a list as a whole, and amounts in hundredths',
      LIST,
      { accounts: [{ reference: { iban: 'SK1' }, balance: 12.34, name: 'A' }] },
      [{ number: 'SK1', sum: 1234, name: 'A' }],
    ],
    ['an empty list', LIST, { accounts: [] }, []],
    ['an object that is empty without its member', RECORD, { page: { next: 2 } }, { links: { next: 2 } }],
    [
      'an amount as a text, within an object that has others',
      ORDER,
      { amount: { value: 0.5, currency: 'EUR' }, items: [{ name: 'A' }], more: true },
      { data: { sum: '0.50', currency: 'EUR', items: [{ title: 'A' }] }, more: true },
    ],
  ])('%s', (_, fieldMap, own, other) => {
    expect(toDialect(own, fieldMap, addresses)).toEqual(other)
    expect(fromDialect(other, fieldMap)).toEqual(own)
  })
})

test('items under names of their own, instead of a list', () => {
  const own = { accounts: { asOf: '2026', first: { balance: 12.34 }, second: { balance: 5 } } }
  const fieldMap: FieldMap = {
    accounts: { at: 'accounts', words: { balance: { at: 'sum', as: hundredths } } },
  }
  expect(toDialect(own, fieldMap, addresses)).toEqual({
    accounts: { asOf: '2026', first: { sum: 1234 }, second: { sum: 500 } },
  })
})

test('members of the first item of a list', () => {
  const own = { error: 'X', description: 'why' }
  expect(toDialect(own, RECORD, addresses)).toEqual({ errors: [{ code: 'X', title: 'why' }] })
})

describe('a value of an unexpected form is not changed', () => {
  test.each([null, 'text', 7, [], [1]])('%j is not an object', (value) => {
    expect(toDialect(value, RECORD, addresses)).toEqual(value)
    expect(fromDialect(value, RECORD)).toEqual(value)
  })

  test('an object instead of a list', () => {
    expect(toDialect({ accounts: null }, LIST, addresses)).toEqual(null)
    expect(fromDialect({ other: 1 }, LIST)).toEqual({ other: 1 })
  })

  test('a malformed amount, or a number instead of a text', () => {
    expect(fromDialect({ data: { sum: 'one' } }, ORDER)).toEqual({ amount: { value: 'one' } })
    expect(fromDialect({ data: { sum: 5 } }, ORDER)).toEqual({ amount: { value: '5' } })
    expect(fromDialect({ data: { sum: { of: 1 } } }, ORDER)).toEqual({ amount: { value: { of: 1 } } })
  })
})

test('all values of the dialect are accepted, and the value of the bank is not', () => {
  const scope = words({ PISP: ['pay', 'pay:once'] })
  expect([scope.toDialect('PISP', addresses), scope.toDialect('AISP', addresses)]).toEqual(['pay', 'AISP'])
  expect(['pay', 'pay:once', 'AISP'].map(scope.fromDialect)).toEqual(['PISP', 'PISP', 'AISP'])
  expect(scope.fromDialect('PISP')).not.toBe('PISP')
})

test('pages are counted from 0', () => {
  expect([fromZero.toDialect(1, addresses), fromZero.fromDialect(0), fromZero.fromDialect('0')]).toEqual([
    0,
    1,
    '0',
  ])
})
