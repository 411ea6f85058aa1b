import { describe, expect, test } from 'vitest'
import { backOffMs, repeatServerError, retryServerError } from './repetitions.ts'
import { sampleExchange, TIMED_OUT } from '../../../testing/samples/exchange.ts'
import type { Exchange } from '../../../evidence/exchange.ts'

const answered = (status: number, ...headers: (readonly [string, string])[]): Exchange =>
  sampleExchange({ operation: 'listTransactions', status, headers, body: '{}' })

const DATE = ['Date', 'Mon, 05 Jan 2026 09:00:00 GMT'] as const

describe('the pause that a target asks for', () => {
  test.for<[string, Exchange, number | undefined]>([
    ['a number of seconds', answered(429, ['Retry-After', '7']), 7_000],
    [
      'a date, by its own clock',
      answered(429, DATE, ['retry-after', 'Mon, 05 Jan 2026 09:00:30 GMT']),
      30_000,
    ],
    ['a date in the past', answered(503, DATE, ['Retry-After', 'Mon, 05 Jan 2026 08:00:00 GMT']), 0],
    ['a 503 with a time', answered(503, ['Retry-After', '1']), 1_000],
    ['a 503 without a time', answered(503), undefined],
    ['a 429 without a time', answered(429), 1_000],
    ['a text that is not a time', answered(503, ['Retry-After', 'soon']), undefined],
    ['a success', answered(200, ['Retry-After', '7']), undefined],
  ])('%s', ([, exchange, expected]) => {
    expect(backOffMs(exchange, 0)).toBe(expected)
  })

  test('each pause without a given time is twice the one before', () => {
    expect([0, 1, 2].map((repeats) => backOffMs(answered(429), repeats))).toEqual([1_000, 2_000, 4_000])
  })
})

const UNANSWERED = sampleExchange({ fault: TIMED_OUT })
const FAILED = answered(500)
const REFUSED = answered(404)
const ACCEPTED = sampleExchange({ operation: 'readLoan', body: '{}' })

/** Sends requests to a target with these answers, one after the other; the last answer is repeated. */
const retried = async (answers: readonly Exchange[], controls: readonly Exchange[]) => {
  const sent: string[] = []
  const from = (name: string, exchanges: readonly Exchange[]) => {
    let at = 0
    return async () => {
      sent.push(name)
      const exchange = exchanges[Math.min(at, exchanges.length - 1)]
      at += 1
      return exchange ?? UNANSWERED
    }
  }
  const answer = await retryServerError({
    ask: from('ask', answers),
    control: from('control', controls),
    pause: async (ms) => void sent.push(`${ms} ms`),
  })
  return { status: answer.response?.status, timesRepeated: answer.timesRepeated, sent: sent.join(', ') }
}

describe('a server error', () => {
  test('each time, while a control is accepted after each, is the answer of the target', async () => {
    expect(await retried([FAILED], [ACCEPTED])).toEqual({
      status: 500,
      timesRepeated: 3,
      sent: 'ask, control, 1000 ms, ask, control, 2000 ms, ask, control',
    })
  })

  test.each<[string, Exchange[], Exchange[], number | undefined, string]>([
    ['an acceptance', [ACCEPTED], [ACCEPTED], 200, 'ask'],
    ['a refusal', [REFUSED], [ACCEPTED], 404, 'ask'],
    ['no answer at all', [UNANSWERED], [ACCEPTED], undefined, 'ask'],
    ['one server error', [FAILED, REFUSED], [ACCEPTED], 404, 'ask, control, 1000 ms, ask'],
    [
      'two server errors',
      [answered(503), FAILED, ACCEPTED],
      [ACCEPTED],
      200,
      'ask, control, 1000 ms, ask, control, 2000 ms, ask',
    ],
    ['an outage', [FAILED], [FAILED], 500, 'ask, control'],
    ['an outage of the network', [FAILED], [UNANSWERED], 500, 'ask, control'],
    ['a control that is refused', [FAILED], [REFUSED], 500, 'ask, control'],
    [
      'an outage that begins in between',
      [FAILED],
      [ACCEPTED, ACCEPTED, FAILED],
      500,
      'ask, control, 1000 ms, ask, control, 2000 ms, ask, control',
    ],
    ['an outage with Retry-After', [answered(503, ['Retry-After', '60'])], [ACCEPTED], 503, 'ask'],
  ])('is not the answer after %s', async (_, answers, controls, status, sent) => {
    expect(await retried(answers, controls)).toEqual({ status, timesRepeated: undefined, sent })
  })

  test('and a page each time are the answer of the target, and a page from a cache is an answer', async () => {
    const html = sampleExchange({ operation: 'listAccounts', body: '<!doctype html><h1>Soon</h1>' })
    expect(await retried([html], [ACCEPTED])).toMatchObject({ status: 200, timesRepeated: 3 })
    expect(await retried([html, REFUSED], [ACCEPTED])).toMatchObject({
      status: 404,
      timesRepeated: undefined,
    })
    const cached = sampleExchange({ operation: 'listAccounts', headers: [['Age', '9']], body: '{}' })
    expect(await retried([cached], [ACCEPTED])).toMatchObject({ sent: 'ask' })
  })

  test('that is known to be the answer is not repeated again', async () => {
    const found = { ...FAILED, timesRepeated: 3 }
    expect(await retried([found], [ACCEPTED])).toEqual({ status: 500, timesRepeated: 3, sent: 'ask' })
  })
})

describe('a server error to a request with an effect', () => {
  test.each<[string, Exchange[], number | undefined, number | undefined, number]>([
    ['each time has the number of times', [FAILED], 500, 3, 3],
    ['and then an acceptance: the request is accepted', [FAILED, ACCEPTED], 200, undefined, 2],
    ['and then a refusal shows nothing: a code may be used up', [FAILED, REFUSED], 500, undefined, 2],
    [
      'that the target calls temporary is not repeated',
      [answered(503, ['Retry-After', '60'])],
      503,
      undefined,
      1,
    ],
    ['did not come: a refusal is not repeated', [REFUSED], 404, undefined, 1],
    ['did not come: no answer is not repeated', [UNANSWERED], undefined, undefined, 1],
  ])('%s', async (_, answers, status, timesSent, sent) => {
    let count = 0
    const answer = await repeatServerError(async () => {
      const exchange = answers[Math.min(count, answers.length - 1)]
      count += 1
      return exchange ?? UNANSWERED
    })
    expect({ status: answer.response?.status, timesSent: answer.timesSent, count }).toEqual({
      status,
      timesSent,
      count: sent,
    })
  })
})
