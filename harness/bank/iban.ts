/** IBANs of Slovak shape whose check digits are right (ISO 13616, and the weights of the national standard). */

const WEIGHTS = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1] as const

const weighted = (digits: string): number =>
  Array.from(digits).reduce((sum, digit, place) => sum + Number(digit) * (WEIGHTS[place] ?? 0), 0)

/** SK as numbers, and two zeros where the check digits will stand. */
const COUNTRY = '282000'

/** The IBAN of the first valid account number from `from` on, at most ten digits, at the bank of this code. */
export const ibanAt = (bankCode: string, from: number): string => {
  let number = from
  // One number in eleven or so is valid.
  while (weighted(String(number).padStart(10, '0')) % 11 !== 0) number += 1
  const account = `${bankCode}000000${String(number).padStart(10, '0')}`
  const digits = 98n - (BigInt(account + COUNTRY) % 97n)
  return `SK${String(digits).padStart(2, '0')}${account}`
}
