import { expect, test } from 'vitest'
import { scenario } from '../../session/scenario.ts'
import { CLIENT, followed, lasting, polledAfter, observed } from '../../testing/samples/exchange.ts'
import { timeLineOf, traced, traceOf } from './time-line.ts'

const MINUTE = 60_000
const EVEN = [3 * MINUTE, 3 * MINUTE, 3 * MINUTE]

test('a time line counts from the start, and expects each move in the light of the one before', () => {
  const { path, expected } = timeLineOf('client', observed(followed(lasting(CLIENT, EVEN))))
  expect(path).toBe('client')
  expect(expected).toEqual([
    { status: 'LOAN_APPLICATION_IN_PROGRESS', from: 2 * MINUTE, to: 4 * MINUTE },
    { status: 'LOAN_APPLICATION_FINISHED', from: 5 * MINUTE - 3_000, to: 7 * MINUTE },
    { status: 'LOAN_DISBURSED', from: 8 * MINUTE - 3_000, to: 10 * MINUTE },
  ])
})

test('a move that was not seen is expected in the light of the ones before it', () => {
  const { expected } = timeLineOf('client', observed(polledAfter([0], lasting(CLIENT, EVEN))))
  expect(expected.at(-1)).toEqual({ status: 'LOAN_DISBURSED', from: 6 * MINUTE, to: 12 * MINUTE })
})

test('a time line has the two polls between which each status came, and the exchange that showed it first', () => {
  const line = polledAfter([0, 2.5 * MINUTE, 3.5 * MINUTE], lasting(CLIENT, EVEN))
  const { observed: seen, polls } = timeLineOf('client', observed(line))
  expect(seen).toEqual([
    { status: 'NEW', from: 0, to: 0, exchange: 'sample/1' },
    { status: 'LOAN_APPLICATION_IN_PROGRESS', from: 2.5 * MINUTE, to: 3.5 * MINUTE, exchange: 'sample/3' },
  ])
  expect(polls.map(({ at }) => at)).toEqual([0, 2.5 * MINUTE, 3.5 * MINUTE])
})

test('a scenario has the trace that was stated for it, and no other', () => {
  const options = { effect: 'apply', as: 'any' } as const
  const one = scenario('one', options, async () => ({ line: followed(lasting(CLIENT, EVEN)) }))
  const other = scenario('other', options, async () => undefined)
  traced(one, ({ line }) => timeLineOf('client', line))
  expect(traceOf(one)).toBeDefined()
  expect(traceOf(other)).toBeUndefined()
})
