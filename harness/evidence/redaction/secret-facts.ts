import { electronicForm } from './iban.ts'
import { remembered } from './spellings.ts'

/**
 * What is known of a secret, besides which others it equals: it is measured where the secret gets its pseudonym, and
 * stored beside it. Judges see pseudonyms only. All facts are in this file.
 */
export interface SecretFacts {
  /** How many characters it has. */
  readonly length: number
  /** Which characters it has: a letter of `CHARACTERS` for each kind. */
  readonly characters: string
  readonly form?: 'date' | 'IBAN'
  /** It stood in JSON as a number. */
  readonly isNumber?: true
  /** The pseudonyms of other secrets that stand in it, in whatever spelling. */
  readonly contains?: readonly string[]
  /**
   * The ids of exchanges whose answer has it in clear as a value of JSON: a short word is personal at some places, and
   * innocent at others.
   */
  readonly standsIn?: readonly string[]
}

export type FactsByPseudonym = ReadonlyMap<string, SecretFacts>

const CHARACTERS: Readonly<Record<string, RegExp>> = {
  0: /[0-9]/,
  f: /[a-f]/,
  F: /[A-F]/,
  z: /[g-z]/,
  Z: /[G-Z]/,
  é: /(?![a-zA-Z])\p{L}/u,
  '-': /[_.~+/=-]/,
  ' ': /\s/,
  '!': /(?![\w.~+/=-])[^\p{L}\s]/u,
}

/** A date in the extended form of ISO 8601, or a date-time in any other. */
const DATE = /^\d{4}-\d\d-\d\d|^\d{4}-?(\d{3,4}|W\d\d-?\d)T\d\d/
const IBAN = /^[A-Z]{2}\d{2}[0-9A-Z]{1,30}$/

const formOf = (text: string): Pick<SecretFacts, 'form'> => {
  if (DATE.test(text)) return { form: 'date' }
  return IBAN.test(electronicForm(text)) ? { form: 'IBAN' } : {}
}

const kindsOf = (isPresent: (kind: string) => boolean): string =>
  Object.keys(CHARACTERS).filter(isPresent).join('')

export const measure = remembered((text): SecretFacts => ({
  length: text.length,
  characters: kindsOf((kind) => CHARACTERS[kind]?.test(text) === true),
  ...formOf(text),
}))

const PSEUDONYM = /(\[[\w-]+:[\da-f]+\])/

/** What may be pseudonyms in a text. */
export const pseudonymsIn = (text: string): readonly string[] =>
  text.includes('[') ? text.split(PSEUDONYM).filter((_, at) => at % 2 === 1) : []

/** The facts of a text in which pseudonyms may stand: as if the secrets stood there. */
export const factsOfText = (text: string, known: FactsByPseudonym): SecretFacts => {
  const own = known.get(text)
  if (own !== undefined) return own
  if (!text.includes('[')) return measure(text)
  const parts = text.split(PSEUDONYM).map((part) => known.get(part) ?? measure(part))
  return {
    ...measure(text),
    length: parts.reduce((sum, { length }) => sum + length, 0),
    characters: kindsOf((kind) => parts.some(({ characters }) => characters.includes(kind))),
  }
}

const STRING = /"((?:[^"\\]|\\.)*)"(\s*:)?/gs

/** The strings of a text of JSON, without its names; those with escapes are left out. */
export const stringsIn = (json: string): readonly string[] =>
  [...json.matchAll(STRING)].flatMap(([, value = '', colon]) => (colon === undefined ? [value] : []))
