import { load } from 'cheerio/slim'
import { describe, expect, test } from 'vitest'
import { renderTimeLine, titleOf } from './time-line.ts'
import type { TimeLine } from '../../check/time-line/time-line.ts'

const MINUTE_MS = 60_000

const LINE: TimeLine = {
  path: 'expired',
  expected: [
    { status: 'LOAN_APPLICATION_IN_PROGRESS', from: 2 * MINUTE_MS, to: 4 * MINUTE_MS },
    { status: 'EXPIRED', from: 5 * MINUTE_MS, to: 7 * MINUTE_MS },
  ],
  observed: [
    { status: 'NEW', from: 0, to: 0 },
    { status: 'LOAN_APPLICATION_IN_PROGRESS', from: 177_000, to: 180_000, exchange: 'loans/a/4' },
    { status: 'EXPIRED', from: 357_000, to: 360_000, exchange: 'loans/a/9' },
  ],
  polls: [{ at: 0, status: 'NEW' }, { at: 90_000 }, { at: 14 * MINUTE_MS, status: 'EXPIRED' }],
}

const late: TimeLine = {
  ...LINE,
  observed: [...LINE.observed.slice(0, 2), { status: 'CANCELED & <gone>', from: 500_000, to: 520_000 }],
}

const drawn = (line: TimeLine) => {
  const $ = load(renderTimeLine(line), { xml: true })
  const words = $('text')
    .toArray()
    .map((element) => $(element).text())
  return { $, words }
}

describe('a time line as a drawing', () => {
  const { $ } = drawn(LINE)

  test('has a band where a status is expected, and a mark where it came', () => {
    const reported = $('rect title')
      .toArray()
      .map((element) => $(element).text())
    expect(reported).toEqual([
      'LOAN_APPLICATION_IN_PROGRESS is expected 2:00–4:00 min',
      'EXPIRED is expected 5:00–7:00 min',
      'NEW 0:00 min',
      'LOAN_APPLICATION_IN_PROGRESS 2:57–3:00 min, loans/a/4',
      'EXPIRED 5:57–6:00 min, loans/a/9',
    ])
  })
})

describe('a time line that breaks its path', () => {
  const { $, words } = drawn(late)

  test('has a lane for what is not on the path, and marks it', () => {
    expect(words).toEqual(expect.arrayContaining(['CANCELED & <gone>', '✗ 8:20–8:40']))
    expect($('rect[fill="var(--bad)"]')).toHaveLength(1)
  })

  test('says so in its title', () => {
    expect(titleOf(late)).toBe('Loan path expired: CANCELED & <gone> after 8:40 min, not as expected')
    expect(titleOf({ ...LINE, observed: LINE.observed.slice(0, 2) })).toContain('not as expected')
    expect(titleOf({ ...LINE, observed: [] })).toBe(
      'Loan path expired: no status was observed, not as expected',
    )
  })
})
