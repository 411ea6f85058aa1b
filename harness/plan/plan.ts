import type { Chapter } from '../check/requirement.ts'
import type { Effect } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Rotation } from '../profile/rotation.ts'
import type { Reason } from './reason.ts'
import type { ScopeName } from './scope.ts'
import type { Waiver } from './waivers.ts'

export interface PlanOptions {
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** The named scope that is asked for; by default the whole interface. */
  readonly scope?: ScopeName | undefined
  readonly allow: readonly Effect[]
  readonly seed: number
  readonly runs: number
  readonly time: 'auto' | 'wall'
  readonly webhookUrl?: string | undefined
  readonly waived?: readonly Waiver[]
}

/** The target of a plan: its profile, and whether its clock is virtual. */
export interface PlannedTarget {
  readonly profile: Profile
  readonly virtual: boolean
}

/** One check as it will run: as one application, on one scenario. Plain data, since it crosses processes. */
export interface PlannedCheck {
  /** `TOK-03/1`, or `TOK-03/1@TPP` if the scenario runs once for each kind of application. */
  readonly id: string
  /** The key of the check in the catalogue: how a worker finds the check. */
  readonly key: string
  readonly requirement: string
  readonly chapter: Chapter
  readonly title: string
  /** The scenario's id, for instance `tokens/a-code-exchange@TPP`; exchanges are numbered below it. */
  readonly scenario: string
  readonly application?: 'FAC' | 'TPP'
  /** The kind of the application that acts, if the scenario runs as an application of any kind. */
  readonly actingKind?: 'FAC' | 'TPP'
  /** Which application, customer and redirect URI are used. */
  readonly rotation?: Rotation
  /** The kind of application as which the scenario would run too, if the profile had one. */
  readonly missingKind?: 'FAC' | 'TPP'
  /** The facets that distinguish it from other checks of its requirement: `second variant`, `redirect`, `production`. */
  readonly facets?: readonly string[]
  /** Relative to the project's root, with the line: `specs/tokens/exchange.spec.ts:12`. */
  readonly file: string
  readonly effect: Effect
  /** The strongest effect in the other environment, if its scenario sends requests there. */
  readonly elsewhere?: Effect
  /** The number of customer authorizations of its scenario, without shared grants. */
  readonly authorizations: number
  /** Whether it uses a grant that all scenarios share that only read. */
  readonly sharesGrant: boolean
  /** Those grants, by application and customer: scenarios that need the same one share it. */
  readonly grants?: readonly string[]
  /** The labels of the customers who authorize. */
  readonly customers?: readonly string[]
  readonly property: boolean
  /** Whether it judges all answers of the run, when the run has ended. */
  readonly judgesRun?: true
  /** Payments that its scenario initiates, and how many of them it submits. */
  readonly payments?: { readonly initiated: number; readonly submitted: number }
  /** Loan applications that its scenario submits. */
  readonly loans?: { readonly submitted: number }
  /** Whether it waits for webhook calls of the target. */
  readonly awaitsWebhooks?: true
  /** The approximate wait of its scenario, in ms of the target's time. */
  readonly waitsMs?: number
  /** The approximate time in which its scenario expects that no webhook call comes, in ms of the target's time. */
  readonly listensMs?: number
  /** Whether it waits by the wall clock, because nothing moves the target's. */
  readonly isWaitedFor?: true
  /** Why a violation is accepted: a declared exception. */
  readonly waiver?: string
  /** Why it does not run: an effect that is not allowed, or a missing part of the profile. */
  readonly heldBack?: Reason
}

/** A requirement that the plan leaves without a verdict of any check, and why. */
export interface LeftOut extends Reason {
  readonly requirement: string
}

/** The checks of a run, and the requirements that are left out. */
export interface Plan {
  readonly checks: readonly PlannedCheck[]
  readonly leftOut: readonly LeftOut[]
  /** The scope that was asked for. */
  readonly scope: ScopeName
  readonly effects: readonly Effect[]
  /** The effects that are allowed in the other environment. */
  readonly effectsElsewhere: readonly Effect[]
  readonly seed: number
  readonly runs: number
}

export const running = ({ checks }: Pick<Plan, 'checks'>): readonly PlannedCheck[] =>
  checks.filter(({ heldBack }) => heldBack === undefined)

/** One check of each scenario. */
export const scenariosOf = (checks: readonly PlannedCheck[]): readonly PlannedCheck[] => [
  ...new Map(checks.map((check) => [check.scenario, check])).values(),
]

/** A sum over scenarios, to which a property adds in each of its runs. */
export const sumOver = (
  scenarios: readonly PlannedCheck[],
  runs: number,
  countOf: (check: PlannedCheck) => number,
): number => scenarios.reduce((total, check) => total + countOf(check) * (check.property ? runs : 1), 0)

/** The spec files of these checks: `specs/tokens/exchange.spec.ts`. */
export const specFilesOf = (plan: Pick<Plan, 'checks'>): readonly string[] => [
  ...new Set(running(plan).map(({ key }) => key.slice(0, key.indexOf('#')))),
]

/** The kind of application and the variant that a check covers: `TPP, second variant`. */
export const facetOf = ({ application, actingKind, facets = [] }: PlannedCheck): string => {
  const kind = application ?? actingKind
  return [...(kind === undefined ? [] : [kind]), ...facets].join(', ')
}

/** The facet that a check does not cover, since the profile lacks the other kind of application. */
export const missingFacetOf = ({ missingKind, facets = [] }: PlannedCheck): string | undefined =>
  missingKind === undefined ? undefined : [missingKind, ...facets].join(', ')
