import type { Api } from '../base-paths.ts'
import type { OperationName, Places } from './addresses.ts'

/** All that a dialect is told in: tables, from the bank's own words to others. */

/** The bank's own name → the name here. */
export type Names = Readonly<Record<string, string>>

/** The parameters of a query or a form: the bank's own name → the name here, and its values in other words. */
export type Parameters = Readonly<Record<string, Place>>

/** How one operation is asked, and answers. What is left out is as the bank itself has it. */
export interface Speech {
  readonly query?: Parameters
  readonly form?: Parameters
  /** Parameters, of the query or the form, without which nothing is understood. */
  readonly marks?: Names
  readonly asks?: Wording
  readonly tells?: Wording
  /** The words of a refusal, where they are not those of all others. */
  readonly refuses?: Wording
  /** Members that stand in every answer that grants something, or in every refusal. */
  readonly adds?: Readonly<Record<'granted' | 'refused', Readonly<Record<string, unknown>>>>
  /** The bank's own status → the status here. */
  readonly statuses?: Readonly<Record<number, number>>
  /** Where the bank's own answer has the link to the next page, if it is sent in a header Link (RFC 8288). */
  readonly linksInHeader?: string
}

/** The pages that a person sees. */
export interface Markup {
  /** Names of form fields. */
  readonly fields: Names
  /** Own name of a form field → its values. */
  readonly values: Readonly<Record<string, Names>>
  /** Markup in the place of other markup. */
  readonly rewrites: readonly (readonly [RegExp, string])[]
}

export interface Vocabulary {
  readonly places: Places
  readonly headers: Readonly<Partial<Record<Api, Names>>>
  readonly operations: Readonly<Partial<Record<OperationName, Speech>>>
  readonly refusals: {
    readonly words: Wording
    /** A refusal of a dead token is 401 in every dialect. */
    readonly statuses: Readonly<Record<number, number>>
    readonly mediaType: string
  }
  readonly pages: Markup
  /** What the bank calls an application with. */
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
  // A part of a hundredth stays one: it is for the bank to refuse.
  hear: ifNumber((amount) => amount / HUNDREDTHS),
}

const DECIMAL = /^-?\d+(\.\d+)?$/

/** Amounts are texts with two decimals. A number is none of them. */
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

/** Other words for the bank's own, several for one if need be: the first is said, all are heard, and its own is none. */
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

/** JSON in other words: a table says where each member of the bank's own JSON stands, and is read in both directions. */

/** One message on its way, as a member may have to know of it. */
export interface Turn {
  /** Its address as the bank knows it. */
  readonly here: URL
  /** Its address as the caller has it. */
  readonly there: URL
}

/** A value in another form. What is not of the form that it changes stays as it is: somebody may be wrong on purpose. */
interface Conversion {
  readonly say: (value: unknown, turn: Turn) => unknown
  readonly hear: (value: unknown) => unknown
}

interface PlaceOfMember {
  readonly at: string
  /** The words of the member itself; where it is a list, of each of its items. */
  readonly words?: Wording
  readonly as?: Conversion
}

type Place = string | PlaceOfMember

/** Dotted path in the bank's own JSON → where it stands. `$` is the whole, where that is a list. The rest stays. */
export type Wording = Readonly<Record<string, Place>>

type Members = Readonly<Record<string, unknown>>

interface Move {
  readonly from: string
  readonly to: string
  readonly convert: (value: unknown) => unknown
}

const WHOLE = '$'
const INDEX = /^\d+$/

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const placeOf = (place: Place): PlaceOfMember => (typeof place === 'string' ? { at: place } : place)

/** The member at a dotted path; nothing where there is none. */
export const read = (value: unknown, path: string): unknown => {
  if (path === WHOLE) return Array.isArray(value) ? value : undefined
  return path
    .split('.')
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
          ? (inner as Members)[key]
          : undefined,
      value,
    )
}

/** Without the member, and without the objects that are empty then. */
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
  // What is a list as a whole has no members.
  if (Array.isArray(value)) return value
  const members = isObject(value) ? value : {}
  return { ...members, [key]: deeper.length === 0 ? member : withMember(members[key], deeper, member) }
}

/** Puts a member where a dotted path says. */
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

/** The bank's own JSON in these words. */
export const say = (value: unknown, wording: Wording, turn: Turn): unknown =>
  moved(
    value,
    Object.entries(wording).map(([from, place]) => {
      const { at, words, as } = placeOf(place)
      const inWords = (item: unknown): unknown => (words === undefined ? item : say(item, words, turn))
      return {
        from,
        to: at,
        convert: (member) => worded(as === undefined ? member : as.say(member, turn), inWords),
      }
    }),
  )

/** The JSON of a caller in the words of the bank. */
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
