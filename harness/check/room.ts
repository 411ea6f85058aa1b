import { NotReached } from '../evidence/signals.ts'
import type { Subject } from './subject.ts'

/** How many random bits a secret is long enough for: an upper bound, which says nothing of how random it is. */

/** From the narrowest on: the first alphabet that a text fits in is taken for the one in use. */
const ALPHABETS: readonly (readonly [form: RegExp, characters: number])[] = [
  [/^[0-9]*$/, 10],
  [/^[0-9a-f]*$/i, 16],
  [/^([0-9a-z]*|[0-9A-Z]*)$/, 36],
  [/^[0-9A-Za-z]*$/, 62],
  [/^[\w.~+/=-]*$/, 69],
]

/** Printable ASCII, without the blank. */
const WIDEST = 94

/** The most random bits that a text can hold: its length times the bits of one character of the alphabet in use. */
export const roomOf = (text: string, inUse = text): number => {
  const [, characters = WIDEST] = ALPHABETS.find(([form]) => form.test(inUse)) ?? []
  return Math.floor(text.length * Math.log2(characters))
}

/**
 * Judges that a secret can hold 128 random bits (RFC 6749 §10.10).
 * @param others of the same kind: the more of them, the surer is the alphabet.
 * @throws NotReached where there is none.
 */
export const hasRoomFor128Bits = (secret: Subject, others: readonly Subject[] = []): void => {
  const { value } = secret
  if (typeof value !== 'string') throw new NotReached('no secret was given out')
  const texts = [secret, ...others].flatMap((one) => (typeof one.value === 'string' ? [one.value] : []))
  const room = roomOf(value, texts.join(''))
  secret.satisfies(room >= 128, `room for 128 random bits (its ${value.length} characters have ${room})`)
}
