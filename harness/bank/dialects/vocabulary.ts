import type { Api } from '../base-paths.ts'
import type { OperationName, Places } from './addresses.ts'

/** The tables of a dialect, which map the names and values of the bank to others. */

/** The bank's name → the name in the dialect. */
export type Names = Readonly<Record<string, string>>

/** The parameters of a query or form: the bank's name → the name and the values in the dialect. */
export type Parameters = Readonly<Record<string, Place>>

/** Requests and responses of one operation. Names without an entry are not translated. */
export interface Speech {
  readonly query?: Parameters
  readonly form?: Parameters
  /** Required parameters of the query or form. */
  readonly marks?: Names
  readonly asks?: Wording
  readonly tells?: Wording
  /** The wording of a refusal, where it differs from that of the other operations. */
  readonly refuses?: Wording
  /** Members that every success answer has, or every refusal. */
  readonly adds?: Readonly<Record<'granted' | 'refused', Readonly<Record<string, unknown>>>>
  /** The bank's status → the status in the dialect. */
  readonly statuses?: Readonly<Record<number, number>>
  /** The place of the link to the next page in the bank's answer, if the dialect sends it in a header Link (RFC 8288). */
  readonly linksInHeader?: string
}

/** The pages for the customer. */
export interface Markup {
  /** Names of form fields. */
  readonly fields: Names
  /** The bank's name of a form field → its values. */
  readonly values: Readonly<Record<string, Names>>
  /** Replacements of markup. */
  readonly rewrites: readonly (readonly [RegExp, string])[]
}

export interface Vocabulary {
  readonly places: Places
  readonly headers: Readonly<Partial<Record<Api, Names>>>
  readonly operations: Readonly<Partial<Record<OperationName, Speech>>>
  readonly refusals: {
    readonly words: Wording
    /** The refusal of an invalid token is 401 in every dialect. */
    readonly statuses: Readonly<Record<number, number>>
    readonly mediaType: string
  }
  readonly pages: Markup
  /** The wording of notifications. */
  readonly events: Wording
}

/** Values in another form. */

const HUNDREDTHS = 100

const ifNumber =
  (change: (value: number) => unknown) =>
  (value: unknown): unknown =>
    typeof value === 'number' ? change(value) : value

/** Amounts are whole numbers of hundredths. */
export const hundredths: Conversion = {
  say: ifNumber((amount) => Math.round(amount * HUNDREDTHS)),
  // A fraction of a hundredth is not rounded, so that the bank refuses it.
  hear: ifNumber((amount) => amount / HUNDREDTHS),
}

const DECIMAL = /^-?\d+(\.\d+)?$/

/** Amounts are texts with two decimals. A number is not accepted. */
export const decimalText: Conversion = {
  say: ifNumber((amount) => amount.toFixed(2)),
  hear: (value) => {
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value
  },
}

/** Numbers that are counted from 0, where the bank counts from 1. */
export const fromZero: Conversion = {
  say: ifNumber((number) => number - 1),
  hear: ifNumber((number) => number + 1),
}

/** Other values for the bank's values. If one has several, the first is sent and all are accepted; the bank's value is refused. */
export const words = (
  others: Readonly<Record<string, string | readonly [string, ...string[]]>>,
): Conversion => {
  const said = new Map(Object.entries(others).map(([own, other]) => [own, [other].flat()[0]]))
  const heard = new Map(
    Object.entries(others).flatMap(([own, other]) => [other].flat().map((word) => [word, own] as const)),
  )
  return {
    say: (value) => said.get(String(value)) ?? value,
    hear: (value) => {
      if (typeof value !== 'string') return value
      return heard.get(value) ?? (said.has(value) ? `the unknown word ${value}` : value)
    },
  }
}

/** Translates JSON: a table maps each member of the bank's JSON to its place in the dialect, in both directions. */

/** The addresses of a message, for conversions. */
export interface Turn {
  /** The address at the bank. */
  readonly here: URL
  /** The address that the caller uses. */
  readonly there: URL
}

/** Another form of a value. A value of an unexpected form is not changed, since a test may send it on purpose. */
interface Conversion {
  readonly say: (value: unknown, turn: Turn) => unknown
  readonly hear: (value: unknown) => unknown
}

interface PlaceOfMember {
  readonly at: string
  /** The table of the member itself, or of each item if it is a list or an object of items. */
  readonly words?: Wording
  readonly as?: Conversion
}

type Place = string | PlaceOfMember

/** Dotted path in the bank's JSON → place in the dialect. `$` is the whole value if that is a list. Other members are not changed. */
export type Wording = Readonly<Record<string, Place>>

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
  return found.reduce<unknown>((said, { to, member, convert }) => put(said, to, convert(member)), rest)
}

const worded = (value: unknown, one: (item: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(one) : one(value)

/** Whether an object has items under names of its own, and none of the members of the table. */
const hasItems = (value: unknown, wording: Wording): value is Members =>
  isObject(value) && Object.keys(wording).every((path) => read(value, path) === undefined)

const sayItem = (item: unknown, wording: Wording, turn: Turn): unknown =>
  hasItems(item, wording)
    ? Object.fromEntries(Object.entries(item).map(([name, member]) => [name, say(member, wording, turn)]))
    : say(item, wording, turn)

/** Translates the bank's JSON to the dialect. */
export const say = (value: unknown, wording: Wording, turn: Turn): unknown =>
  moved(
    value,
    Object.entries(wording).map(([from, place]) => {
      const { at, words, as } = placeOf(place)
      const inWords = (item: unknown): unknown => (words === undefined ? item : sayItem(item, words, turn))
      return {
        from,
        to: at,
        convert: (member) => worded(as === undefined ? member : as.say(member, turn), inWords),
      }
    }),
  )

/** Translates the JSON of a caller to that of the bank. */
export const hear = (value: unknown, wording: Wording): unknown =>
  moved(
    value,
    Object.entries(wording).map(([to, place]) => {
      const { at, words, as } = placeOf(place)
      const inWords = (item: unknown): unknown => (words === undefined ? item : hear(item, words))
      return {
        from: at,
        to,
        convert: (member) => worded(as === undefined ? member : as.hear(member), inWords),
      }
    }),
  )
