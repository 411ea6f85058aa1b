import { nearest } from './suggest.ts'
import type { SettledUrl } from '../profile/base-url.ts'

/** From what stands behind an option to its value, or to a problem that quotes it and says what was expected. */

/** Collects a problem; there is no value then. */
export type Complain = (problem: string) => undefined

/** A key that is left out where it has no value. */
export const given = <Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } =>
  value === undefined ? {} : ({ [key]: value } as Readonly<Record<Key, Value>>)

export const url = (
  name: string,
  value: string | undefined,
  settleUrl: (address: string) => SettledUrl,
  complain: Complain,
): string | undefined => {
  const address = text(name, value, 'a URL', complain)
  if (address === undefined) return undefined
  const settled = settleUrl(address)
  return 'url' in settled ? settled.url : complain(`${name}: ${settled.problem}`)
}

export const text = (
  name: string,
  value: string | undefined,
  what: string,
  complain: Complain,
): string | undefined => {
  if (value === undefined) return undefined
  if (value.trim() === '') return complain(`${name} is empty; give it ${what}, or leave it out`)
  // Commander takes whatever follows for the value, the next option too.
  if (value.startsWith('--')) return complain(`${name} needs ${what}; what follows it is '${nameOf(value)}'`)
  return value
}

export const word = <Word extends string>(
  name: string,
  value: string | undefined,
  words: readonly Word[],
  complain: Complain,
): Word | undefined => {
  const typed = text(name, value, `one of ${words.join(', ')}`, complain)
  if (typed === undefined) return undefined
  const found = words.find((each) => each === typed)
  if (found !== undefined) return found
  const near = nearest(typed, words)
  const advice = near === undefined ? '' : `; did you mean ${near}?`
  return complain(`${name}: expected one of ${words.join(', ')}, received '${typed}'${advice}`)
}

/** `A B`, `A,B` and a repeated option say the same. */
export const list = (
  name: string,
  values: readonly string[] | undefined,
  complain: Complain,
): readonly string[] => {
  const words = (values ?? []).flatMap((value) => value.split(',')).map((each) => each.trim())
  if (words.includes('')) complain(`${name} has an empty value; give it names, between blanks or commas`)
  const option = words.find((each) => each.startsWith('-'))
  if (option !== undefined) complain(`${name} needs a value; what follows it is '${nameOf(option)}'`)
  return [...new Set(words)]
}

/** Strictly: what a shell made of an empty variable, or a number with a decimal point, is no count. */
export const integer = (
  name: string,
  value: string | undefined,
  { min, max }: { readonly min: number; readonly max: number },
  complain: Complain,
): number | undefined => {
  if (value === undefined) return undefined
  const number = /^(0|-?[1-9]\d*)$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  return complain(
    `${name}: expected a whole number from ${min} to ${max}, without leading zeros; received '${value}'`,
  )
}

export const nameOf = (option: string): string => option.replace(/=.*$/s, '')
