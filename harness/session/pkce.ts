import { createHash } from 'node:crypto'
import { chance, type Random } from './random.ts'

/** Proof Key for Code Exchange (RFC 7636). */

const MOST_DRAWN = 200

/**
 * A fresh code verifier: 43 characters from 32 random bytes, as RFC 7636 §4.1 recommends. It and its challenge have no marks: a bank
 * that is wrong about these is wrong each time in the checks of the verifiers, and nowhere at random.
 */
export const createVerifier = (random: Random = chance): string => {
  let verifier = ''
  for (let drawn = 0; drawn < MOST_DRAWN; drawn += 1) {
    verifier = random.bytes(32).toString('base64url')
    if (!/[-_]/.test(verifier + challengeOf(verifier))) break
  }
  return verifier
}

/** The S256 challenge of a verifier (RFC 7636 §4.2). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
