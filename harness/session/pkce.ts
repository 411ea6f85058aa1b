import { createHash } from 'node:crypto'
import { chance, type Random } from './random.ts'

/** Proof Key for Code Exchange (RFC 7636). */

/** A fresh code verifier: 43 characters from 32 random bytes, as RFC 7636 §4.1 recommends. */
export const createVerifier = (random: Random = chance): string => random.bytes(32).toString('base64url')

/** The S256 challenge of a verifier (RFC 7636 §4.2). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
