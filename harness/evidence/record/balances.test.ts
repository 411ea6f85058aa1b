import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountOf, areMovedBy, balancePaths, keepDirection, movesBy, newBalances } from './balances.ts'

const BINDING = { balances: 'balances', amount: 'value' }

test.each([
  ['in a list', [{ value: 1 }, { value: 2 }], ['balances.0', 'balances.1']],
  [
    'under names of their own',
    { booked: { value: 1 }, free: { value: 2 } },
    ['balances.booked', 'balances.free'],
  ],
  ['alone', { value: 1 }, ['balances']],
  ['not at all', 'none', []],
])('balances stand %s', (_, value, paths) => {
  expect(balancePaths(value, BINDING)).toEqual(paths)
})

test.each([
  [12.5, 12.5],
  ['12.50', 12.5],
  ['-12,50', -12.5],
  ['12.50 EUR', 12.5],
  ['€ 12.50', 12.5],
  ['2 145,30', 2145.3],
  ['2\u00a0145,30\u00a0€', 2145.3],
  ["CHF 2'145.30", 2145.3],
  ['-2,145.30', -2145.3],
  ['1.002.145', 1_002_145],
  ['2.145,30', 2145.3],
  ['2.145', 2.145],
  ['2,145', 2.145],
  ['2.14530E+3', 2145.3],
  ['', Number.NaN],
  ['EUR', Number.NaN],
  ['12.50 or so', Number.NaN],
  [null, Number.NaN],
])('the amount of %j is %d', (value, amount) => {
  expect(amountOf(value)).toBe(amount)
})

describe('two looks at the same balances', () => {
  const hundredths = fc.integer({ min: -1_000_000, max: 1_000_000 })
  const booking = fc.integer({ min: 1, max: 100_000 })
  const whole = (amounts: readonly number[]) => amounts.map((amount) => amount / 100)

  test('have nothing new if they differ in their order alone', () => {
    fc.assert(
      fc.property(fc.array(hundredths), (amounts) => {
        const balances = { before: whole(amounts), after: whole(amounts.toReversed()) }
        expect(newBalances(balances)).toEqual([])
        expect(areMovedBy(1, balances, [1, 100])).toBe(false)
      }),
    )
  })

  test('have moved by what was booked, on any of them, in any order, as a debit or as a credit', () => {
    const sign = fc.constantFrom(1, -1)
    fc.assert(
      fc.property(fc.array(hundredths), hundredths, booking, sign, (others, one, amount, way) => {
        const balances = { before: whole([one, ...others]), after: whole([...others, one + way * amount]) }
        expect(areMovedBy(amount / 100, balances, [1, 100])).toBe(true)
      }),
    )
  })

  test('have moved where one comes to stand where the other one stood', () => {
    expect(areMovedBy(17.31, { before: [100, 117.31], after: [117.31, 117.31] }, [1])).toBe(true)
  })

  test('have not moved by another amount', () => {
    expect(areMovedBy(17.31, { before: [100, 50], after: [117.3, 50] }, [1, 100])).toBe(false)
  })

  /** Whether a balance that begins with `start` keeps its direction, as it is shown after a credit and then after a debit. */
  const keepsItIn = (shown: readonly number[], credit: number, debit: number): boolean => {
    const [start = 0, middle = 0, end = 0] = whole(shown)
    const first = movesBy(credit / 100, { before: [start], after: [middle] }, [1])
    return keepDirection(first, movesBy(-debit / 100, { before: [middle], after: [end] }, [1]))
  }

  test('keep their direction, whether a debt has a sign, has none, or has the sign of an asset', () => {
    const views = [(amount: number) => amount, Math.abs, (amount: number) => -amount]
    fc.assert(
      fc.property(hundredths, booking, booking, fc.constantFrom(...views), (start, credit, debit, view) => {
        const shown = [start, start + credit, start + credit - debit].map(view)
        expect(keepsItIn(shown, credit, debit)).toBe(true)
      }),
    )
  })

  test('do not keep it if a debit raises what a credit raises, or a credit lowers what a debit lowers', () => {
    expect(keepsItIn([10_000, 11_731, 13_254], 1_731, 1_523)).toBe(false)
    expect(keepsItIn([10_000, 8_269, 6_746], 1_731, 1_523)).toBe(false)
    expect(keepsItIn([10_000, 11_731, 20_000], 1_731, 1_523)).toBe(true)
  })
})
