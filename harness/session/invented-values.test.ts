import { array, check, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inventedIban, ofTheSameFormat } from './invented-values.ts'
import { chance } from './random.ts'

/** The check digits of an IBAN, counted in another way (ISO 13616): as one large number. */
const isWellFormed = (iban: string): boolean => {
  const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (one) => parseInt(one, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

const lookOf = (text: string): string =>
  text.replaceAll(/\d/g, '0').replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'a')

describe('an invented text', () => {
  test('has a digit for a digit and a letter for a letter, and the rest as it was', () => {
    const texts = array(constantFrom('0', '7', 'a', 'f', 'z', 'A', 'F', 'Z', '-', '/', 'č')).map((all) =>
      all.join(''),
    )
    const kept = property(texts, (text) => lookOf(ofTheSameFormat(chance, text)) === lookOf(text))
    expect(check(kept)).toMatchObject({ failed: false })
  })

  test.each(['4f00c216-f8df-42fd-ab5c-89f519eff641', 'bcdfghjklmnpqrstvwxz', 'GHJKLMNPQRSTVWXZGHJK'])(
    'of the format of %s is another one',
    (id) => {
      expect(ofTheSameFormat(chance, id)).not.toBe(id)
    },
  )
})

describe('an invented IBAN', () => {
  test.each([
    'SK2998010000002600001129',
    'CZ6508000000192000145399',
    'GB29NWBK60161331926819',
    'MT84MALT011000012345MTLCAST001S',
  ])('is of the country and the bank of %s, and has the right check digits', (iban) => {
    const invented = inventedIban(chance, iban)
    expect(isWellFormed(iban)).toBe(true)
    expect(isWellFormed(invented)).toBe(true)
    expect(invented).toHaveLength(iban.length)
    expect([invented.slice(0, 2), invented.slice(4, -8)]).toEqual([iban.slice(0, 2), iban.slice(4, -8)])
  })
})
