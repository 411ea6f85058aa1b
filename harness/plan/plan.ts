import type { Chapter } from '../check/requirement.ts'
import type { Effect } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Waiver } from './waivers.ts'

export interface PlanOptions {
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly allow: readonly Effect[]
  readonly seed: number
  readonly runs: number
  readonly time: 'auto' | 'wall'
  readonly webhookUrl?: string | undefined
  readonly waived?: readonly Waiver[]
}

/** A target as the plan sees it: its profile, and whether its clock is the harness's own. */
export interface PlannedTarget {
  readonly profile: Profile
  readonly virtual: boolean
}

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
  /** Whether it uses a grant that a customer gives once for all scenarios that only read. */
  readonly sharesGrant: boolean
  /** Those grants, by application and customer: scenarios that need the same one share it. */
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
  /** Why a violation is accepted: a declared exception. */
  readonly waiver?: string
  /** Why it does not run: an effect that is not allowed, something the profile lacks. */
  readonly heldBack?: string
  /** The part that its scenario belongs to, where the plan is split. */
  readonly shard?: number
}

/** A requirement that the plan leaves without a verdict of any check, and why. */
export interface LeftOut {
  readonly requirement: string
  readonly because: string
}

/** Which part of a whole plan a run judges. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly count: number
  /** SHA-256 over the whole plan and what of it is in which part: shards with the same digest belong together. */
  readonly plan: string
  /** The scenarios that run in this part, and in all. */
  readonly scenarios: number
  readonly of: number
  /** The other parts that judge a requirement too, by its id. */
  readonly elsewhere: Readonly<Record<string, readonly number[]>>
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
  /** Left out of a whole plan. */
  readonly shard?: Shard
}

/** The checks of a plan that run. */
export const running = ({ checks }: Pick<Plan, 'checks'>): readonly PlannedCheck[] =>
  checks.filter(({ heldBack }) => heldBack === undefined)

/** The spec files that state them: `specs/tokens/exchange.spec.ts`. */
export const specFilesOf = (plan: Pick<Plan, 'checks'>): readonly string[] => [
  ...new Set(running(plan).map(({ key }) => key.slice(0, key.indexOf('#')))),
]
