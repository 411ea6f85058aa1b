import { createHash } from 'node:crypto'
import { chance, type Random } from './random.ts'

/** Values that look like those of the bank but are invented. They repeat when a scenario is repeated from its log. */

const DIGITS = '0123456789'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const HEX_LETTERS = 'abcdef'

/** A random text of the same format: a digit for a digit, a letter for a letter, and hexadecimal if the text is. */
export const ofTheSameFormat = (random: Random, text: string): string =>
  text
    .replaceAll(/\d/g, () => random.oneOf(DIGITS))
    .replaceAll(/[a-f]/g, () => random.oneOf(HEX_LETTERS))
    .replaceAll(/[A-F]/g, () => random.oneOf(HEX_LETTERS).toUpperCase())
    .replaceAll(/[g-z]/g, () => random.oneOf(LETTERS))
    .replaceAll(/[G-Z]/g, () => random.oneOf(LETTERS).toUpperCase())

/** The remainder of a number of any length (ISO 7064, MOD 97-10). */
const remainder = (digits: string): number =>
  Array.from(digits).reduce((rest, next) => (rest * 10 + Number(next)) % 97, 0)

/** Whether a text has the form of an IBAN and correct check digits (ISO 13616). */
export const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && remainder(asDigits(text.slice(4) + text.slice(0, 4))) === 1

const asDigits = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (capital) => String(parseInt(capital, 36)))

/** A random IBAN of the same bank with correct check digits (ISO 13616). */
export const inventedIban = (random: Random, iban: string): string => {
  const country = iban.slice(0, 2)
  const number = iban.slice(4, -8) + iban.slice(-8).replaceAll(/\d/g, () => random.oneOf(DIGITS))
  const digits = asDigits(`${number}${country}00`)
  return `${country}${String(98 - remainder(digits)).padStart(2, '0')}${number}`
}

/** Tokens that a bank never issued, made from one that it issued. */

/**
 * `changed`: one character differs. `recased`: one letter has the other case. `cut`: the rest is missing. `added`:
 * more characters follow.
 */
export const TAMPERINGS = ['changed', 'recased', 'cut', 'added'] as const

type Tampering = (typeof TAMPERINGS)[number]

/**
 * The token, changed in one place. The result is a different token for every bank. A decoder may skip punctuation
 * and padding, so these are not changed. It may also skip the last bits of base64: a changed character therefore
 * differs in its first bit, and four characters are added.
 * @param at the place: from 0, the first character, to 1, the last.
 */
export const tampered = (token: string, how: Tampering, at: number): string => {
  const place = placeOf(token, placesFor(token, how), at)
  const old = token.charAt(place)
  if (how === 'cut') return token.slice(0, Math.max(1, place))
  if (how === 'added')
    return token.slice(0, place + 1) + otherThan(old, token).repeat(4) + token.slice(place + 1)
  const other = how === 'recased' && isMixed(token) ? recased(old) : otherThan(old, token)
  return token.slice(0, place) + other + token.slice(place + 1)
}

const placesFor = (token: string, how: Tampering): RegExp => {
  if (how === 'added') return /[^=]/g
  return how === 'recased' && isMixed(token) ? /[A-Za-z]/g : /[A-Za-z0-9]/g
}

const placeOf = (token: string, kind: RegExp, at: number): number => {
  const places = [...token.matchAll(kind)].map(({ index }) => index)
  return places[Math.round(at * (places.length - 1))] ?? 0
}

/** Whether the token has letters of both cases: only then their case matters for certain. */
const isMixed = (token: string): boolean => /[a-z]/.test(token) && /[A-Z]/.test(token)

const recased = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()

/** The first 32 characters of the base64 alphabet. */
const LOWER_HALF = /[A-Za-f]/
/** The letters and digits of the other 32. */
const UPPER_HALF = /[g-z0-9]/

/** A different character, one that the token has if possible: then the alphabet does not reveal the change. */
const otherThan = (old: string, token: string): string => {
  const [fit, fallback] = LOWER_HALF.test(old) ? [UPPER_HALF, '7'] : [LOWER_HALF, 'A']
  return fit.exec(token)?.[0] ?? fallback
}

/** Proof Key for Code Exchange (RFC 7636). */

/** A fresh code verifier: 43 characters from 32 random bytes, as RFC 7636 §4.1 recommends. */
export const createVerifier = (random: Random = chance): string => random.bytes(32).toString('base64url')

/** The S256 challenge of a verifier (RFC 7636 §4.2). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
