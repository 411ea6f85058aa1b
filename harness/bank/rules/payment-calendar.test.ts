import { describe, expect, test } from 'vitest'
import { atHour, bankDay, isBankingDay, isDay, localDateTime } from './payment-calendar.ts'

describe('localDateTime', () => {
  test.each([
    ['2026-01-05T09:00:00.000Z', '2026-01-05T10:00:00.000+01:00'],
    ['2026-03-29T00:59:59.999Z', '2026-03-29T01:59:59.999+01:00'],
    ['2026-03-29T01:00:00.000Z', '2026-03-29T03:00:00.000+02:00'],
    ['2026-10-25T00:59:59.999Z', '2026-10-25T02:59:59.999+02:00'],
    ['2026-10-25T01:00:00.000Z', '2026-10-25T02:00:00.000+01:00'],
  ])('of %s is %s', (instant, text) => {
    expect(localDateTime(new Date(instant))).toBe(text)
    expect(new Date(text)).toEqual(new Date(instant))
  })

  test('accepts the offset of another zone', () => {
    const text = localDateTime(new Date('2026-01-05T09:00:00.000Z'), -19_800_000)
    expect(text).toBe('2026-01-05T03:30:00.000-05:30')
  })
})

test('a day begins at midnight in Bratislava', () => {
  expect(bankDay(new Date('2026-01-05T23:00:00Z'))).toBe('2026-01-06')
  expect(bankDay(new Date('2026-07-05T21:59:59Z'))).toBe('2026-07-05')
  expect(atHour('2026-01-08', 6)).toEqual(new Date('2026-01-08T05:00:00Z'))
  expect(atHour('2026-07-08', 6)).toEqual(new Date('2026-07-08T04:00:00Z'))
})

test.each([
  ['2026-01-05', true],
  ['2026-01-10', false],
  ['2026-01-11', false],
  ['2026-01-01', false],
  ['2026-04-03', false],
  ['2026-04-06', false],
  ['2026-04-07', true],
  ['2026-05-01', false],
  ['2026-12-25', false],
  ['2027-03-26', false],
  ['2024-03-29', false],
  ['2026-08-29', false],
  ['2026-09-01', true],
])('%s is a banking day: %s', (day, is) => {
  expect(isBankingDay(day)).toBe(is)
})

test.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-13-01', false],
])('%s is a day: %s', (day, is) => {
  expect(isDay(day)).toBe(is)
})
