import { isObject, isObjectOrList } from '../../evidence/json.ts'

/** The values of an answer, and its description by keys and types, never by values. */

/** A key may be a value, such as an IBAN: a key that does not have the form of a name is not shown. */
const NAME = /^[A-Za-z_$][A-Za-z_$-]{0,39}$/
const MOST_KEYS = 8

const keysOf = (value: object): string => {
  const keys = Object.keys(value)
  const shown = keys.slice(0, MOST_KEYS).map((key) => (NAME.test(key) ? key : '…'))
  return `the ${keys.length === 1 ? 'key' : 'keys'} ${shown.join(', ')}${keys.length > MOST_KEYS ? ' …' : ''}`
}

/** Behind the name of a value: `has the keys account, transactions, _links`. */
export const shapeOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? 'is an empty array' : `is an array of ${value.length}`
  if (!isObject(value)) return value === null ? 'is null' : `is a ${typeof value}`
  const values = Object.values(value)
  if (values.length === 0) return 'is an empty object'
  // An outermost object with a single member has no other value of interest.
  const inner = values.length === 1 && isObjectOrList(values[0]) ? `, which ${shapeOf(values[0])}` : ''
  return `has ${keysOf(value)}${inner}`
}

/** One value of a JSON, and its path: `account.balances.0.amount`. */
export interface Leaf {
  readonly path: readonly string[]
  readonly value: unknown
}

/** Of an answer of many megabytes only the beginning is searched, which is sufficient. */
const MOST_LEAVES = 2_000

/**
 * Every value of a JSON, beginning with itself.
 * @param excluded the path of a value that is left out with its members.
 */
export const leavesOf = (json: unknown, excluded?: string): readonly Leaf[] => {
  const found: Leaf[] = [{ path: [], value: json }]
  // The loop also visits values that are appended during it.
  for (const { path, value } of found) {
    if (!isObjectOrList(value)) continue
    for (const [key, inner] of Object.entries(value)) {
      if (found.length >= MOST_LEAVES) return found
      const below = [...path, key]
      if (below.join('.') !== excluded) found.push({ path: below, value: inner })
    }
  }
  return found
}
