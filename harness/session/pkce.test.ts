import { expect, test } from 'vitest'
import { challengeOf, createVerifier } from './pkce.ts'

test('the challenge is that of RFC 7636, Appendix B', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('verifiers are legal, and no two are alike', () => {
  const verifiers = Array.from({ length: 1000 }, () => createVerifier())
  for (const verifier of verifiers) {
    expect(verifier).toMatch(/^[A-Za-z0-9]{43}$/)
    expect(challengeOf(verifier)).not.toMatch(/[-_]/)
  }
  expect(new Set(verifiers).size).toBe(1000)
})
