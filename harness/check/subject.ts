import { ViolationError } from './violation.ts'

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

/**
 * One value of the record, under the name by which a reader knows it. Each method states what a conforming bank
 * has there, and throws a ViolationError where this one has something else.
 */
export class Subject {
  readonly value: unknown
  readonly #name: string
  readonly #exchange: string

  constructor(name: string, value: unknown, exchange: string) {
    this.value = value
    this.#name = name
    this.#exchange = exchange
  }

  equals(expected: string | number | boolean): void {
    this.satisfies(this.value === expected, show(expected))
  }

  differsFrom(other: unknown, described: string): void {
    this.satisfies(this.value !== other, `something else than ${described}`)
  }

  isOneOf(expected: readonly (string | number)[]): void {
    this.satisfies(
      expected.some((one) => one === this.value),
      `one of ${showAll(expected)}`,
    )
  }

  isPresent(): void {
    this.satisfies(this.value !== undefined && this.value !== null, 'a value')
  }

  isAbsent(): void {
    this.satisfies(this.value === undefined || this.value === null, 'nothing')
  }

  /** A string that is not empty. */
  isText(): void {
    this.satisfies(typeof this.value === 'string' && this.value !== '', 'a string that is not empty')
  }

  isInteger(): void {
    this.satisfies(Number.isSafeInteger(this.value), 'an integer')
  }

  /** A number within bounds, both included. */
  isBetween(least: number, most: number, unit = ''): void {
    const { value } = this
    this.satisfies(
      typeof value === 'number' && value >= least && value <= most,
      `a number from ${least} to ${most}${unit && ` ${unit}`}`,
    )
  }

  /** A string of that form. */
  matches(pattern: RegExp, described: string): void {
    this.satisfies(typeof this.value === 'string' && this.value.search(pattern) >= 0, described)
  }

  /** A string with that part, whatever its case: a directive of a header. */
  contains(part: string): void {
    const isThere = typeof this.value === 'string' && this.value.toLowerCase().includes(part.toLowerCase())
    this.satisfies(isThere, `text with ${show(part)}`)
  }

  /** States anything else in words of its own. */
  satisfies(holds: boolean, expected: string): void {
    if (holds) return
    const received = show(this.value)
    throw new ViolationError({ subject: this.#name, expected, received, exchange: this.#exchange })
  }
}
