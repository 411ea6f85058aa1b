import { fieldOf } from './answer.ts'
import { isObjectOrList } from '../json.ts'

/** The balances of an account. The interface shows neither their structure nor their fields. */

export interface BalanceBinding {
  /** Where the balances stand. */
  readonly balances: string
  /** The amount, within one balance. */
  readonly amount: string
}

/** The path of each balance: in a list, under a name of its own, or a single object. */
export const balancePaths = (value: unknown, { balances, amount }: BalanceBinding): readonly string[] => {
  if (Array.isArray(value)) return value.map((_, at) => `${balances}.${at}`)
  if (!isObjectOrList(value)) return []
  if (fieldOf(value, amount) !== undefined) return [balances]
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    isObjectOrList(inner) ? [`${balances}.${name}`] : [],
  )
}

/**
 * An amount as a number, or as a string: with a decimal point or comma, with or without grouping, and with a
 * currency.
 */
export const amountOf = (value: unknown): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? numberIn(value.replaceAll(BESIDE_DIGITS, '')) : Number.NaN
}

/** Spaces and apostrophes, and a currency sign or code. */
const BESIDE_DIGITS = /[\s'’\p{Sc}]|(?<![A-Z])[A-Z]{3}(?![A-Z])/gu

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i

const numberIn = (text: string): number => {
  const marks = text.match(/[.,]/g) ?? []
  const last = marks.at(-1) ?? ''
  // A mark that occurs twice separates groups. One that occurs once is the decimal mark, even before three digits.
  const isDecimal = marks.filter((mark) => mark === last).length === 1
  const end = isDecimal ? text.lastIndexOf(last) : text.length
  const plain = text.slice(0, end).replaceAll(/[.,]/g, '') + text.slice(end).replace(last, '.')
  return NUMBER.test(plain) ? Number(plain) : Number.NaN
}

/** Half of a hundredth, the smallest unit of most currencies. */
const CLOSE = 0.005

const isClose = (one: number, other: number): boolean => Math.abs(one - other) < CLOSE

/** The balances of one account before and after, in any order. */
export interface Balances {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** The balances after that were not there before; duplicates count separately. */
export const newBalances = ({ before, after }: Balances): readonly number[] => {
  const left = [...before]
  return after.filter((amount) => {
    const at = left.findIndex((was) => isClose(was, amount))
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

/** Balances may be given in the smallest part of the currency, of which there are so many in a whole unit. */
const PARTS: readonly number[] = [1, 100, 1000]

/** 1 for a balance that a credit raises, -1 for one that it lowers: a debt may be shown without a sign. */
type Direction = 1 | -1
const DIRECTIONS: readonly Direction[] = [1, -1]

/** A balance that was changed by an amount. Its direction is another one afterwards only where it has passed zero. */
interface Move {
  readonly was: number
  readonly is: number
  readonly from: Direction
  readonly to: Direction
}

/** The balances that were changed by an amount. */
export const movesBy = (amount: number, balances: Balances, parts = PARTS): readonly Move[] =>
  newBalances(balances).flatMap((is) =>
    balances.before.flatMap((was) =>
      DIRECTIONS.flatMap((from) =>
        DIRECTIONS.filter((to) => parts.some((part) => isClose(to * is, from * was + amount * part))).map(
          (to) => ({ was, is, from, to }),
        ),
      ),
    ),
  )

export const areMovedBy = (amount: number, balances: Balances, parts = PARTS): boolean =>
  movesBy(amount, balances, parts).length > 0

/**
 * Whether a balance that was changed by one amount, and then by another, has kept its direction between them. True where
 * none was changed by both.
 */
export const keepDirection = (first: readonly Move[], second: readonly Move[]): boolean => {
  const kept = first.flatMap((one) =>
    second.filter(({ was }) => isClose(was, one.is)).map(({ from }) => from === one.to),
  )
  return kept.length === 0 || kept.includes(true)
}
