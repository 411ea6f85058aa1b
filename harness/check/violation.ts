/** A statement of the interface seen broken: the only thing that makes a `fail`. */
export interface Violation {
  /** What was looked at: `token_type`, `status`, `redirect parameter "state"`. */
  readonly subject: string
  /** What a conforming bank answers, as words that follow "expected". */
  readonly expected: string
  /** What this one answered, as words that follow "received". */
  readonly received: string
  /** The id of the exchange that shows it. */
  readonly exchange: string
  /** Of a property: the smallest case found, and what repeats it. */
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

/** The one place where a violation becomes a sentence. */
export const renderViolation = ({ subject, expected, received, counterexample }: Violation): string =>
  `${subject}: expected ${expected}; received ${received}` +
  (counterexample === undefined ? '' : ` (with ${counterexample.value})`)
