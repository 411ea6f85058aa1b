import { describe, expect, test } from 'vitest'
import { OPERATIONS, type Exchange } from '../../evidence/exchange.ts'
import { NotReached } from '../../evidence/signals.ts'
import { BUDGETED } from '../../profile/schema/connection.ts'
import { backOffMs, createBudget, retryServerErrorOnce } from './budget.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'

test('every operation can be budgeted', () => {
  expect([...BUDGETED].sort()).toEqual(Object.keys(OPERATIONS).sort())
})

test('so many requests and no more, whatever they are', () => {
  const budget = createBudget({ requests: 2, perOperation: {} })
  budget.spend('token')
  budget.spend('readAccount')
  expect(() => budget.spend('token')).toThrow(NotReached)
  expect(() => budget.spend('token')).toThrow('the budget of 2 requests is used up (--budget')
})

test('of one operation fewer, which leaves the others alone', () => {
  const budget = createBudget({ perOperation: { token: 1 } })
  budget.spend('token')
  expect(() => budget.spend('token')).toThrow('1 requests of the operation token is used up')
  for (let count = 0; count < 50; count += 1) budget.spend('readAccount')
})

test('what was sent before counts', () => {
  const spent = new Map([
    ['probe', 1],
    ['token', 2],
  ])
  expect(() => createBudget({ requests: 3, perOperation: {} }, spent).spend('readLoan')).toThrow(NotReached)
  expect(() => createBudget({ perOperation: { token: 2 } }, spent).spend('token')).toThrow(NotReached)
  createBudget({ requests: 4, perOperation: { token: 3 } }, spent).spend('token')
})

const answered = (status: number, ...headers: (readonly [string, string])[]): Exchange => {
  const exchange = sampleExchange()
  if (exchange.response === undefined) throw new Error('the sample was answered')
  return { ...exchange, response: { ...exchange.response, status, headers } }
}

const DATE = ['Date', 'Mon, 05 Jan 2026 09:00:00 GMT'] as const

describe('how long a target wants to be left alone', () => {
  test.for<[string, Exchange, number | undefined]>([
    ['a number of seconds', answered(429, ['Retry-After', '7']), 7_000],
    [
      'a date, by its own clock',
      answered(429, DATE, ['retry-after', 'Mon, 05 Jan 2026 09:00:30 GMT']),
      30_000,
    ],
    ['a date that is over', answered(503, DATE, ['Retry-After', 'Mon, 05 Jan 2026 08:00:00 GMT']), 0],
    ['a 503 that names a time', answered(503, ['Retry-After', '1']), 1_000],
    ['a 503 that names none', answered(503), undefined],
    ['a 429 that names none', answered(429), 1_000],
    ['words that are no time', answered(503, ['Retry-After', 'soon']), undefined],
    ['a success', answered(200, ['Retry-After', '7']), undefined],
  ])('%s', ([, exchange, expected]) => {
    expect(backOffMs(exchange, 0)).toBe(expected)
  })

  test('each pause that is not named is twice the one before', () => {
    expect([0, 1, 2].map((repeats) => backOffMs(answered(429), repeats))).toEqual([1_000, 2_000, 4_000])
  })
})

const unanswered: Exchange = {
  ...{ kind: 'exchange', id: 'sample/1', sender: 'scenario', operation: 'listTransactions', effect: 'read' },
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: [] },
  ...{ sentAt: '2026-01-05T10:00:00.000Z', durationMs: 1 },
}

const answeredWith = (status: number): Exchange => ({
  ...unanswered,
  response: { status, headers: [], body: { text: '', bytes: 0 } },
})

test.each([
  ['an answer', [answeredWith(200)]],
  ['a refusal', [answeredWith(400)]],
  ['a breakdown, and an answer', [answeredWith(502), answeredWith(200)]],
  ['two breakdowns', [answeredWith(502), answeredWith(500)]],
  ['no answer at all', [unanswered]],
])('gives the last of what came, which was %s', async (_, exchanges) => {
  const left = [...exchanges, answeredWith(418)]
  expect(await retryServerErrorOnce(async () => left.shift() ?? answeredWith(418))).toBe(exchanges.at(-1))
  expect(left).toHaveLength(1)
})
