import type { Party } from './answers.ts'

/** A name and an IBAN, as people write them: the IBAN last, with or without blanks. */
export const partyIn = (text: string): Party => {
  const words = text.trim().split(/[\s,;]+/)
  const first = words.findIndex((word) => /^[A-Z]{2}\d{2}/i.test(word))
  // What is missing is complained of by the profile's own words.
  if (first === -1) return { name: text.trim(), iban: '' }
  return { name: words.slice(0, first).join(' '), iban: words.slice(first).join('').toUpperCase() }
}
