import type { Misfit } from './misfit.ts'
import type { Model } from './model.ts'
import type { TimeLine } from './time-line.ts'
import type { Verdict } from './verdict.ts'
import type { Violation } from './violation.ts'

/** What one check found, once for each application that its scenario ran as. Crosses processes: plain data only. */
export interface CheckResult {
  /** The check's id in the plan. */
  readonly id: string
  readonly requirement: string
  readonly title: string
  readonly verdict: Verdict
  readonly durationMs: number
  /** Why the verdict is neither a pass nor a violation. */
  readonly because?: string
  readonly violation?: Violation
  /** From when on it can be judged, ISO 8601, where the run does not last so long. */
  readonly until?: string
  /** The keys of the profile that did not fit what the target sent, where they are why nothing was judged. */
  readonly misfits?: readonly Misfit[]
  /** The ids of the exchanges that the verdict rests on. */
  readonly exchanges: readonly string[]
}

/** What a run observed of something that the interface does not show. */
export interface Observation {
  readonly undisclosed: string
  readonly value: string
}

/** How often a run has made the moves of a model. */
export interface Visits {
  readonly model: Model
  /** By the ids of the moves; of one that is left out, never. */
  readonly counts: Readonly<Record<string, number>>
}

/** The moves that a scenario shows. */
export interface KeptVisits extends Visits {
  /** The scenario's id in the plan. */
  readonly scenario: string
}

/** The time line that a scenario shows. */
export interface KeptTimeLine extends TimeLine {
  /** The scenario's id in the plan. */
  readonly scenario: string
}
