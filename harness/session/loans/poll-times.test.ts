import { array, assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canceledAfter, CLIENT, followed, lasting, polledAfter } from '../../testing/samples/exchange.ts'
import { nextPoll } from './poll-times.ts'
import { lastingOf, staysOf, type LoanLine } from '../../evidence/record/loan-time-line.ts'

const { least, most } = lastingOf({ intervalMs: 180_000, toleranceMs: 60_000 })

const follow = (delays: readonly number[], latency = 0, path: readonly string[] = CLIENT): LoanLine =>
  followed(lasting(path, delays), path, latency)

/** In ms since the start. */
const lastPollOf = ({ polls, start }: LoanLine): number => (polls.at(-1)?.from ?? 0) - start.from

const permitted = array(integer({ min: least, max: most - 1 }), { minLength: 3, maxLength: 3 })
const latencies = constantFrom(0, 40, 2_000)

describe('an application that is followed', () => {
  test('is seen in every status of its path, whatever permitted time each of them lasts, with few polls', () => {
    assert(
      property(permitted, latencies, (delays, latency) => {
        const line = follow(delays, latency)
        expect(staysOf(line).map(({ status }) => status)).toEqual(CLIENT)
        expect(line.polls.length).toBeLessThanOrEqual(12 * 3 + 4)
      }),
    )
  })

  test('is polled seven times a step where it moves as expected', () => {
    expect(follow([180_000, 180_000, 180_000], 40).polls.length).toBeLessThanOrEqual(7 * 3 + 4)
  })

  test('is followed beyond its end for twice the longest interval', () => {
    expect(lastPollOf(follow([180_000, 180_000, 180_000]))).toBeGreaterThanOrEqual(540_000 + 2 * most)
  })

  test('is given up some time after it has stopped', () => {
    const line = follow([180_000, 10 * 60 * 60_000])
    expect(lastPollOf(line)).toBeLessThanOrEqual(180_000 + 3 * most + 5_000)
    expect(line.polls.at(-1)?.status).toBe('LOAN_APPLICATION_IN_PROGRESS')
  })

  test('that must not move is polled for twice the longest interval', () => {
    expect(lastPollOf(follow([], 0, ['NEW']))).toBeGreaterThanOrEqual(2 * most)
  })
})

describe('an application that was canceled', () => {
  const nextAfter = (instants: readonly number[]): number => {
    const line = polledAfter(instants, (ms) => (ms === 0 ? 'NEW' : 'CANCELED'))
    return (nextPoll(canceledAfter(0, { status: 'NEW' }, line)) ?? 0) - line.start.from
  }

  test('is polled again soon', () => {
    expect(nextAfter([0])).toBe(3_000)
  })

  test('is polled in its last status, and not for the rest of its path', () => {
    expect(nextAfter([0, 3_000])).toBe(3_000 + least + 3_000)
  })
})
