import { array, assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextPoll, pollsForEndOfStatus } from './poll-times.ts'
import { lastingOf, staysOf, type LoanLine, type StatusPoll } from '../../evidence/record/loan-time-line.ts'

const TIMING = { intervalMs: 180_000, toleranceMs: 60_000 }
const PATH = ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED', 'LOAN_DISBURSED']
const { least, most } = lastingOf(TIMING)

const exchange = {} as StatusPoll['exchange']

const begun = (path: readonly string[] = PATH): LoanLine => ({
  name: 'client',
  id: '1',
  path,
  timing: TIMING,
  polls: [],
  start: { from: 1_000, to: 1_000 },
})

/** A bank whose statuses last as long as that; each answer takes `latency`, half of it on the way there. */
const followed = (path: readonly string[], delays: readonly number[], latency = 0): LoanLine => {
  let line = begun(path)
  for (let at = nextPoll(line), now = 0; at !== undefined; at = nextPoll(line)) {
    const from = Math.max(at, now)
    now = from + latency
    let left = from + Math.floor(latency / 2) - line.start.from
    const moved = delays.findIndex((delay) => (left -= delay) < 0)
    const status = path[moved < 0 ? delays.length : moved] ?? ''
    line = { ...line, polls: [...line.polls, { from, to: now, status, exchange }] }
  }
  return line
}

describe('the polls for one move', () => {
  const polls = pollsForEndOfStatus({ from: 0, to: 0 }, TIMING)

  test('frame the earliest, the expected and the latest lawful instant', () => {
    expect(polls).toEqual(
      expect.arrayContaining([117_000, 120_000, 177_000, 180_000, 183_000, 240_000, 243_000]),
    )
  })

  test('begin no sooner than a move is nearly lawful', () => {
    expect(polls[0]).toBe(117_000)
  })

  test('leave no more than twenty seconds between two in which a move is lawful', () => {
    const within = polls.filter((instant) => instant >= least && instant <= most)
    const gaps = within.slice(1).map((instant, at) => instant - (within[at] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(20_000)
  })

  test('continue for a while after the latest lawful instant, and end', () => {
    expect(polls.at(-1)).toBe(3 * most)
    expect(polls.filter((instant) => instant > most)).toHaveLength(5)
  })

  test('are once only where two instants are nearly the same', () => {
    expect(pollsForEndOfStatus({ from: 0, to: 40 }, TIMING)).toHaveLength(polls.length)
  })
})

const lawful = integer({ min: least, max: most - 1 })
const latencies = constantFrom(0, 40, 2_000)

describe('an application that is followed', () => {
  test('is seen in every status of its path, whatever lawful time each of them lasts', () => {
    assert(
      property(array(lawful, { minLength: 3, maxLength: 3 }), latencies, (delays, latency) => {
        const line = followed(PATH, delays, latency)
        expect(staysOf(line).map(({ status }) => status)).toEqual(PATH)
      }),
    )
  })

  test('is polled at most a dozen times a step', () => {
    assert(
      property(array(lawful, { minLength: 3, maxLength: 3 }), latencies, (delays, latency) => {
        const { polls } = followed(PATH, delays, latency)
        expect(polls.length).toBeLessThanOrEqual(12 * 3 + 4)
      }),
    )
  })

  test('is polled seven times a step where it moves as expected', () => {
    expect(followed(PATH, [180_000, 180_000, 180_000], 40).polls.length).toBeLessThanOrEqual(7 * 3 + 4)
  })

  test('is followed beyond its end for twice the longest interval', () => {
    const { polls } = followed(PATH, [180_000, 180_000, 180_000])
    expect(polls.at(-1)?.to).toBeGreaterThanOrEqual(1_000 + 540_000 + 2 * most)
  })

  test('is given up some time after it has stopped', () => {
    const { polls } = followed(PATH, [180_000, 10 * 60 * 60_000])
    expect(polls.at(-1)?.from).toBeLessThanOrEqual(1_000 + 180_000 + 3 * most + 5_000)
    expect(polls.at(-1)?.status).toBe('LOAN_APPLICATION_IN_PROGRESS')
  })

  test('is polled once where several instants were missed', () => {
    const line = { ...begun(), polls: [{ from: 1_000, to: 1_000, status: 'NEW', exchange }] }
    const late = 1_000 + 200_000
    const next = nextPoll({
      ...line,
      polls: [...line.polls, { from: late, to: late, status: 'NEW', exchange }],
    })
    expect(next).toBeGreaterThan(late)
  })

  test('that must not move is polled for twice the longest interval', () => {
    const { polls } = followed(['NEW'], [])
    expect(polls.at(-1)?.from).toBeGreaterThanOrEqual(1_000 + 2 * most)
  })
})

describe('an application that was canceled', () => {
  const canceled = (status: string): LoanLine => ({
    ...begun(),
    polls: [{ from: 1_000, to: 1_000, status: 'NEW', exchange }],
    cancellation: { from: 1_000, to: 1_000, status: 'NEW', exchange },
    ...(status === 'CANCELED' && {
      polls: [
        { from: 1_000, to: 1_000, status: 'NEW', exchange },
        { from: 4_000, to: 4_000, status, exchange },
      ],
    }),
  })

  test('is polled again soon', () => {
    expect(nextPoll(canceled('NEW'))).toBe(4_000)
  })

  test('is polled in its last status, and not for the rest of its path', () => {
    expect(nextPoll(canceled('CANCELED'))).toBe(4_000 + least + 3_000)
  })
})
