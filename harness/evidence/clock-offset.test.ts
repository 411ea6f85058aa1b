import { expect, test } from 'vitest'
import { sampleExchange } from '../testing/samples/exchange.ts'
import { clockOffsetOf } from './clock-offset.ts'
import type { Exchange } from './exchange.ts'

const AT = Date.UTC(2026, 0, 5, 9)

/** An exchange that was sent so many ms after nine, and answered with a Date header. */
const answered = (sentMs: number, durationMs: number, date: string | undefined): Exchange => {
  const { response, ...rest } = sampleExchange()
  const body = response?.body ?? { text: '', bytes: 0 }
  return {
    ...rest,
    sentAt: new Date(AT + sentMs).toISOString(),
    durationMs,
    response: { status: 200, headers: date === undefined ? [] : [['date', date]], body },
  }
}

test('each answer bounds the offset, and all of them bound it more closely', () => {
  const one = answered(0, 100, 'Mon, 05 Jan 2026 09:00:02 GMT')
  expect(clockOffsetOf([one])).toEqual({ least: 1900, most: 3000 })
  // Sent at 0.7 s, and the clock there still shows the same second: it is no more than 2.3 s ahead.
  const other = answered(700, 50, 'Mon, 05 Jan 2026 09:00:02 GMT')
  expect(clockOffsetOf([one, other])).toEqual({ least: 1900, most: 2300 })
})

test('a clock that is behind has an offset below zero', () => {
  expect(clockOffsetOf([answered(0, 0, 'Mon, 05 Jan 2026 08:59:00 GMT')])).toEqual({
    least: -60_000,
    most: -59_000,
  })
})

test('answers that say nothing, or contradict one another, give no offset', () => {
  expect(clockOffsetOf([])).toBeUndefined()
  expect(clockOffsetOf([answered(0, 10, undefined), answered(0, 10, 'soon')])).toBeUndefined()
  const contradicting = [
    answered(0, 10, 'Mon, 05 Jan 2026 09:00:00 GMT'),
    answered(10, 10, 'Mon, 05 Jan 2026 10:00:00 GMT'),
  ]
  expect(clockOffsetOf(contradicting)).toBeUndefined()
})

test('a call of the target has the time of its arrival, and says nothing', () => {
  const call: Exchange = { ...answered(0, 10, 'Mon, 05 Jan 2026 09:00:00 GMT'), sender: 'target' }
  expect(clockOffsetOf([call])).toBeUndefined()
})
