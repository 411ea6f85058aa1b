import type { Conversion } from './json.ts'

/** Values in another form. */

const HUNDREDTHS = 100

const ifNumber =
  (change: (value: number) => unknown) =>
  (value: unknown): unknown =>
    typeof value === 'number' ? change(value) : value

/** Amounts are whole numbers of hundredths. */
export const hundredths: Conversion = {
  toDialect: ifNumber((amount) => Math.round(amount * HUNDREDTHS)),
  // A fraction of a hundredth is not rounded, so that the bank refuses it.
  fromDialect: ifNumber((amount) => amount / HUNDREDTHS),
}

const DECIMAL = /^-?\d+(\.\d+)?$/

/** Amounts are texts with two decimals. A number is not accepted. */
export const decimalText: Conversion = {
  toDialect: ifNumber((amount) => amount.toFixed(2)),
  fromDialect: (value) => {
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value
  },
}

/** Numbers that are counted from 0, where the bank counts from 1. */
export const fromZero: Conversion = {
  toDialect: ifNumber((number) => number - 1),
  fromDialect: ifNumber((number) => number + 1),
}

/** Other values for the bank's values. If one has several, the first is sent and all are accepted; the bank's value is refused. */
export const words = (
  others: Readonly<Record<string, string | readonly [string, ...string[]]>>,
): Conversion => {
  const sent = new Map(Object.entries(others).map(([own, other]) => [own, [other].flat()[0]]))
  const received = new Map(
    Object.entries(others).flatMap(([own, other]) => [other].flat().map((word) => [word, own] as const)),
  )
  return {
    toDialect: (value) => sent.get(String(value)) ?? value,
    fromDialect: (value) => {
      if (typeof value !== 'string') return value
      return received.get(value) ?? (sent.has(value) ? `the unknown word ${value}` : value)
    },
  }
}
