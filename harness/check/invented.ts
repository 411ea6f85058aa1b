import type { Random } from '../session/random.ts'

/** What looks like the bank's own and is not. It is the same when a scenario is done again from its log. */

const DIGITS = '0123456789'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const HEX_LETTERS = 'abcdef'

/** A text of the same look: a digit for a digit, a letter for a letter, and hexadecimal where it may be. */
export const ofTheSameLook = (random: Random, text: string): string =>
  text
    .replaceAll(/\d/g, () => random.oneOf(DIGITS))
    .replaceAll(/[a-f]/g, () => random.oneOf(HEX_LETTERS))
    .replaceAll(/[A-F]/g, () => random.oneOf(HEX_LETTERS).toUpperCase())
    .replaceAll(/[g-z]/g, () => random.oneOf(LETTERS))

/** The remainder of a number with any count of digits (ISO 7064, MOD 97-10). */
const remainder = (digits: string): number =>
  Array.from(digits).reduce((rest, next) => (rest * 10 + Number(next)) % 97, 0)

/** An IBAN of the same bank that has the right check digits (ISO 13616), and an account number by chance. */
export const inventedIban = (random: Random, iban: string): string => {
  const country = iban.slice(0, 2)
  const number = iban.slice(4, -8) + iban.slice(-8).replaceAll(/\d/g, () => random.oneOf(DIGITS))
  const digits = `${number}${country}00`.replaceAll(/[A-Z]/g, (capital) => String(parseInt(capital, 36)))
  return `${country}${String(98 - remainder(digits)).padStart(2, '0')}${number}`
}
