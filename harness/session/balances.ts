import { fieldOf } from './answer.ts'

/** The balances of an account: how they are put together is as little shown as their fields. */

export interface BalanceBinding {
  /** Where the balances stand. */
  readonly balances: string
  /** The amount, within one balance. */
  readonly amount: string
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Where each balance stands: in a list, under a name of its own, or alone. */
export const balancePaths = (value: unknown, { balances, amount }: BalanceBinding): readonly string[] => {
  if (Array.isArray(value)) return value.map((_, at) => `${balances}.${at}`)
  if (!isObject(value)) return []
  if (fieldOf(value, amount) !== undefined) return [balances]
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    isObject(inner) ? [`${balances}.${name}`] : [],
  )
}

/** A number, or a text with one: with a point or with a comma, in groups or without, and with its currency beside it. */
export const amountOf = (value: unknown): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? numberIn(value.replaceAll(BESIDE_DIGITS, '')) : Number.NaN
}

/** Blanks and apostrophes, and a currency by its sign or its code. */
const BESIDE_DIGITS = /[\s'’\p{Sc}]|(?<![A-Z])[A-Z]{3}(?![A-Z])/gu

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i

const numberIn = (text: string): number => {
  const marks = text.match(/[.,]/g) ?? []
  const last = marks.at(-1) ?? ''
  // What comes twice parts groups. One that comes once is that of the decimals, even before three of them.
  const isDecimal = marks.filter((mark) => mark === last).length === 1
  const end = isDecimal ? text.lastIndexOf(last) : text.length
  const plain = text.slice(0, end).replaceAll(/[.,]/g, '') + text.slice(end).replace(last, '.')
  return NUMBER.test(plain) ? Number(plain) : Number.NaN
}

/** Below a hundredth, half of the smallest part that most currencies have. */
const CLOSE = 0.005

const isClose = (one: number, other: number): boolean => Math.abs(one - other) < CLOSE

/** Two looks at the balances of one account, whatever the order in which they stand. */
export interface Balances {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** The balances of the second look that the first has not; one that stands twice was there twice. */
export const newBalances = ({ before, after }: Balances): readonly number[] => {
  const left = [...before]
  return after.filter((amount) => {
    const at = left.findIndex((was) => isClose(was, amount))
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

/**
 * Whether a balance has changed by an amount; a debit may be told by a sign, or by a field of its own.
 * @param parts of the currency's unit in which the balances may be told.
 */
export const areMovedBy = (amount: number, balances: Balances, parts: readonly number[]): boolean =>
  newBalances(balances).some((is) =>
    balances.before
      .flatMap((was) => [is - was, is + was])
      .some((change) => parts.some((part) => isClose(Math.abs(change), Math.abs(amount) * part))),
  )
