import { nearest } from './nearest.ts'

/** A complaint for each {placeholder} in the texts of a value that nothing is put in place of. */
export const unknownPlaceholders = (
  key: string,
  value: unknown,
  known: readonly string[],
): readonly string[] =>
  placeholdersOf(value).flatMap(({ at, name }) =>
    known.includes(name) ? [] : [complain([key, ...at].join('.'), name, known)],
  )

const complain = (key: string, name: string, known: readonly string[]): string => {
  const near = nearest(name, known)
  const names = known.map((each) => `{${each}}`).join(', ')
  const advice =
    near !== undefined
      ? `did you mean {${near}}?`
      : known.length === 0
        ? 'nothing is put in place of it'
        : `known here: ${names}`
  return `\`${key}\` has the unknown placeholder {${name}}; ${advice}`
}

interface Placeholder {
  readonly at: readonly string[]
  readonly name: string
}

/** Every placeholder in a text, a list or an object, with its place. */
export const placeholdersOf = (value: unknown, at: readonly string[] = []): readonly Placeholder[] => {
  if (typeof value === 'string')
    return [...value.matchAll(/\{([\w-]+)\}/g)].map(([, name = '']) => ({ at, name }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => placeholdersOf(inner, [...at, key]))
}
