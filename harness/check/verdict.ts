/** A statement of the interface that was seen broken. Only this makes a `fail` or a `warn`. */
export interface Violation {
  /** What was judged: `token_type`, `status`, `redirect parameter "state"`. */
  readonly subject: string
  /** What a conforming bank answers, as words that follow "expected". */
  readonly expected: string
  /** What this one answered, as words that follow "received". */
  readonly received: string
  /** The id of the exchange that shows it. */
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

/** Renders a violation as a sentence. */
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
  'not-applicable',
] as const

export type Verdict = (typeof VERDICTS)[number]

/** The verdict on a requirement from the verdicts of its checks; a requirement without any was not reached. */
export const combine = (verdicts: readonly Verdict[]): Verdict =>
  VERDICTS.find((word) => verdicts.includes(word)) ?? 'not-reached'
