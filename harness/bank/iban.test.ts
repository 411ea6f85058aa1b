import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ibanAt } from './iban.ts'

describe('ibanAt', () => {
  test('makes the IBANs of the residents', () => {
    expect(ibanAt('9801', 2_600_001_129)).toBe('SK2998010000002600001129')
    expect(ibanAt('9801', 2_600_003_300)).toBe('SK9798010000002600003300')
  })

  test('makes check digits that leave 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_000 }), (from) => {
        const iban = ibanAt('9810', from)
        expect(iban).toMatch(/^SK\d{22}$/)
        expect(BigInt(`${iban.slice(4)}2820${iban.slice(2, 4)}`) % 97n).toBe(1n)
      }),
    )
  })
})
