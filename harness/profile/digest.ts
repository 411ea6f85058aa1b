import { createHash } from 'node:crypto'
import type { Path } from './secret-positions.ts'

/**
 * SHA-256 of a profile without its secret values, in hex: two profiles with one digest ask the same of a target. The
 * order of keys, comments and the form of the file make no difference.
 */
export const digestProfile = (profile: unknown, hidden: readonly Path[]): string => {
  const places = new Set(hidden.map(placeOf))
  return createHash('sha256')
    .update(canonical(profile, [], places))
    .digest('hex')
}

const placeOf = (path: Path): string => JSON.stringify(path.map(String))

const canonical = (value: unknown, path: Path, hidden: ReadonlySet<string>): string => {
  if (hidden.has(placeOf(path))) return '"secret"'
  if (Array.isArray(value))
    return `[${value.map((item, at) => canonical(item, [...path, at], hidden)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, [...path, key], hidden)}`)
  return `{${members.join()}}`
}
