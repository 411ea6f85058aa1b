/** Tokens that a bank never issued, made from one that it did. */

/**
 * `changed`: one character is another. `recased`: one letter has the other case. `cut`: the rest is missing. `added`:
 * more characters follow.
 */
export const TAMPERINGS = ['changed', 'recased', 'cut', 'added'] as const

export type Tampering = (typeof TAMPERINGS)[number]

/**
 * The token, tampered with in one place.
 *
 * The result is another token to every bank: one that reads two spellings of a token alike has not accepted a second
 * token. A decoder may skip punctuation and padding, so these are left alone. It may skip the last bits of base64, so
 * a changed character differs in the first of its six, and four characters are added.
 * @param at where: from 0, the first character, to 1, the last.
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

/** Letters of both cases: only then is their case sure to matter. */
const isMixed = (token: string): boolean => /[a-z]/.test(token) && /[A-Z]/.test(token)

const recased = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()

/** The first 32 characters of the base64 alphabet. */
const LOWER_HALF = /[A-Za-f]/
/** The letters and digits of the other 32. */
const UPPER_HALF = /[g-z0-9]/

/** A character that the token itself uses, where it has a fit one: so that no alphabet gives the change away. */
const otherThan = (old: string, token: string): string => {
  const [fit, fallback] = LOWER_HALF.test(old) ? [UPPER_HALF, '7'] : [LOWER_HALF, 'A']
  return fit.exec(token)?.[0] ?? fallback
}
