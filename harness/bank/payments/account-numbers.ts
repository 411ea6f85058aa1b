/** The forms of account numbers and bank identifiers: ISO 13616 and ISO 9362. */

/** At most 34 characters in all; the length of the countries whose payments come here most. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

const LENGTHS: Readonly<Record<string, number>> = {
  AT: 20,
  BE: 16,
  CH: 21,
  CZ: 24,
  DE: 22,
  ES: 24,
  FR: 27,
  GB: 22,
  HU: 28,
  IT: 27,
  NL: 18,
  PL: 28,
  SK: 24,
}

/** ISO 7064, MOD 97-10: letters become numbers, the front goes to the back, and the remainder is 1. */
const checkDigitsAreRight = (iban: string): boolean => {
  const moved = `${iban.slice(4)}${iban.slice(0, 4)}`
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

export const isIban = (iban: string): boolean => {
  if (!IBAN.test(iban)) return false
  const length = LENGTHS[iban.slice(0, 2)]
  return (length === undefined || iban.length === length) && checkDigitsAreRight(iban)
}

/** Bank, country, place, and the branch if there is one. */
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/

export const isBic = (bic: string): boolean => BIC.test(bic)

/** Of the countries in SEPA those outside the European Economic Area: to them an address must be given. */
const OUTSIDE_EEA: readonly string[] = ['AD', 'CH', 'GB', 'MC', 'SM', 'VA']

export const needsAddress = (iban: string): boolean => OUTSIDE_EEA.includes(iban.slice(0, 2))
