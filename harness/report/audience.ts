import type { CheckResult } from '../check/result.ts'
import type { Plan } from '../plan/plan.ts'

/** A scenario that waits until then, in ms since 1970 by this machine; one that goes on, without it. */
export interface WaitNotice {
  readonly scenario: string
  readonly until?: number
}

/** Who watches a run. */
export interface Audience {
  begins(plan: Plan): void
  hears(result: CheckResult): void
  warns(sentence: string): void
  /** Leaves the terminal to somebody who asks a person, until the result is called. */
  yields?(): () => void
  /** Is told of what the run waits for; left out, nobody wants to know. */
  waits?(notice: WaitNotice): void
}
