import { randomBytes } from 'node:crypto'

/** The bank's codes and tokens: 256 bits each, of which nobody can tell the next (RFC 6749 §10.10). */

const SECRET_BYTES = 32
/** So many are drawn at once: to ask the operating system takes longer than to write a secret down. */
const AHEAD = 64

let drawn = Buffer.alloc(0)

export const newSecret = (): string => {
  if (drawn.length === 0) drawn = randomBytes(SECRET_BYTES * AHEAD)
  const secret = drawn.toString('base64url', 0, SECRET_BYTES)
  drawn = drawn.subarray(SECRET_BYTES)
  return secret
}
