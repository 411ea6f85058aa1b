import { constantFrom, string, type Arbitrary } from 'fast-check'
import { isIban, tampered, withCheckDigits } from '../../harness/session/index.ts'

/** Wrong and right values for the parameters of the interface, for the scenarios of all chapters. */

/** A value, and what is wrong about it. */
export interface Wrong {
  readonly value: string
  readonly because: string
}

/** As long as the right password, and different in every character, in both cases. */
const unlike = (password: string): string =>
  password.replaceAll(/./gsu, (character) => (character.toLowerCase() === 'x' ? 'y' : 'x'))

const recased = (text: string): string =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()

/**
 * The first one is unique, so that it is found where it is repeated. A blank at an end may be ignored as a typing mistake
 * (NIST SP 800-63B-4).
 * @param others passwords of other customers. @param random characters that follow no password.
 */
export const wrongPasswords = (
  right: string,
  { others, random }: { readonly others: readonly string[]; readonly random: string },
): readonly Wrong[] =>
  [
    { value: right + random, because: 'more characters follow the right password' },
    ...others.slice(0, 1).map((value) => ({ value, because: 'the password is that of another customer' })),
    { value: unlike(right), because: 'no character of the password is right' },
    { value: right.slice(0, -1), because: 'the password lacks its last character' },
    { value: recased(right), because: 'the letters of the password have another case' },
    { value: '', because: 'the password is empty' },
  ].filter(({ value }) => value !== right)

/** A letter in its other case; any other character as it is. */
export const otherCase = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()

/** The last letter in its other case; longer where there is none. */
export const withOneLetterRecased = (text: string): string => {
  const at = Array.from(text).findLastIndex((character) => otherCase(character) !== character)
  return at < 0 ? `${text}A` : text.slice(0, at) + otherCase(text.charAt(at)) + text.slice(at + 1)
}

/** Some systems compare only so many characters of a secret. */
const COMPARED = 8

/** Client secrets that resemble the right one. */
export const wrongSecrets = (right: string): readonly Wrong[] =>
  [
    { value: '', because: 'the secret is empty' },
    { value: right.slice(0, -1), because: 'the secret lacks its last character' },
    { value: right.slice(1), because: 'the secret lacks its first character' },
    { value: `${right}x`, because: 'the secret is longer by a character' },
    { value: ` ${right}`, because: 'a blank precedes the secret' },
    { value: `${right} `, because: 'a blank follows the secret' },
    { value: right.slice(0, COMPARED), because: 'the secret is cut' },
    { value: withOneLetterRecased(right), because: 'a letter of the secret has another case' },
    { value: recased(right), because: 'the letters of the secret have another case' },
    { value: tampered(right, 'changed', 0.5), because: 'a character of the secret is another one' },
  ].filter(({ value }) => value !== right)

const partsOf = (uri: string) => {
  const [, scheme = '', host = '', path = '', query = ''] = /^([^:]*):\/*([^/?]*)([^?]*)(.*)$/.exec(uri) ?? []
  return { scheme, host, path, query }
}

/** There any port may be used (RFC 8252 §7.3). */
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/

/** URIs that differ from the registered one in a part. */
export const urisResembling = (registered: string): readonly string[] => {
  const { scheme, host, path, query } = partsOf(registered)
  const base = `${scheme}://${host}`
  const parameters = query.slice(1).split('&')
  return [
    `${base}${path}${path.endsWith('/') ? '' : '/'}next${query}`,
    `${base}${path.slice(0, -1)}${query}`,
    ...(query === '' ? [] : [registered.slice(0, -1)]),
    `${base}${recased(path)}${query}`,
    `${base}${path}/${query}`,
    `${base}${path}${query}${query === '' ? '?' : '&'}next=1`,
    `${scheme}://user@${host}${path}${query}`,
    ...(LOOPBACK.test(host) ? [] : [`${scheme}://${host.replace(/:\d+$/, '')}:8443${path}${query}`]),
    `${registered}#next`,
    ...(parameters.length > 1 ? [`${base}${path}?${[...parameters].reverse().join('&')}`] : []),
  ]
}

const encodedFirstLetter = (path: string): string =>
  path.replace(/[A-Za-z]/, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** URIs that lead to the address of the registered one and are spelled otherwise. */
export const urisSpelledLike = (registered: string): readonly string[] => {
  const { scheme, host, path, query } = partsOf(registered)
  return [
    `${recased(scheme)}://${host}${path}${query}`,
    `${scheme}://${recased(host)}${path}${query}`,
    `${scheme}://${host}${encodedFirstLetter(path)}${query}`,
  ]
}

/** Addresses on hosts that are not registered; two of them begin like the registered address. @param random a label of a host. */
export const foreignUris = (registered: string, random: string): readonly string[] => {
  const { protocol, host, pathname } = new URL(registered)
  const foreign = `${random}.example`
  return [
    `https://${foreign}/callback`,
    `${protocol}//${host}.${foreign}${pathname}`,
    `${protocol}//${host}@${foreign}${pathname}`,
  ]
}

/** Numbers that are no IBANs (ISO 13616), like an IBAN; the last ones have correct check digits and a wrong length. */
export const wrongIbans = (iban: string): readonly Wrong[] => {
  const [country, number] = [iban.slice(0, 2), iban.slice(4)]
  const last = Number(number.slice(-1))
  const swapped = iban.replace(/(\d)(?!\1)(\d)(\D*)$/, '$2$1$3')
  const abroad = country === 'DE' ? 'AT' : 'DE'
  return isIban(iban)
    ? [
        { value: `${iban.slice(0, -1)}${(last + 1) % 10}`, because: 'a digit of the IBAN is another one' },
        { value: swapped, because: 'two digits of the IBAN are in the wrong order' },
        { value: withCheckDigits(country, `${number}0`), because: 'the IBAN has a digit more' },
        { value: withCheckDigits(country, number.slice(0, -1)), because: 'the IBAN has a digit less' },
        {
          value: withCheckDigits(abroad, `${number}${number}`.slice(0, 22)),
          because: `no IBAN of ${abroad} has 26 characters`,
        },
      ].filter(({ value }) => value !== iban)
    : []
}

/** ISO 9362: a BIC has 8 or 11 characters. */
export const wrongBics: readonly string[] = ['REFBSKB', 'REFBSKBX1', 'REFBSKBX12', 'REFBSKBX1234']

/** ISO 4217; XTS is for tests. */
export const wrongCurrencies: readonly Wrong[] = ['USD', 'JPY', 'XTS'].map((value) => ({
  value,
  because: `${value} is not processed`,
}))

/** Requested execution dates, by a day of the calendar, YYYY-MM-DD. */
export const wrongDates = (today: string, yesterday: string): readonly Wrong[] => {
  const year = Number(today.slice(0, 4)) + 1
  return [
    { value: `${year}-02-30`, because: 'there is no 30 February' },
    { value: `${year % 4 === 0 ? year + 1 : year}-02-29`, because: 'the year has no 29 February' },
    { value: `${year}-04-31`, because: 'April has 30 days' },
    { value: `${year}-13-01`, because: 'there are 12 months' },
    { value: yesterday, because: 'it is the day before' },
    { value: `${year - 2}${today.slice(4)}`, because: 'it is a year before' },
  ]
}

/** Ids under which a search by pattern, or by the beginning, finds an issued one. */
export const patternsOf = (id: string): readonly string[] => {
  const half = id.slice(0, Math.ceil(id.length / 2))
  return ['%', '*', '_'.repeat(id.length), `${half}%`]
}

/** Percent-encoded, it still fits into a URL that every browser and proxy accepts. */
const LONGEST_STATE = 200

/** A bank may refuse a longer one; it must not change it. */
export const isLongState = (state: string): boolean => state.length > LONGEST_STATE

/** RFC 9112 §3 recommends that a request line may have 8,000 octets at least. */
export const stateEdges: readonly string[] = ['0', '%', ' ', 'null', 's'.repeat(300), 's'.repeat(2000)]

export const states: Arbitrary<string> = string({
  unit: 'grapheme-ascii',
  minLength: 1,
  maxLength: LONGEST_STATE,
  size: 'max',
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Blanks and signs are listed several times, so that each value has some of them. Blanks may be at the ends. */
const IN_SECURITY_HEADERS = Array.from(`${LETTERS}${LETTERS.toUpperCase()}0123456789+/=+/=      `)

/** Webhook security headers that match [ a-zA-Z0-9=+/]*. */
export const securityHeaders: Arbitrary<string> = string({
  unit: constantFrom(...IN_SECURITY_HEADERS),
  minLength: 1,
  maxLength: 100,
  size: 'max',
})

/** Digits that a number would lose, a single character, and a long one with every character. */
export const securityHeaderEdges: readonly string[] = [
  '0007',
  'a',
  '=',
  `${LETTERS} ${LETTERS.toUpperCase()} 0123456789 +/=`.repeat(3).slice(0, 200),
]
