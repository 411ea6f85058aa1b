import { NotReached } from '../evidence/signals.ts'
import type { Subject } from './verdict.ts'

/** Patterns by which a secret can be predicted from earlier ones. A few samples show only the simplest. */

/** One of a series of secrets, and when it was requested by the target's clock. */
export interface Issued {
  readonly secret?: string | undefined
  /** ISO 8601. */
  readonly at: string
}

/**
 * For scenarios, which know the secrets themselves: the pattern that predicts the last one, a counter, a constant step, or
 * a clock reading, in digits of base 10, 16 or 36, in bytes, or in base64 of these. It may be that of two or three of them,
 * where a bank has several servers. A record has it beside the secrets.
 * @param series in the order of issue; what was not given out is left out.
 * @returns in words; undefined if there is none, or there are fewer than three secrets.
 */
export const patternIn = (series: readonly Issued[]): string | undefined => {
  const issued = series.flatMap(({ secret, at }) => (secret === undefined ? [] : [{ secret, at }]))
  if (issued.length < 3) return undefined
  for (const part of [issued, ...partsOf(issued)]) {
    const times = part.map(({ at }) => Date.parse(at))
    const secrets = part.map(({ secret }) => secret)
    const pattern = patternOf(secrets, times, part !== issued)
    if (pattern !== undefined) return pattern
  }
  return undefined
}

/** Each two and each three of a series, in its order. */
const partsOf = <One>(series: readonly One[]): readonly (readonly One[])[] =>
  series.flatMap((one, at) => {
    const later = series.slice(at + 1)
    return later.flatMap((second, next) => [
      [one, second],
      ...later.slice(next + 1).map((third) => [one, second, third]),
    ])
  })

/**
 * Judges that the last secret of a series does not follow from the others.
 * @param series three or more, in the order of issue. @param pattern which `patternIn` has found in it.
 * @throws NotReached if one is missing.
 */
export const isUnguessable = (series: readonly Subject[], pattern: string | undefined): void => {
  if (series.some(({ value }) => typeof value !== 'string'))
    throw new NotReached('one of the series was not given out')
  series.at(-1)?.satisfies(pattern === undefined, `something else than ${pattern ?? ''}`)
}

/** The pattern that predicts the next value, in words; undefined if there is none. In a part, short ones may occur by chance. */
export const patternOf = (
  values: readonly string[],
  times: readonly number[],
  isPart = false,
): string | undefined => {
  for (const view of viewsOf(values).filter((texts) => !isPart || texts.every(isLong))) {
    for (const read of NOTATIONS) {
      const numbers = numbersOf(view, read)
      if (numbers === undefined) continue
      if (isClock(numbers, times)) return 'a reading of the clock'
      const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0n))
      if (steps.length > 1 && steps.every((step) => step !== 0n && step === steps[0]))
        return 'a constant step from the one before'
      if (steps.every(isSmall) && view.every(isLong)) return 'a small step from the one before'
    }
  }
  return undefined
}

type Notation = (text: string) => bigint | undefined

const inBase =
  (base: bigint, form: RegExp): Notation =>
  (text) =>
    form.test(text)
      ? Array.from(text).reduce((number, digit) => number * base + BigInt(parseInt(digit, 36)), 0n)
      : undefined

const NOTATIONS: readonly Notation[] = [
  inBase(10n, /^[0-9]+$/),
  inBase(16n, /^[0-9a-f]+$/i),
  inBase(36n, /^[0-9a-z]+$/i),
  (text) => (text === '' ? undefined : BigInt(`0x${Buffer.from(text, 'latin1').toString('hex')}`)),
]

const numbersOf = (view: readonly string[], read: Notation): readonly bigint[] | undefined => {
  const numbers = view.flatMap((text) => read(text) ?? [])
  return numbers.length === view.length ? numbers : undefined
}

/**
 * The series as it is and decoded from base64. Each: the whole texts; the texts without their common beginning and
 * end; and these with the adjacent digits, because the first digits of a clock stay the same for long.
 */
const viewsOf = (values: readonly string[]): readonly (readonly string[])[] => {
  const decoded = values.map((value) => Buffer.from(value, 'base64').toString('latin1'))
  return [values, decoded].flatMap((series) => {
    const { head, tail } = commonEnds(series)
    const digitsBefore = /\d*$/.exec(head)?.[0].length ?? 0
    const digitsAfter = /^\d*/.exec(tail)?.[0].length ?? 0
    return [
      series,
      inner(series, head.length, tail.length),
      inner(series, head.length - digitsBefore, tail.length - digitsAfter),
    ]
  })
}

const inner = (series: readonly string[], head: number, tail: number): readonly string[] =>
  series.map((text) => text.slice(head, text.length - tail))

/** The common beginning of a series, and the common end of the rest. */
const commonEnds = (series: readonly string[]): { readonly head: string; readonly tail: string } => {
  const [first = ''] = series
  const head = commonHead(series)
  const reversed = series.map((text) => Array.from(text.slice(head)).reverse().join(''))
  const tail = commonHead(reversed)
  return { head: first.slice(0, head), tail: first.slice(first.length - tail) }
}

const commonHead = ([first = '', ...others]: readonly string[]): number => {
  const differs = Array.from(first).findIndex((character, at) =>
    others.some((text) => text[at] !== character),
  )
  return differs < 0 ? first.length : differs
}

const SMALL = 10_000n
/** With this many digits, random values are never this close together. */
const LONG = 12

const isSmall = (step: bigint): boolean => step !== 0n && step < SMALL && step > -SMALL
const isLong = (text: string): boolean => text.length >= LONG

/** Units of a clock in ms: ns, µs, ms, s. */
const UNITS = [1e-6, 1e-3, 1, 1e3]
const DAY_MS = 24 * 60 * 60 * 1000

const isClock = (numbers: readonly bigint[], times: readonly number[]): boolean =>
  UNITS.some((unit) =>
    numbers.every((number, at) => Math.abs(Number(number) * unit - (times[at] ?? 0)) < DAY_MS),
  )
