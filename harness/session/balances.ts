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

/** A number, or a text with one: with a point or with a comma. */
export const amountOf = (value: unknown): number =>
  typeof value === 'string' && /^[+-]?\d+([.,]\d+)?$/.test(value)
    ? Number(value.replace(',', '.'))
    : typeof value === 'number'
      ? value
      : Number.NaN

/** Amounts of two looks at the same balances, whatever their order: those of the second that the first has not. */
export const newAmounts = (before: readonly number[], after: readonly number[], close: number) =>
  after.filter((amount) => !before.some((was) => Math.abs(was - amount) < close))
