/** Queries and forms in other words. A part that stays is not written anew: how it is escaped may matter. */
import type { Names, Parameters } from './vocabulary.ts'
import { placeOf, type Turn } from './wording.ts'

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

interface Entry {
  readonly to: string
  readonly convert: (value: string) => unknown
}

type Entries = ReadonlyMap<string, Entry>

const rewritten = (encoded: string, entries: Entries, strangers: ReadonlySet<string>): string =>
  encoded
    .split('&')
    .flatMap((part) => {
      const [name = '', ...values] = part.split('=')
      const key = decoded(name)
      const entry = entries.get(key)
      if (entry === undefined) return strangers.has(key) ? [] : [part]
      const value = decoded(values.join('='))
      const said = String(entry.convert(value))
      return [
        `${encodeURIComponent(entry.to)}=${said === value ? values.join('=') : encodeURIComponent(said)}`,
      ]
    })
    .join('&')

/** The parameters of a caller, in the bank's own words: what the bank calls otherwise here is none. */
export const hearParameters = (encoded: string, parameters: Parameters): string => {
  const entries = new Map(
    Object.entries(parameters).map(([own, place]) => {
      const { at, as } = placeOf(place)
      return [
        at,
        { to: own, convert: (value: string) => (as === undefined ? value : as.hear(value)) },
      ] as const
    }),
  )
  return rewritten(encoded, entries, new Set(Object.keys(parameters)))
}

/** The bank's own parameters in these words. */
export const sayParameters = (encoded: string, parameters: Parameters, turn: Turn): string => {
  const entries = new Map(
    Object.entries(parameters).map(([own, place]) => {
      const { at, as } = placeOf(place)
      return [
        own,
        { to: at, convert: (value: string) => (as === undefined ? value : as.say(value, turn)) },
      ] as const
    }),
  )
  return rewritten(encoded, entries, new Set())
}

/** Whether all of these stand there. */
export const isMarked = (encoded: string, marks: Names): boolean => {
  const given = new URLSearchParams(encoded)
  return Object.entries(marks).every(([name, value]) => given.get(name) === value)
}

export const withMarks = (encoded: string, marks: Names): string => {
  const given = new URLSearchParams(encoded)
  const missing = Object.entries(marks).filter(([name]) => !given.has(name))
  return [encoded, ...missing.map(([name, value]) => new URLSearchParams({ [name]: value }).toString())]
    .filter((part) => part !== '')
    .join('&')
}
