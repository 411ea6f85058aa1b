import { patternsOf } from '../shared/values.ts'

/** OrderIds that the bank never issued. */

const SHORTEST_UNGUESSED = 16

/** Digits, and the letters of hexadecimal ones. */
const asHex = (character: string): string => {
  if (/\d/.test(character)) return String((Number(character) + 7) % 10)
  if (/[a-f]/i.test(character)) return character === 'f' || character === 'F' ? 'a' : next(character)
  return character
}

/** The other letters, for an orderId of such letters only. */
const asLetter = (character: string): string => {
  if (/[g-z]/i.test(character)) return /z/i.test(character) ? 'g' : next(character)
  return character
}

const turned = (orderId: string, turn: (character: string) => string): string =>
  Array.from(orderId, turn).join('')

/** One that looks like those of the bank. */
export const unknownLike = (orderId: string): string => {
  const [unlike = orderId] = [asHex, asLetter]
    .map((turn) => turned(orderId, turn))
    .filter((other) => other !== orderId)
  // A short one may have been issued.
  return unlike.length >= SHORTEST_UNGUESSED
    ? unlike
    : unlike + '0'.repeat(SHORTEST_UNGUESSED - unlike.length)
}

const next = (character: string): string => String.fromCharCode(character.charCodeAt(0) + 1)

/** Those, and patterns of an issued one; a short half may have been issued. */
export const unknownOrderIds = (orderId: string): readonly string[] => {
  const half = orderId.slice(0, Math.ceil(orderId.length / 2))
  return [
    unknownLike(orderId),
    ...(half.length < SHORTEST_UNGUESSED / 2 ? [] : [half]),
    ...patternsOf(orderId),
  ]
}
