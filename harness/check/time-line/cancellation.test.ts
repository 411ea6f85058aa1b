import { describe, expect, test } from 'vitest'
import {
  canceledAfter,
  CLIENT,
  lasting,
  polledAfter,
  observed,
  verdictOf,
} from '../../testing/samples/exchange.ts'
import {
  continuesAfterRefusal,
  isCanceled,
  isCanceledOrNotAllowed,
  isUnchangedByRefusal,
  isNotAllowed,
  refusalIn,
  staysCanceled,
} from './cancellation.ts'
import { keepsPath, keepsIntervals } from './path.ts'

const MINUTE = 60_000
const EVEN = [3 * MINUTE, 3 * MINUTE, 3 * MINUTE]

describe('a cancellation', () => {
  const inProgress = 'LOAN_APPLICATION_IN_PROGRESS'
  const at = 4 * MINUTE
  const polls = [
    0,
    2.9 * MINUTE,
    3 * MINUTE,
    at,
    at + 5_000,
    at + 3 * MINUTE,
    at + 5 * MINUTE,
    at + 9 * MINUTE,
    at + 14 * MINUTE,
  ]
  const course = lasting(CLIENT, EVEN)
  const canceled = polledAfter(polls, (ms) => (ms < at ? course(ms) : 'CANCELED'))
  const ongoing = polledAfter(
    [
      0,
      2.9 * MINUTE,
      3 * MINUTE,
      at,
      at + 5_000,
      5.9 * MINUTE,
      6 * MINUTE,
      8.9 * MINUTE,
      9 * MINUTE,
      14 * MINUTE,
    ],
    course,
  )

  const done = canceledAfter(at, { status: inProgress }, canceled)
  const refused = canceledAfter(at, { status: inProgress, code: 'NOT_ALLOWED_OPER', http: 422 }, ongoing)
  const empty = canceledAfter(at, { status: inProgress }, ongoing)
  const sham = canceledAfter(at, { status: inProgress, code: 'NOT_ALLOWED_OPER', http: 422 }, canceled)
  const lost = canceledAfter(at, { status: inProgress, code: 'APP_NOT_FOUND', http: 404 }, ongoing)
  const brokenDown = canceledAfter(at, { status: inProgress, http: 503 }, ongoing)
  const turnedAway = canceledAfter(at, { status: inProgress, code: 'QUOTA_EXCEEDED', http: 429 }, ongoing)

  test('that is accepted leads to CANCELED, for good, and excuses the path', () => {
    for (const judge of [isCanceled, isCanceledOrNotAllowed, staysCanceled, keepsIntervals])
      expect(verdictOf(judge, done)).toBe('pass')
    expect(verdictOf(keepsPath, done)).toBe('pass')
    expect(verdictOf(isNotAllowed, done)).toContain('violation')
    expect(verdictOf(isUnchangedByRefusal, done)).toContain('not reached')
  })

  test('that is refused changes nothing, and the path continues', () => {
    for (const judge of [
      isNotAllowed,
      isCanceledOrNotAllowed,
      isUnchangedByRefusal,
      continuesAfterRefusal,
      keepsIntervals,
    ])
      expect(verdictOf(judge, refused)).toBe('pass')
    expect(verdictOf(isCanceled, refused)).toContain('violation')
    expect(verdictOf(staysCanceled, refused)).toContain('not reached')
  })

  test('that is accepted and does nothing is broken', () => {
    expect(verdictOf(isCanceledOrNotAllowed, empty)).toContain(
      'expected CANCELED; received LOAN_APPLICATION_IN_PROGRESS',
    )
  })

  test('that is refused and cancels is broken', () => {
    expect(verdictOf(isUnchangedByRefusal, sham)).toContain('received CANCELED')
    expect(verdictOf(continuesAfterRefusal, sham)).toContain('not reached')
    expect(verdictOf(isCanceledOrNotAllowed, sham)).toBe('pass')
  })

  test('that is answered with another code is broken', () => {
    expect(verdictOf(isCanceledOrNotAllowed, lost)).toContain('received APP_NOT_FOUND')
    expect(refusalIn(observed(lost))).toBeUndefined()
  })

  test('that is answered with a server error is inconclusive', () => {
    expect(verdictOf(isCanceledOrNotAllowed, brokenDown)).toContain('inconclusive')
    expect(verdictOf(isNotAllowed, brokenDown)).toContain('inconclusive')
  })

  test('that is answered with a page is inconclusive where other DELETEs are answered with JSON', () => {
    const page = canceledAfter(at, { status: inProgress, http: 403, body: '<h1>Forbidden</h1>' }, ongoing)
    const json = canceledAfter(at, { status: inProgress, code: 'NOT_ALLOWED_OPER', http: 409 }, ongoing)
    for (const judge of [isCanceledOrNotAllowed, isNotAllowed]) {
      expect(verdictOf((line) => judge(line, [line, observed(json)]), page)).toContain('inconclusive')
      expect(verdictOf((line) => judge(line, [line]), page)).toContain('violation')
    }
  })

  test('that is answered 429 is inconclusive, with any code', () => {
    expect(verdictOf(isCanceledOrNotAllowed, turnedAway)).toContain('inconclusive')
    expect(verdictOf(isNotAllowed, turnedAway)).toContain('inconclusive')
  })

  test('is refused by its code, even with a status of success', () => {
    const reported = canceledAfter(at, { status: inProgress, code: 'NOT_ALLOWED_OPER', http: 200 }, ongoing)
    expect(refusalIn(observed(reported))).toBe(true)
    expect(refusalIn(observed(canceledAfter(at, { status: inProgress, code: 'OK' }, canceled)))).toBe(false)
  })

  test('after which the path continues is a violation', () => {
    const resumed = polledAfter(polls, (ms) =>
      ms < at ? course(ms) : ms < at + 5 * MINUTE ? 'CANCELED' : 'LOAN_DISBURSED',
    )
    expect(verdictOf(staysCanceled, canceledAfter(at, { status: inProgress }, resumed))).toContain(
      'expected CANCELED, for good',
    )
  })

  test('is accepted by its effect, whatever the answer is', () => {
    const reported = canceledAfter(at, { status: inProgress, code: 'IN_ORDER' }, canceled)
    for (const judge of [isCanceled, isCanceledOrNotAllowed, staysCanceled])
      expect(verdictOf(judge, reported)).toBe('pass')
    const idle = canceledAfter(at, { status: inProgress, code: 'IN_ORDER' }, ongoing)
    expect(verdictOf(isCanceledOrNotAllowed, idle)).toContain('received IN_ORDER')
  })

  test('that came so late that the application may have moved is inconclusive', () => {
    const line = polledAfter([0, 3 * MINUTE, 8 * MINUTE, 9 * MINUTE, 18 * MINUTE], course)
    const late = canceledAfter(
      8 * MINUTE - 1,
      { status: inProgress, code: 'NOT_ALLOWED_OPER', http: 422 },
      line,
    )
    for (const judge of [isCanceled, isUnchangedByRefusal])
      expect(verdictOf(judge, late)).toContain('inconclusive')
  })

  test('that was not made is not judged', () => {
    expect(verdictOf(isCanceled, { ...ongoing, cancelIn: 'EXPIRED' })).toContain('was not seen in EXPIRED')
  })
})
