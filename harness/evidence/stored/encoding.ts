import { isExchange } from '../record/answer.ts'
import type { Exchange } from '../exchange.ts'

/**
 * The record of a scenario as JSON, without secrets. Exchanges are references to lines of the evidence. What JSON cannot
 * express has an object with one member whose name begins with `$`.
 */

/** A record that cannot be stored. */
export class Unstorable extends Error {
  override readonly name = 'Unstorable'
}

export interface Encoding {
  /** The beginning of the ids of most exchanges, which is left out of references. */
  readonly scenario: string
  readonly hide: (text: string) => string
  /** Replaces secrets in the name of a member. Names that this program gives stay, also if a secret is the same word. */
  readonly hideInName: (name: string) => string
  /** Called with the id of each exchange. */
  readonly onExchange?: (id: string) => void
}

/** A reference to an exchange, with what the evidence does not show of it. */
interface Reference {
  readonly $exchange: string
  readonly timesRepeated?: number
  readonly timesSent?: number
  readonly acceptedAs?: string
  readonly continued?: { readonly list: string; readonly pages: readonly Reference[] }
}

const referenceTo = (exchange: Exchange, scenario: string): Reference => {
  const { id, timesRepeated, timesSent, acceptedAs, continued } = exchange
  return {
    $exchange: id.startsWith(`${scenario}/`) ? id.slice(scenario.length) : id,
    ...(timesRepeated !== undefined && { timesRepeated }),
    ...(timesSent !== undefined && { timesSent }),
    ...(acceptedAs !== undefined && { acceptedAs }),
    ...(continued && {
      continued: { ...continued, pages: continued.pages.map((page) => referenceTo(page, scenario)) },
    }),
  }
}

/** Members whose text is written by this program, not by the target: it stays, also if a secret is the same word. */
const WRITTEN_HERE: ReadonlySet<string> = new Set(['kind', 'outcome'])

/** @throws Unstorable if a part of it is not data. */
export const encodeRecord = (
  record: unknown,
  { scenario, hide, hideInName, onExchange }: Encoding,
): unknown => {
  const encode = (value: unknown): unknown => {
    switch (typeof value) {
      case 'string':
        return hide(value)
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0) ? value : { $number: String(value) }
      case 'undefined':
        return { $undefined: true }
      case 'bigint':
        return { $bigint: String(value) }
      case 'boolean':
        return value
      case 'object':
        return value === null ? null : encodeObject(value)
      default:
        throw new Unstorable(`the record holds a ${typeof value}`)
    }
  }
  const encodeObject = (value: object): unknown => {
    if (isExchange(value)) {
      for (const { id } of [value, ...(value.continued?.pages ?? [])]) onExchange?.(id)
      return referenceTo(value, scenario)
    }
    if (value instanceof Date) return { $date: value.getTime() }
    if (Array.isArray(value)) return value.map(encode)
    const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
      const isOurs = WRITTEN_HERE.has(key) && typeof member === 'string'
      return [hideInName(key), isOurs ? member : encode(member)] as const
    })
    return members.some(([key]) => key.startsWith('$')) ? { $members: members } : Object.fromEntries(members)
  }
  try {
    return encode(record)
  } catch (error) {
    if (error instanceof RangeError) throw new Unstorable('the record is nested too deeply')
    throw error
  }
}

const NUMBERS: Readonly<Record<string, number>> = { NaN, Infinity, '-Infinity': -Infinity, '0': -0 }

export interface Decoding {
  readonly scenario: string
  /** @returns undefined if the evidence has no such exchange. */
  readonly exchangeOf: (id: string) => Exchange | undefined
}

/** @throws Error if an exchange is not in the evidence. */
export const decodeRecord = (encoded: unknown, { scenario, exchangeOf }: Decoding): unknown => {
  const find = ({ $exchange, continued, ...sent }: Reference): Exchange => {
    const id = $exchange.startsWith('/') ? scenario + $exchange : $exchange
    const exchange = exchangeOf(id)
    if (exchange === undefined) throw new Error(`the exchange ${id} is not in the evidence`)
    const pages = continued && { continued: { ...continued, pages: continued.pages.map(find) } }
    return pages === undefined && Object.keys(sent).length === 0
      ? exchange
      : { ...exchange, ...sent, ...pages }
  }
  const decode = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(decode)
    if ('$exchange' in value) return find(value as Reference)
    if ('$date' in value) return new Date(value.$date === null ? NaN : Number(value.$date))
    if ('$number' in value) return NUMBERS[String(value.$number)]
    if ('$bigint' in value) return BigInt(String(value.$bigint))
    if ('$undefined' in value) return undefined
    const members = '$members' in value ? (value.$members as [string, unknown][]) : Object.entries(value)
    return Object.fromEntries(members.map(([key, member]) => [key, decode(member)]))
  }
  return decode(encoded)
}
