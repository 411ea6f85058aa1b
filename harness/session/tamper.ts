/** Tokens that a bank never issued, made from one that it did. */

/** `changed`, `cut`, `added`: a character was. `recased`: a letter has the other case. */
export const TAMPERINGS = ['changed', 'recased', 'cut', 'added'] as const

export type Tampering = (typeof TAMPERINGS)[number]

/**
 * The token with one character tampered with.
 *
 * The result is another token to every bank. Punctuation, padding and zeros are left alone, and a changed character
 * differs in the first of the six bits that it stands for in base64: a decoder may skip the former and the last
 * bits, and a bank that reads two spellings of one token alike has not accepted a second token.
 * @param at where: from 0, the first character, to 1, the last.
 */
export const tampered = (token: string, how: Tampering, at: number): string => {
  const place = placeOf(token, how === 'recased' && isMixed(token) ? /[A-Za-z]/g : /[A-Za-z1-9]/g, at)
  const old = token.charAt(place)
  return token.slice(0, place) + substitute(token, how, old) + token.slice(place + 1)
}

const placeOf = (token: string, kind: RegExp, at: number): number => {
  const places = [...token.matchAll(kind)].map(({ index }) => index)
  return places[Math.round(at * (places.length - 1))] ?? 0
}

/** Letters of both cases: only then is their case sure to matter. */
const isMixed = (token: string): boolean => /[a-z]/.test(token) && /[A-Z]/.test(token)

const substitute = (token: string, how: Tampering, old: string): string => {
  if (how === 'cut') return ''
  if (how === 'added') return old + otherThan(old, token)
  if (how === 'changed' || !isMixed(token)) return otherThan(old, token)
  return old === old.toLowerCase() ? old.toUpperCase() : old.toLowerCase()
}

/** The first 32 characters of the base64 alphabet. */
const LOWER_HALF = /[A-Za-f]/
/** The letters of the other 32, and digits but for zero. */
const UPPER_HALF = /[g-z1-9]/

/** A character that the token itself uses, where it has a fit one: so that no alphabet gives the change away. */
const otherThan = (old: string, token: string): string => {
  const [fit, fallback] = LOWER_HALF.test(old) ? [UPPER_HALF, '7'] : [LOWER_HALF, 'A']
  return fit.exec(token)?.[0] ?? fallback
}
