import { array, check, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inventedIban, ofTheSameFormat } from './invented-values.ts'
import { tampered, TAMPERINGS } from './unknown-tokens.ts'
import { challengeOf, createVerifier } from './pkce.ts'
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

  test('of hexadecimal digits stays one of them', () => {
    expect(ofTheSameFormat(chance, '0123456789abcdefABCDEF'.repeat(20))).toMatch(/^[0-9a-fA-F]+$/)
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

const PLACES = [0, 0.25, 0.5, 0.75, 1] as const

const TOKENS = {
  base64url: 'mJ3zq_-0Pw8vXbT5yKc2RnLd7HgUe1aSf9oQi4ZtVxE',
  padded: 'mJ3zq0Pw8vXbT5yKc2RnLd7HgUe1aSf9oQi4ZtVxE+/==',
  hex: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c',
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  digits: '4083920117',
  capitals: 'KZUW4ZDPNV2GK3TU',
} as const

const cases = Object.entries(TOKENS).flatMap(([kind, token]) =>
  TAMPERINGS.flatMap((how) => PLACES.map((at) => ({ kind, token, how, at }))),
)

test.for(cases)('a token in $kind, $how at $at, is another token', ({ token, how, at }) => {
  expect(tampered(token, how, at)).not.toBe(token)
})

test.for(cases)(
  'a token in $kind, $how at $at, is another one to a lenient decoder',
  ({ token, how, at }) => {
    const decoded = (text: string): string => Buffer.from(text.replaceAll('-', ''), 'base64').toString('hex')
    expect(decoded(tampered(token, how, at))).not.toBe(decoded(token))
  },
)

test('the first and the last character that matter are reached', () => {
  expect(tampered(TOKENS.base64url, 'cut', 0)).toBe('m')
  expect(tampered(TOKENS.base64url, 'cut', 1)).toBe(TOKENS.base64url.slice(0, -1))
  expect(tampered(TOKENS.padded, 'cut', 1)).toBe('mJ3zq0Pw8vXbT5yKc2RnLd7HgUe1aSf9oQi4ZtVx')
  expect(tampered(TOKENS.base64url, 'added', 1)).toMatch(new RegExp(`^${TOKENS.base64url}.{4}$`))
  expect(tampered(TOKENS.padded, 'added', 1)).toMatch(/E\+\/.{4}==$/)
})

describe('a letter of the other case', () => {
  test('replaces one in a token of both cases', () => {
    const recased = tampered(TOKENS.base64url, 'recased', 0.5)
    expect(recased).not.toBe(TOKENS.base64url)
    expect(recased.toLowerCase()).toBe(TOKENS.base64url.toLowerCase())
  })

  test.for(['hex', 'uuid', 'digits', 'capitals'] as const)(
    'is none in %s, whose case may mean nothing',
    (kind) => {
      const recased = tampered(TOKENS[kind], 'recased', 0.5)
      expect(recased.toLowerCase()).not.toBe(TOKENS[kind].toLowerCase())
    },
  )
})

test('a changed hexadecimal digit stays one', () => {
  for (const at of PLACES) expect(tampered(TOKENS.hex, 'changed', at)).toMatch(/^[0-9a-f]{48}$/)
})

test('a token of nothing fit to be changed grows', () => {
  expect(tampered('', 'changed', 0.5)).toBe('A')
})

test('the challenge is that of RFC 7636, Appendix B', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('verifiers are legal, and no two are alike', () => {
  const verifiers = Array.from({ length: 1000 }, () => createVerifier())
  for (const verifier of verifiers) expect(verifier).toMatch(/^[A-Za-z0-9\-._~]{43}$/)
  expect(new Set(verifiers).size).toBe(1000)
})
