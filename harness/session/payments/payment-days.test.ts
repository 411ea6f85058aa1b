import { describe, expect, test } from 'vitest'
import { untilOpen, untilOpenBeforeWorkingDay, untilTime, workingDayAfter } from './payment-days.ts'

const HOURS = { from: '06:00', to: '16:00' }
const HOUR_MS = 60 * 60_000

describe('the days and hours of payments', () => {
  test.each([
    ['2026-01-05', true],
    ['2026-01-03', false],
    ['2026-01-01', false],
    ['2026-12-25', false],
    ['2026-04-03', false],
    ['2026-04-05', false],
    ['2026-04-06', false],
    ['2026-04-07', true],
    ['2038-04-26', false],
    ['2038-04-23', false],
  ])('%s is a working day: %s', (day, expected) => {
    expect(workingDayAfter(new Date(`${day}T12:00:00Z`), 0) === day).toBe(expected)
  })

  test('a day in the future is a working day', () => {
    expect(workingDayAfter(new Date('2026-01-05T09:00:00Z'), 3)).toBe('2026-01-08')
    expect(workingDayAfter(new Date('2026-04-01T23:59:00Z'), 2)).toBe('2026-04-07')
  })

  test('the next time of day may be that of tomorrow', () => {
    expect(untilTime(new Date('2026-01-05T09:00:00Z'), '21:00')).toBe(12 * HOUR_MS)
    expect(untilTime(new Date('2026-01-05T21:00:00Z'), '21:00')).toBe(24 * HOUR_MS)
  })

  test.each([
    ['2026-01-05T06:00:00Z', 0],
    ['2026-01-05T15:59:59Z', 0],
    ['2026-01-05T05:00:00Z', 1],
    ['2026-01-05T16:00:00Z', 14],
    ['2026-01-02T20:00:00Z', 58],
    ['2026-04-03T10:00:00Z', 92],
  ])('at %s payments are taken in %s hours', (now, hours) => {
    expect(untilOpen(new Date(now), HOURS)).toBe(hours * HOUR_MS)
  })
})

test.each([
  ['2026-01-05T05:00:00Z', '2026-01-05T06:00:00Z'],
  ['2026-01-05T06:00:00Z', '2026-01-06T06:00:00Z'],
  // Friday, so that Saturday follows; before Easter, so that Good Friday does.
  ['2026-01-09T05:00:00Z', '2026-01-12T06:00:00Z'],
  ['2026-04-02T05:00:00Z', '2026-04-07T06:00:00Z'],
])('after %s the next working day before a working day opens at %s', (now, opening) => {
  const ms = untilOpenBeforeWorkingDay(new Date(now), HOURS)
  expect(new Date(Date.parse(now) + ms)).toEqual(new Date(opening))
})

describe('in the time zone of the bank', () => {
  const BRATISLAVA = 'Europe/Bratislava'
  const NIGHT = { from: '07:00', to: '03:00' }

  test('the day is the local one', () => {
    const lateOnFriday = new Date('2026-01-09T23:30:00Z')
    expect(workingDayAfter(lateOnFriday, 0)).toBe('2026-01-09')
    expect(workingDayAfter(lateOnFriday, 0, BRATISLAVA)).toBe('2026-01-12')
    expect(workingDayAfter(new Date('2026-01-05T23:30:00Z'), 1, BRATISLAVA)).toBe('2026-01-07')
  })

  test.each([
    ['winter', '2026-01-05T12:00:00Z', 8],
    ['summer', '2026-07-06T12:00:00Z', 7],
    ['the night in which summer time begins', '2026-03-28T20:30:00Z', 22.5],
  ])('the time of day is the local one: %s', (_, now, hours) => {
    expect(untilTime(new Date(now), '21:00', BRATISLAVA)).toBe(hours * HOUR_MS)
  })

  test.each([
    // By winter time 03:00 is 02:00 UTC, by summer time 01:00 UTC.
    ['2026-01-06T01:59:59Z', 0],
    ['2026-01-06T02:00:00Z', 4],
    ['2026-07-07T00:59:59Z', 0],
    ['2026-07-07T01:00:00Z', 4],
    // The hours of Friday last until Saturday, 03:00; the next ones begin on Monday.
    ['2026-01-10T01:00:00Z', 0],
    ['2026-01-10T02:00:00Z', 52],
  ])('hours over midnight: at %s payments are taken in %s hours', (now, hours) => {
    expect(untilOpen(new Date(now), NIGHT, BRATISLAVA)).toBe(hours * HOUR_MS)
  })
})
