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

/**
 * A different character, one that the token has if possible: then the alphabet does not reveal the change. Never the same
 * letter in the other case, which would be the other kind of change.
 */
const otherThan = (old: string, token: string): string => {
  const [fit, fallback] = LOWER_HALF.test(old) ? [UPPER_HALF, '7'] : [LOWER_HALF, 'A']
  return Array.from(token).find((one) => fit.test(one) && one !== recased(old)) ?? fallback
}
