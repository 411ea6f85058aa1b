import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tampered, TAMPERINGS } from './unknown-tokens.ts'

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

test('two changes of a token of both cases are never the same token', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const tokens = fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: 20, maxLength: 24 })
  const places = fc.constantFrom(...PLACES)
  fc.assert(
    fc.property(
      tokens.map((token) => `aZ${token}`),
      places,
      (token, at) => {
        const all = TAMPERINGS.map((how) => tampered(token, how, at))
        expect(new Set(all).size).toBe(all.length)
      },
    ),
    { numRuns: 1_000, seed: 42 },
  )
})

test('a token of nothing fit to be changed grows', () => {
  expect(tampered('', 'changed', 0.5)).toBe('A')
})
