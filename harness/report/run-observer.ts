import type { CheckResult } from '../check/result.ts'
import type { WaitNotice } from '../evidence/signals.ts'
import type { Plan } from '../plan/plan.ts'

/** Is notified of the progress of a run. */
export interface RunObserver {
  onStart(plan: Plan): void
  onResult(result: CheckResult): void
  onWarning(sentence: string): void
  /** Keeps the terminal free for a question to a person, until the returned function is called. */
  pauseOutput?(): () => void
  /** A scenario starts to wait, or continues; optional, since each notice crosses processes. */
  onWait?(notice: WaitNotice): void
}
