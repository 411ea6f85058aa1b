import { getCountrySpecifications } from 'ibantools'

/** An IBAN without blanks and in capitals. */
export const electronicForm = (iban: string): string => iban.replaceAll(/\s/g, '').toUpperCase()

/** The length of the IBANs of each country (ISO 13616), by its code. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars }]) =>
    chars === null ? [] : [[country, chars] as const],
  ),
)

/**
 * By its length, and by its check digits (ISO 7064, MOD 97-10). Any other id is not personal: of random orderIds in upper
 * case, one in some thousands has the form and the check digits of an IBAN.
 */
export const isIban = (text: string): boolean =>
  text.length === LENGTHS.get(text.slice(0, 2)) && remainder(text.slice(4) + text.slice(0, 4)) === 1

/** The remainder of digits, and of letters as numbers, of any length (ISO 7064, MOD 97-10). */
export const remainder = (text: string): number => {
  let rest = 0
  for (const character of text)
    for (const digit of Number.parseInt(character, 36).toString()) rest = (rest * 10 + Number(digit)) % 97
  return rest
}
