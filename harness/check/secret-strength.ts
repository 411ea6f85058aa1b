import { NotReached } from '../evidence/signals.ts'
import { factsOf } from './facts.ts'
import type { Subject } from './verdict.ts'

/** The random bits that a secret can hold: an upper bound, which says nothing about how random it is. */

/** From the smallest alphabet on: the first one that has all kinds of characters of a secret is taken. */
const ALPHABETS: readonly (readonly [kinds: RegExp, characters: number])[] = [
  [/^0*$/, 10],
  [/^[0fF]*$/, 16],
  [/^([0fz]*|[0FZ]*)$/, 36],
  [/^[0fFzZ]*$/, 62],
  [/^[0fFzZ-]*$/, 69],
]

/** Printable ASCII without the space. */
const WIDEST = 94

/** The most random bits that a secret can hold: its length times the bits of one character of the alphabet in use. */
export const mostRandomBits = (secret: string, others: readonly string[] = []): number => {
  const inUse = [secret, ...others].map((one) => factsOf(one).characters).join('')
  const [, characters = WIDEST] = ALPHABETS.find(([kinds]) => kinds.test(inUse)) ?? []
  return Math.floor(factsOf(secret).length * Math.log2(characters))
}

/**
 * Judges that a secret can hold 128 random bits (RFC 6749 §10.10).
 * @param others secrets of the same kind, from which the alphabet is found.
 * @throws NotReached if there is no secret.
 */
export const canHold128RandomBits = (secret: Subject, others: readonly Subject[] = []): void => {
  const { value } = secret
  if (typeof value !== 'string') throw new NotReached('no secret was given out')
  const texts = others.flatMap((one) => (typeof one.value === 'string' ? [one.value] : []))
  const bits = mostRandomBits(value, texts)
  const { length } = factsOf(value)
  secret.satisfies(bits >= 128, `room for 128 random bits (its ${length} characters have ${bits})`)
}
