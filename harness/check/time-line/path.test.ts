import { assert, constantFrom, integer, property, tuple, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CLIENT,
  followed,
  lasting,
  polledAfter,
  sampleExchange,
  verdictOf,
} from '../../testing/samples/exchange.ts'
import { alwaysHasStatus, keepsPath, keepsIntervals, staysInLastStatus } from './path.ts'
import { minutes } from './observed-line.ts'
import { observe } from '../observed/observe.ts'
import { UsedExchanges } from '../observed/exchange.ts'
import type { LoanLine } from '../../evidence/record/loan-time-line.ts'

const MINUTE = 60_000
const permitted = integer({ min: 2 * MINUTE, max: 4 * MINUTE - 1 })
const threePermitted = tuple(permitted, permitted, permitted)
const EVEN = [3 * MINUTE, 3 * MINUTE, 3 * MINUTE]
const anyInstants = uniqueArray(integer({ min: 0, max: 25 * MINUTE }), { minLength: 1, maxLength: 30 }).map(
  (instants) => instants.toSorted((one, other) => one - other),
)

describe('a bank with permitted steps', () => {
  test('passes, however long each of them takes', () => {
    assert(
      property(threePermitted, constantFrom(0, 40, 1_500), (delays, latency) => {
        const line = followed(lasting(CLIENT, delays), CLIENT, latency)
        expect([keepsPath, keepsIntervals, staysInLastStatus].map((judge) => verdictOf(judge, line))).toEqual(
          ['pass', 'pass', 'pass'],
        )
      }),
    )
  })

  test('gets no violation, whenever it was polled', () => {
    assert(
      property(threePermitted, anyInstants, (delays, instants) => {
        const line = polledAfter(instants, lasting(CLIENT, delays))
        for (const judge of [keepsPath, keepsIntervals, staysInLastStatus])
          expect(verdictOf(judge, line)).not.toContain('violation')
      }),
      { numRuns: 500 },
    )
  })
})

describe('a bank with one forbidden step', () => {
  const forbidden = (at: number, delay: number, others: readonly number[]): LoanLine =>
    followed(lasting(CLIENT, others.with(at, delay)))

  test('is caught where the step is shorter or longer than the polls can miss', () => {
    const delays = constantFrom(
      ...[0.2, 0.5, 1, 1.2].map((part) => part * MINUTE),
      ...[4.8, 5, 7, 11].map((part) => part * MINUTE),
    )
    assert(
      property(integer({ min: 0, max: 2 }), delays, threePermitted, (at, delay, others) => {
        const verdicts = [keepsIntervals, keepsPath].map((judge) =>
          verdictOf(judge, forbidden(at, delay, others)),
        )
        expect(verdicts.join()).toContain('violation')
      }),
    )
  })

  test.each([0, 1, 2])(
    'is caught with 1:50 or 4:30 in step %i, where the others take three minutes',
    (at) => {
      expect(verdictOf(keepsIntervals, forbidden(at, 110_000, EVEN))).toContain('violation')
      expect(verdictOf(keepsIntervals, forbidden(at, 270_000, EVEN))).toContain('violation')
    },
  )

  test.each([2 * MINUTE, 4 * MINUTE])('is no violation at the bounds (%i ms)', (delay) => {
    expect(verdictOf(keepsIntervals, followed(lasting(CLIENT, [delay, delay, delay])))).toBe('pass')
  })

  test('keeps its order all the same', () => {
    expect(verdictOf(keepsPath, forbidden(2, 270_000, EVEN))).toBe('pass')
  })

  test('is reported with its status, its time window and when it was seen', () => {
    expect(verdictOf(keepsIntervals, forbidden(1, 270_000, EVEN))).toBe(
      'violation: how long LOAN_APPLICATION_IN_PROGRESS lasted (client): expected 2:00 to 4:00 min; received ' +
        '4:03 to 4:33 min: it moved to LOAN_APPLICATION_FINISHED between 7:03 min and 7:30 min after the start',
    )
  })

  test('is caught over several steps whose moves were seen from afar', () => {
    const line = polledAfter(
      [0, 100_000, 160_000, 210_000, 270_000, 320_000],
      lasting(CLIENT, [105_000, 105_000, 105_000]),
    )
    expect(verdictOf(keepsIntervals, line)).toContain('violation')
  })
})

describe('a path', () => {
  test('that was not polled to its end is inconclusive', () => {
    expect(verdictOf(keepsPath, polledAfter([0, 3 * MINUTE, 4 * MINUTE], lasting(CLIENT, EVEN)))).toContain(
      'inconclusive',
    )
  })

  test('of which steps passed unseen is left open, if there was time for them', () => {
    const line = polledAfter([0, MINUTE, 10 * MINUTE, 16 * MINUTE], lasting(CLIENT, EVEN))
    expect(verdictOf(keepsPath, line)).toContain('inconclusive')
    expect(verdictOf(keepsIntervals, line)).toContain('inconclusive')
  })

  test('of which a step cannot have passed unseen is broken', () => {
    const hasty = lasting(CLIENT, [2.5 * MINUTE, 10_000, 3 * MINUTE])
    expect(verdictOf(keepsPath, polledAfter([0, 2 * MINUTE, 3 * MINUTE, 8 * MINUTE], hasty))).toContain(
      'violation',
    )
  })

  test('of which the steps passed unseen took too long together is late', () => {
    const slow = lasting(CLIENT, [3 * MINUTE, 9 * MINUTE, 3 * MINUTE])
    expect(verdictOf(keepsIntervals, polledAfter([0, MINUTE, 12.5 * MINUTE, 13 * MINUTE], slow))).toContain(
      'violation',
    )
  })
})

describe('the end of a path', () => {
  test('that was not reached is not judged', () => {
    expect(verdictOf(staysInLastStatus, followed(lasting(['NEW'], [])))).toContain('not reached')
  })

  test('that was polled for too short a time is inconclusive', () => {
    const line = polledAfter([0, 9 * MINUTE, 10 * MINUTE], lasting(CLIENT, EVEN))
    expect(verdictOf(staysInLastStatus, line)).toContain('inconclusive')
  })
})

describe('the answers', () => {
  const line = followed(lasting(CLIENT, EVEN))
  const answered = (http: number, body: string, code?: string): LoanLine => {
    const exchange = sampleExchange({ id: 'sample/odd', operation: 'readLoan', status: http, body })
    return {
      ...line,
      polls: [...line.polls, { from: 0, to: 0, exchange, ...(code !== undefined && { code }) }],
    }
  }

  test('of which one is not about the application are inconclusive', () => {
    expect(verdictOf(alwaysHasStatus, answered(503, ''))).toContain('inconclusive')
    expect(verdictOf(alwaysHasStatus, answered(401, '{}'))).toContain('inconclusive')
  })
})

test('a verdict rests on every poll with a status', () => {
  const used = new UsedExchanges()
  const line = observe(followed(lasting(CLIENT, EVEN)), used)
  keepsIntervals(line)
  expect([...used]).toEqual(line.polls.map(({ exchange }) => exchange.id))
})

test('minutes are shown with their seconds', () => {
  expect([0, 59_600, 110_000, -5_000].map(minutes)).toEqual(['0:00', '1:00', '1:50', '-0:05'])
})
