import { remainder } from '../evidence/redaction/iban.ts'
import type { Random } from './random.ts'

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

/** Whether a text has the form of an IBAN and correct check digits (ISO 13616). */
export const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && remainder(text.slice(4) + text.slice(0, 4)) === 1

/** A random IBAN of the same bank with correct check digits (ISO 13616). */
export const inventedIban = (random: Random, iban: string): string => {
  const country = iban.slice(0, 2)
  const number = iban.slice(4, -8) + iban.slice(-8).replaceAll(/\d/g, () => random.oneOf(DIGITS))
  return withCheckDigits(country, number)
}

/** The IBAN of a national number, with the correct check digits. */
export const withCheckDigits = (country: string, number: string): string => {
  const digits = String(98 - remainder(`${number}${country}00`))
  return `${country}${digits.padStart(2, '0')}${number}`
}
