import { showUrl } from './base-url.ts'
import type { Path } from './secret-positions.ts'

const LONGEST = 60

/** The dotted path of a key, as messages show it. */
export const showPath = (path: Path): string => path.map((key) => clip(String(key))).join('.')

/** What kind of value it is, in the words of somebody who writes a profile. */
export const showKind = (value: unknown): string => {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'number':
    case 'bigint':
      return 'a number'
    case 'boolean':
      return `${value}`
    case 'function':
      return 'a function'
    default:
      return value instanceof Promise ? 'a promise' : 'an object'
  }
}

/** A value that is no secret, cut to a readable length; lists and objects by their kind alone. */
export const showValue = (value: unknown): string => {
  if (typeof value === 'string') return value.includes('://') ? showUrl(value) : JSON.stringify(clip(value))
  return typeof value === 'number' ? String(value) : showKind(value)
}

/** Hides secrets that got into a sentence by another way: a name that equals a password, for instance. */
export const hideSecrets = (sentence: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= SHORTEST_HIDDEN)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .reduce((text, secret) => text.replaceAll(secret, '[secret]'), sentence)

/** A secret of fewer letters stands in ordinary words by chance. */
const SHORTEST_HIDDEN = 4

const clip = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
