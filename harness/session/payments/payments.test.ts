import { describe, expect, test } from 'vitest'
import { NotReached } from '../../evidence/signals.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { fill, merge, withOtherAmounts } from '../../profile/template.ts'
import { heldToken } from '../client-token.ts'

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

  test('lists are filled item by item, and unknown placeholders stay', () => {
    expect(fill([{ iban: '{creditorIban}' }, '{unknown}', 7, null], { creditorIban: 'SK1' })).toEqual([
      { iban: 'SK1' },
      '{unknown}',
      7,
      null,
    ])
  })

  test('a patch with places changes items of a list, and leaves the others', () => {
    const target = { lines: [{ iban: 'A', amount: 1 }, { iban: 'B' }] }
    expect(merge(target, { lines: { 0: { iban: 'C' } } })).toEqual({
      lines: [{ iban: 'C', amount: 1 }, { iban: 'B' }],
    })
    expect(merge(target, { lines: { 1: null } })).toEqual({ lines: [{ iban: 'A', amount: 1 }] })
    expect(merge(target, { lines: { iban: 'C' } })).toEqual({ lines: { iban: 'C' } })
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
