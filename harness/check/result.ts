import type { ProfileMismatch } from '../profile/mismatch/mismatch.ts'
import type { Model } from './model.ts'
import type { TimeLine } from './time-line/time-line.ts'
import type { Statement, Verdict, Violation } from './verdict.ts'

/** What decided on a check, if it was not its judge: the steps through which each finding passes, in words. */
export const DECIDED_BY = {
  'no-exchange': 'the judge read no exchange',
  interference: 'another scenario may have ended the grants of this one',
  intermediary: "an answer may be an intermediary's",
  profile: 'a key of the profile may be the reason',
  waiver: 'the finding is an accepted exception',
  another: 'another server than the bank answered, as it did to other operations',
  unanswered: 'the operation did not answer in the whole run',
  'refused-at-times': 'valid requests were refused now and then in the whole run',
} as const

export type DecidedBy = keyof typeof DECIDED_BY

export const DECIDED_BY_STEPS = Object.keys(DECIDED_BY) as DecidedBy[]

/** The result of one check, for each application that its scenario ran as. Plain data: it crosses processes. */
export interface CheckResult {
  /** The check's id in the plan. */
  readonly id: string
  readonly requirement: string
  readonly title: string
  readonly verdict: Verdict
  readonly durationMs: number
  /** How many assertions its judge made, if it returned; 0 where nothing occurred that it could judge. */
  readonly judged?: number
  /** The reason, if the verdict is neither a pass nor a violation. */
  readonly because?: string
  readonly violation?: Violation
  /** What changed the verdict of its judge. */
  readonly decidedBy?: DecidedBy
  /** When it can be judged, ISO 8601, if the run does not last that long. */
  readonly until?: string
  /** The keys of the profile that did not fit the target's answers, if that is why nothing was judged. */
  readonly mismatches?: readonly ProfileMismatch[]
  /** What it takes as true from the profile. */
  readonly statements?: readonly Statement[]
  /** The ids of the exchanges that the verdict rests on. */
  readonly exchanges: readonly string[]
}

export type CheckIdentity = Pick<CheckResult, 'id' | 'requirement' | 'title'>

/** What each result of a check has, whatever the verdict. */
export const identityOf = ({ id, requirement, title }: CheckIdentity): CheckIdentity => ({
  id,
  requirement,
  title,
})

/** What a run observed of something that the interface does not show. */
export interface Observation {
  readonly notShown: string
  readonly value: string
}

/** How often a run made each move of a model. */
export interface Visits {
  readonly model: Model
  /** By the id of the move; a missing one was never made. */
  readonly counts: Readonly<Record<string, number>>
}

/** The moves that a scenario shows. */
export interface KeptVisits extends Visits {
  /** The scenario's id in the plan. */
  readonly scenario: string
}

export interface KeptTimeLine extends TimeLine {
  /** The scenario's id in the plan. */
  readonly scenario: string
}

/** What the reports show of scenarios, besides the results of their checks. */
export interface Description {
  readonly observations: readonly Observation[]
  readonly visits: readonly KeptVisits[]
  readonly timeLines: readonly KeptTimeLine[]
}

/** When a scenario ran, and when it waited and let others run, in ms since 1970 by this machine's clock. */
export interface ScenarioSpan {
  /** The scenario's id in the plan. */
  readonly scenario: string
  readonly from: number
  readonly to: number
  readonly waits: readonly { readonly from: number; readonly to: number }[]
}
