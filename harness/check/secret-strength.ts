import { NotReached } from '../evidence/signals.ts'
import { measured } from './facts.ts'
import type { Subject } from './verdict.ts'

/** The random bits that a secret can hold: an upper bound, which says nothing about how random it is. */

/** From the smallest alphabet on: the first one that fits a text is taken. */
const ALPHABETS: readonly (readonly [form: RegExp, characters: number])[] = [
  [/^[0-9]*$/, 10],
  [/^[0-9a-f]*$/i, 16],
  [/^([0-9a-z]*|[0-9A-Z]*)$/, 36],
  [/^[0-9A-Za-z]*$/, 62],
  [/^[\w.~+/=-]*$/, 69],
]

/** Printable ASCII without the space. */
const WIDEST = 94

/** The most random bits that a text can hold: its length times the bits of one character of the alphabet in use. */
export const mostRandomBits = (text: string, inUse = text): number => {
  const [, characters = WIDEST] = ALPHABETS.find(([form]) => form.test(inUse)) ?? []
  return Math.floor(text.length * Math.log2(characters))
}

/**
 * Judges that a secret can hold 128 random bits (RFC 6749 §10.10).
 * @param others secrets of the same kind, from which the alphabet is found.
 * @throws NotReached if there is no secret.
 */
export const canHold128RandomBits = (secret: Subject, others: readonly Subject[] = []): void => {
  const { value } = secret
  if (typeof value !== 'string') throw new NotReached('no secret was given out')
  const texts = [secret, ...others].flatMap((one) => (typeof one.value === 'string' ? [one.value] : []))
  const bits = measured('most random bits', [value, ...texts], () => mostRandomBits(value, texts.join('')))
  const length = measured('length', [value], () => value.length)
  secret.satisfies(bits >= 128, `room for 128 random bits (its ${length} characters have ${bits})`)
}
