import { string, type Arbitrary } from 'fast-check'

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

/** Some systems compare only so many characters of a password. */
const COMPARED = 8

/** @param others passwords of other customers. @param random a text that no password contains. */
export const wrongPasswords = (
  right: string,
  { others, random }: { readonly others: readonly string[]; readonly random: string },
): readonly Wrong[] =>
  [
    { value: `not-the-password-${random}`, because: 'the password is another one' },
    ...others.slice(0, 1).map((value) => ({ value, because: 'the password is that of another customer' })),
    { value: unlike(right), because: 'no character of the password is right' },
    {
      value: right.slice(0, COMPARED) + unlike(right.slice(COMPARED)),
      because: 'only the first characters of the password are right',
    },
    { value: recased(right), because: 'the letters of the password have another case' },
  ].filter(({ value }) => value !== right)

const partsOf = (uri: string) => {
  const [, scheme = '', host = '', path = '', query = ''] = /^([^:]*):\/*([^/?]*)([^?]*)(.*)$/.exec(uri) ?? []
  return { scheme, host, path, query }
}

/** URIs that differ from the registered one in a part. */
export const urisResembling = (registered: string): readonly string[] => {
  const { scheme, host, path, query } = partsOf(registered)
  const base = `${scheme}://${host}`
  const parameters = query.slice(1).split('&')
  return [
    `${base}${path}${path.endsWith('/') ? '' : '/'}next${query}`,
    `${base}${path.slice(0, -1)}${query}`,
    `${base}${recased(path)}${query}`,
    `${base}${path}/${query}`,
    `${base}${path}${query}${query === '' ? '?' : '&'}next=1`,
    `${scheme}://user@${host}${path}${query}`,
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
