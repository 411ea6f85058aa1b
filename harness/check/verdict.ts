import { factsOf, isPseudonym } from './facts.ts'
import { NotReached } from '../evidence/signals.ts'

/** A statement of the interface that was seen broken. Only this makes a `fail` or a `warn`. */
export interface Violation {
  /** What was judged: `token_type`, `status`, `redirect parameter "state"`. */
  readonly subject: string
  /** What a conforming bank answers, as words that follow "expected". */
  readonly expected: string
  /** What this one answered, as words that follow "received". */
  readonly received: string
  readonly exchange: string
  /** For a property: the smallest failing case, and what reproduces it. */
  readonly counterexample?: { readonly value: string; readonly seed: number; readonly path: string }
}

export class ViolationError extends Error {
  override readonly name = 'ViolationError'
  readonly violation: Violation
  constructor(violation: Violation) {
    super(renderViolation(violation))
    this.violation = violation
  }
}

/** Why a check that made no assertion is not reached. */
export const NOTHING_TO_JUDGE = 'nothing occurred that it could judge'

/** What the owner of a target states in its profile, and a verdict takes as true. */
export interface Statement {
  /** The key of the profile. */
  readonly key: string
  /** After "the profile states that". */
  readonly states: string
}

let assertionsMade = 0
let statements: Statement[] = []

/**
 * Judges what follows from a statement of the profile: what is found says so, and the report lists the statement.
 * @throws NotReached with the key, unless its reason already says where to look.
 */
export const restsOn = ({ key, states }: Statement, judge: () => void): void => {
  const before = assertionsMade
  try {
    judge()
  } catch (error) {
    if (error instanceof ViolationError) {
      const expected = `${error.violation.expected}, since the profile states that ${states} (${key})`
      throw new ViolationError({ ...error.violation, expected })
    }
    if (error instanceof NotReached && !error.message.includes('look at '))
      throw new NotReached(`the order of ${key}: ${error.message}`)
    throw error
  } finally {
    if (assertionsMade > before) statements.push({ key, states })
  }
}

/**
 * One assertion of a judge; all others are made of this one. It counts, so that a check that ends without an assertion is
 * not taken for a pass.
 * @param violation what is wrong if it does not hold.
 * @throws ViolationError if it does not hold.
 */
export const assert = (holds: boolean, violation: () => Violation): void => {
  assertionsMade += 1
  if (!holds) throw new ViolationError(violation())
}

/** Counts an assertion that holds, for judges that leave early then and explain below what would break it. */
export const held = (): void => void (assertionsMade += 1)

/** How many assertions a judge made, the one that did not hold included, and what it threw. */
export interface Judgement {
  readonly judged: number
  readonly statements: readonly Statement[]
  readonly thrown?: unknown
}

/** Runs a judge, and never throws. Judges are synchronous: no other one counts in between. */
export const countAssertions = (judge: () => void): Judgement => {
  const before = assertionsMade
  statements = []
  try {
    judge()
    return { judged: assertionsMade - before, statements }
  } catch (thrown) {
    return { judged: assertionsMade - before, statements, thrown }
  }
}

/** Judges each of them. @returns why some were not reached. */
const unreachedIn = <Item>(items: readonly Item[], judge: (item: Item) => void): readonly NotReached[] =>
  items.flatMap((item) => {
    try {
      judge(item)
      return []
    } catch (error) {
      if (error instanceof NotReached) return [error]
      throw error
    }
  })

/** Judges those that can be judged. @throws NotReached if none can. */
export const eachReached = <Item>(items: readonly Item[], judge: (item: Item) => void): void => {
  const unreached = unreachedIn(items, judge)
  if (items.length === 0) throw new NotReached('there was none')
  const [first] = unreached
  if (first !== undefined && unreached.length === items.length) throw first
}

/** Judges all of them. @throws NotReached with all reasons if some cannot be judged and none of the others is wrong. */
export const everyOne = <Item>(items: readonly Item[], judge: (item: Item) => void): void => {
  const reasons = new Set(unreachedIn(items, judge).map(({ message }) => message))
  if (reasons.size > 0) throw new NotReached([...reasons].join('; '))
}

export const renderViolation = ({ subject, expected, received, counterexample }: Violation): string =>
  `${subject}: expected ${expected}; received ${received}` +
  (counterexample === undefined ? '' : ` (with ${counterexample.value})`)

/**
 * The verdicts, worst first: the verdict on a requirement is the first word of this list that any of its checks
 * has.
 */
export const VERDICTS = [
  'fail',
  'harness-error',
  'inconclusive',
  'not-reached',
  'warn',
  'waived',
  'pass',
  'not-tested',
  'not-applicable',
] as const

export type Verdict = (typeof VERDICTS)[number]

/** The verdict on a requirement from the verdicts of its checks; a requirement without any was not reached. */
export const combine = (verdicts: readonly Verdict[]): Verdict =>
  VERDICTS.find((word) => verdicts.includes(word)) ?? 'not-reached'

/** A received value as text, uncut: a secret is only found in a whole value. */
export const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

/** How a received secret differs from the expected one: two pseudonyms show that they differ only. */
const differenceTo = (expected: unknown, received: unknown): string => {
  if (typeof expected !== 'string' || typeof received !== 'string') return ''
  if (expected === received || !isPseudonym(expected) || !isPseudonym(received)) return ''
  const [own, other] = [factsOf(expected), factsOf(received)]
  const more = other.length - own.length
  if (other.contains?.includes(expected))
    return ` (which the received value has, with ${more} more characters)`
  if (own.contains?.includes(received))
    return ` (the received value is a part of it, ${-more} characters shorter)`
  return more === 0 ? '' : ` (${own.length} characters, and ${other.length} were received)`
}

const LONGEST_SHOWN = 120

/** Shortens a long text. Only after redaction: half of a secret is not found. */
export const shorten = (text: string): string =>
  text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)`

/** `"a", "b" … "z"`: all of a short list, the ends of a long one. */
const showAll = (values: readonly (string | number)[]): string =>
  values.length <= 5
    ? values.map(show).join(', ')
    : `${values.slice(0, 3).map(show).join(', ')} … ${show(values.at(-1))}`

/**
 * One value of a record, with the name that messages use. Each method states what a conforming bank has there, and
 * throws a ViolationError if this value differs.
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
    this.satisfies(this.value === expected, `${show(expected)}${differenceTo(expected, this.value)}`)
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

  /** A string that contains that part, in any case: a directive of a header. */
  contains(part: string): void {
    const isThere = typeof this.value === 'string' && this.value.toLowerCase().includes(part.toLowerCase())
    this.satisfies(isThere, `text with ${show(part)}`)
  }

  /** Any other statement. @param expected words that follow "expected". */
  satisfies(holds: boolean, expected: string): void {
    assert(holds, () => ({
      subject: this.#name,
      expected,
      received: show(this.value),
      exchange: this.#exchange,
    }))
  }
}
