import { describe, expect, test } from 'vitest'
import { NotReached } from '../../evidence/signals.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { fill, merge, withOtherAmounts } from '../../profile/template.ts'
import { isWorkingDay, untilOpen, untilOpenBeforeWorkingDay, untilTime, workingDayAfter } from './payments.ts'
import { heldToken } from './client-token.ts'

describe('the body of an order', () => {
  test('a placeholder alone takes its value as it is, inside a text it becomes text', () => {
    expect(fill({ value: '{amount}', text: 'EUR {amount}' }, { amount: 0.01 })).toEqual({
      value: 0.01,
      text: 'EUR 0.01',
    })
  })

  test('an amount is there as a number, as a text and in hundredths; what is none, as it is', () => {
    expect(withOtherAmounts({ amount: 0.29 })).toEqual({
      amount: 0.29,
      amountText: '0.29',
      amountMinor: 29,
      amountMinorText: '29',
    })
    expect(withOtherAmounts({ amount: 'one' })).toEqual({
      amount: 'one',
      amountText: 'one',
      amountMinor: 'one',
      amountMinorText: 'one',
    })
  })

  test('what stands for nothing is left out of the JSON', () => {
    expect(JSON.stringify(fill({ value: '{amount}', other: 1 }, { amount: undefined }))).toBe('{"other":1}')
  })

  test('lists are filled item by item, and unknown placeholders stay', () => {
    expect(fill([{ iban: '{creditorIban}' }, '{nobody}', 7, null], { creditorIban: 'SK1' })).toEqual([
      { iban: 'SK1' },
      '{nobody}',
      7,
      null,
    ])
  })

  test('a patch merges objects, replaces lists and removes what is null (RFC 7396)', () => {
    const target = { a: { b: 1, c: 2 }, d: [1, 2], e: 'f' }
    expect(merge(target, { a: { c: null }, d: [3], g: { h: 4 } })).toEqual({
      a: { b: 1 },
      d: [3],
      e: 'f',
      g: { h: 4 },
    })
    expect(target.a.c).toBe(2)
  })
})

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
    expect(isWorkingDay(new Date(`${day}T12:00:00Z`))).toBe(expected)
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

describe('the token of an application', () => {
  const now = new Date('2026-01-05T09:00:00Z')
  const held = (body: unknown) =>
    heldToken(sampleExchange({ operation: 'token', body: JSON.stringify(body) }), now)

  test('is used for most of its life', () => {
    expect(held({ access_token: 'a', expires_in: 3600 }).until).toEqual(new Date('2026-01-05T09:48:00Z'))
  })

  test('is used for some minutes if the answer has no expires_in', () => {
    expect(held({ access_token: 'a' }).until).toEqual(new Date('2026-01-05T09:04:00Z'))
    expect(held({ access_token: 'a', expires_in: 0 }).until).toEqual(new Date('2026-01-05T09:04:00Z'))
  })

  test('is needed', () => {
    expect(() => held({ error: 'invalid_client' })).toThrow(NotReached)
  })
})
