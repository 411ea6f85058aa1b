import { ViolationError } from './violation.ts'

/**
 * One value of the record, under the name by which a reader knows it. Each method states what a conforming bank
 * has there, and throws a ViolationError where this one has something else.
 */
export interface Subject {
  readonly value: unknown
  equals(expected: string | number | boolean): void
  differsFrom(other: unknown, described: string): void
  isOneOf(expected: readonly (string | number)[]): void
  isPresent(): void
  isAbsent(): void
  /** A string that is not empty. */
  isText(): void
  isInteger(): void
  /** A number within bounds, both included. */
  isBetween(least: number, most: number, unit?: string): void
  /** A string of that form. */
  matches(pattern: RegExp, described: string): void
  /** A string with that part, whatever its case: a directive of a header. */
  contains(part: string): void
  /** States anything else in words of its own. */
  satisfies(holds: boolean, expected: string): void
}

/** A received value in words: quoted, and whole, since secrets are found in a whole value alone. */
export const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

const LONGEST_SHOWN = 120

/** Cuts a value in words where it is long. To be done once the secrets are out of it: half of one is not found. */
export const shorten = (text: string): string =>
  text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)`

/** `"a", "b" … "z"`: all of a short list, the ends of a long one. */
const showAll = (values: readonly (string | number)[]): string =>
  values.length <= 5
    ? values.map(show).join(', ')
    : `${values.slice(0, 3).map(show).join(', ')} … ${show(values.at(-1))}`

export const createSubject = (subject: string, value: unknown, exchange: string): Subject => {
  const satisfies = (holds: boolean, expected: string): void => {
    if (!holds) throw new ViolationError({ subject, expected, received: show(value), exchange })
  }
  return {
    value,
    satisfies,
    equals: (expected) => satisfies(value === expected, show(expected)),
    differsFrom: (other, described) => satisfies(value !== other, `something else than ${described}`),
    isOneOf: (expected) =>
      satisfies(
        expected.some((one) => one === value),
        `one of ${showAll(expected)}`,
      ),
    isPresent: () => satisfies(value !== undefined && value !== null, 'a value'),
    isAbsent: () => satisfies(value === undefined || value === null, 'nothing'),
    isText: () => satisfies(typeof value === 'string' && value !== '', 'a string that is not empty'),
    isInteger: () => satisfies(Number.isSafeInteger(value), 'an integer'),
    isBetween: (least, most, unit = '') =>
      satisfies(
        typeof value === 'number' && value >= least && value <= most,
        `a number from ${least} to ${most}${unit && ` ${unit}`}`,
      ),
    matches: (pattern, described) =>
      satisfies(typeof value === 'string' && value.search(pattern) >= 0, described),
    contains: (part) =>
      satisfies(
        typeof value === 'string' && value.toLowerCase().includes(part.toLowerCase()),
        `text with ${show(part)}`,
      ),
  }
}
