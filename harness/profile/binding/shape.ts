/** What an answer has, in words: keys and types, and never a value. */

/** A key may be a value as well, such as an IBAN: what is no name is not shown. */
const NAME = /^[A-Za-z_$][A-Za-z_$-]{0,39}$/
const MOST = 8

const keysOf = (value: object): string => {
  const keys = Object.keys(value)
  const shown = keys.slice(0, MOST).map((key) => (NAME.test(key) ? key : '…'))
  return `the ${keys.length === 1 ? 'key' : 'keys'} ${shown.join(', ')}${keys.length > MOST ? ' …' : ''}`
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sizeOf = (items: readonly unknown[]): string =>
  items.length === 0 ? 'is an empty array' : `is an array of ${items.length}`

/** Behind the name of a value: `has the keys account, transactions, _links`. */
export const shapeOf = (value: unknown): string => {
  if (Array.isArray(value)) return sizeOf(value)
  if (!isObject(value)) return value === null ? 'is null' : `is a ${typeof value}`
  const [only, ...others] = Object.values(value)
  if (only === undefined && others.length === 0) return 'is an empty object'
  // What stands around everything else says little.
  const inner =
    others.length === 0 && (isObject(only) || Array.isArray(only)) ? `, which ${shapeOf(only)}` : ''
  return `has ${keysOf(value)}${inner}`
}

/** One value of a JSON, and where it stands: `account.balances.0.amount`. */
export interface Leaf {
  readonly path: readonly string[]
  readonly value: unknown
}

/** An answer of many megabytes is not looked through: its beginning shows what it is made of. */
const MOST_LEAVES = 2_000

/** Every value of a JSON, itself first, but those that are left out and what is below them. */
export const leavesOf = (
  json: unknown,
  isLeftOut: (path: string) => boolean = () => false,
): readonly Leaf[] => {
  const found: Leaf[] = [{ path: [], value: json }]
  // What is appended on the way is come to as well.
  for (const { path, value } of found) {
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (found.length >= MOST_LEAVES) return found
      const below = [...path, key]
      if (!isLeftOut(below.join('.'))) found.push({ path: below, value: inner })
    }
  }
  return found
}
