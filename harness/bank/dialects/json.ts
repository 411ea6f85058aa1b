/** Translates JSON: a table maps each member of the bank's JSON to its place in the dialect, in both directions. */

/** The addresses of a message, for conversions. */
export interface Addresses {
  /** The address at the bank. */
  readonly here: URL
  /** The address that the caller uses. */
  readonly there: URL
}

/** Another form of a value. A value of an unexpected form is not changed, since a test may send it on purpose. */
export interface Conversion {
  readonly toDialect: (value: unknown, addresses: Addresses) => unknown
  readonly fromDialect: (value: unknown) => unknown
}

interface PlaceOfMember {
  readonly at: string
  /** The table of the member itself, or of each item if it is a list or an object of items. */
  readonly words?: FieldMap
  readonly as?: Conversion
}

export type Place = string | PlaceOfMember

/** Dotted path in the bank's JSON → place in the dialect. `$` is the whole value if that is a list. Other members are not changed. */
export type FieldMap = Readonly<Record<string, Place>>

type Members = Readonly<Record<string, unknown>>

interface Move {
  readonly from: string
  readonly to: string
  readonly convert: (value: unknown) => unknown
}

const WHOLE = '$'
const INDEX = /^\d+$/

const isObject = (value: unknown): value is Members => isObjectOrList(value) && !Array.isArray(value)

const isObjectOrList = (value: unknown): value is Members => typeof value === 'object' && value !== null

export const placeOf = (place: Place): PlaceOfMember => (typeof place === 'string' ? { at: place } : place)

/** The member at a dotted path; undefined if it does not exist. */
export const read = (value: unknown, path: string): unknown => {
  if (path === WHOLE) return Array.isArray(value) ? value : undefined
  return path
    .split('.')
    .reduce<unknown>(
      (inner, key) => (isObjectOrList(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
      value,
    )
}

/** Removes the member, and the objects that are empty then. */
const without = (value: unknown, [key = '', ...deeper]: readonly string[]): unknown => {
  if (!isObject(value)) return value
  const { [key]: taken, ...others } = value
  const left = deeper.length === 0 ? undefined : without(taken, deeper)
  const isGone = left === undefined || (isObject(left) && Object.keys(left).length === 0)
  return isGone ? others : { ...others, [key]: left }
}

const withMember = (value: unknown, [key = '', ...deeper]: readonly string[], member: unknown): unknown => {
  if (INDEX.test(key)) {
    const items: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : []
    items[Number(key)] = deeper.length === 0 ? member : withMember(items[Number(key)], deeper, member)
    return items
  }
  // A list as a whole has no members.
  if (Array.isArray(value)) return value
  const members = isObject(value) ? value : {}
  return { ...members, [key]: deeper.length === 0 ? member : withMember(members[key], deeper, member) }
}

/** Sets the member at a dotted path. */
export const put = (value: unknown, path: string, member: unknown): unknown =>
  path === WHOLE ? member : withMember(value, path.split('.'), member)

const moved = (value: unknown, moves: readonly Move[]): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const found = moves.flatMap((move) => {
    const member = read(value, move.from)
    return member === undefined ? [] : [{ ...move, member }]
  })
  const rest = found.reduce<unknown>(
    (left, { from }) => (from === WHOLE ? {} : without(left, from.split('.'))),
    value,
  )
  return found.reduce<unknown>((sent, { to, member, convert }) => put(sent, to, convert(member)), rest)
}

const worded = (value: unknown, one: (item: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(one) : one(value)

/** Whether an object has items under names of its own, and none of the members of the table. */
const hasItems = (value: unknown, fieldMap: FieldMap): value is Members =>
  isObject(value) && Object.keys(fieldMap).every((path) => read(value, path) === undefined)

const itemToDialect = (item: unknown, fieldMap: FieldMap, addresses: Addresses): unknown =>
  hasItems(item, fieldMap)
    ? Object.fromEntries(
        Object.entries(item).map(([name, member]) => [name, toDialect(member, fieldMap, addresses)]),
      )
    : toDialect(item, fieldMap, addresses)

/** The form of a value in the dialect. */
export const valueToDialect = (value: unknown, { as }: PlaceOfMember, addresses: Addresses): unknown =>
  as === undefined ? value : as.toDialect(value, addresses)

/** The bank's form of a value. */
export const valueFromDialect = (value: unknown, { as }: PlaceOfMember): unknown =>
  as === undefined ? value : as.fromDialect(value)

/** Translates the bank's JSON to the dialect. */
export const toDialect = (value: unknown, fieldMap: FieldMap, addresses: Addresses): unknown => {
  const moves = Object.entries(fieldMap).map(([from, given]): Move => {
    const place = placeOf(given)
    const { at: to, words } = place
    const inWords = (item: unknown): unknown => (words ? itemToDialect(item, words, addresses) : item)
    return { from, to, convert: (member) => worded(valueToDialect(member, place, addresses), inWords) }
  })
  return moved(value, moves)
}

/** Translates the JSON of a caller to that of the bank. */
export const fromDialect = (value: unknown, fieldMap: FieldMap): unknown => {
  const moves = Object.entries(fieldMap).map(([to, given]): Move => {
    const place = placeOf(given)
    const { at: from, words } = place
    const inWords = (item: unknown): unknown => (words ? fromDialect(item, words) : item)
    return { from, to, convert: (member) => worded(valueFromDialect(member, place), inWords) }
  })
  return moved(value, moves)
}
