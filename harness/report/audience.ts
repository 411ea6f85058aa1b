import type { CheckResult } from '../check/result.ts'
import type { Plan } from '../plan/plan.ts'

/** Who watches a run. */
export interface Audience {
  begins(plan: Plan): void
  hears(result: CheckResult): void
  warns(sentence: string): void
  /** Leaves the terminal to somebody who asks a person, until the result is called. */
  yields?(): () => void
}
