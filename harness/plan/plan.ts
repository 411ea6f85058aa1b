import type { Chapter } from '../check/requirement.ts'
import type { Effect } from '../evidence/effect.ts'

/** One check as it will run: as one application, on one scenario. Plain data, since it crosses processes. */
export interface PlannedCheck {
  /** `TOK-03/1`, or `TOK-03/1@TPP` where the scenario runs once for each kind of application. */
  readonly id: string
  /** The spec file and the check's place in it: how a worker finds the check. */
  readonly key: string
  readonly requirement: string
  readonly chapter: Chapter
  readonly title: string
  /** The scenario's id, for instance `tokens/a-code-exchange@TPP`; exchanges are numbered below it. */
  readonly scenario: string
  readonly application?: 'FAC' | 'TPP'
  /** Relative to the project's root, with the line: `specs/tokens/exchange.spec.ts:12`. */
  readonly file: string
  readonly effect: Effect
  /** The strongest effect in the environment that is not judged, where its scenario acts there as well. */
  readonly elsewhere?: Effect
  /** Customer authorizations that its scenario takes by itself; shared by all checks of the scenario. */
  readonly authorizations: number
  /** Whether it uses a grant that a customer makes once for all scenarios that only read. */
  readonly sharesGrant: boolean
  /** Those grants, by application and customer: whatever needs the same ones has them for nothing. */
  readonly grants?: readonly string[]
  /** Who authorizes, by the profile's own labels; more than one where another customer takes part. */
  readonly customers?: readonly string[]
  readonly property: boolean
  /** Payments that its scenario initiates, and how many of them it submits. */
  readonly payments?: { readonly initiated: number; readonly submitted: number }
  /** Loan applications that its scenario submits. */
  readonly loans?: { readonly submitted: number }
  /** Whether it waits for webhook calls of the target. */
  readonly awaitsWebhooks?: true
  /** How much of the target's time its scenario lets pass, in ms, about. */
  readonly waitsMs?: number
  /** How long its scenario listens for calls that must not come, in ms of the target's time, about. */
  readonly listensMs?: number
  /** Why what it finds wrong is borne: a declared exception. */
  readonly waiver?: string
  /** Why it does not run: an effect that is not allowed, something the profile lacks. */
  readonly heldBack?: string
}

/** A requirement that the plan leaves without a verdict of any check, and why. */
export interface LeftOut {
  readonly requirement: string
  readonly because: string
}

/** What runs, and why the rest does not. */
export interface Plan {
  readonly checks: readonly PlannedCheck[]
  readonly leftOut: readonly LeftOut[]
  readonly effects: readonly Effect[]
  /** What is allowed in the environment that is not judged. */
  readonly effectsElsewhere: readonly Effect[]
  readonly seed: number
  readonly runs: number
}
