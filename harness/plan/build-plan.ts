import { CREDENTIALS, isReading, NEEDS } from '../check/scenario.ts'
import { isAuthorizing } from '../profile/authorization.ts'
import { ENVIRONMENTS, heldEnvironments, otherThan } from '../profile/environments.ts'
import { canMove, conditionsFor } from './conditions.ts'
import { createSelection } from './select.ts'
import { grantName } from './grants.ts'
import { withinMost } from './within-most.ts'
import { whyUntimely } from './waits.ts'
import { describeWaiver } from './waivers.ts'
import type { EffectsIn, ScenarioOptions } from '../check/scenario.ts'
import type { Chapter, Requirement } from '../check/requirement.ts'
import type { Effect } from '../evidence/effect.ts'
import type { Environment } from '../profile/environments.ts'
import type { ApplicationProfile, Profile } from '../profile/schema.ts'
import type { Catalogue, CataloguedCheck } from './catalogue.ts'
import type { LeftOut, Plan, PlannedCheck } from './plan.ts'
import type { Waiver } from './waivers.ts'

export interface PlanOptions {
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly allow: readonly Effect[]
  readonly seed: number
  readonly runs: number
  readonly time: 'auto' | 'wall'
  readonly webhookUrl?: string
  readonly waived?: readonly Waiver[]
}

/** A target as the plan sees it: its profile, and whether its clock is the harness's own. */
export interface PlannedTarget {
  readonly profile: Profile
  readonly virtual: boolean
}

/** Decides what runs against a target, and for all the rest why it does not. */
export const buildPlan = (catalogue: Catalogue, target: PlannedTarget, options: PlanOptions): Plan => {
  const unselected = createSelection(catalogue.requirements, options)
  const { environment } = target.profile
  const effects = allowedEffects(target.profile, options.allow)
  const effectsElsewhere = allowedEffects(target.profile, options.allow, otherThan(environment))
  const selected = catalogue.checks.filter(({ check, chapter }) =>
    isJudged({ ...check.requirement, chapter }, unselected, target.profile),
  )
  const circumstances = { ...options, target, effects }
  const counts = new Map<string, number>()
  const planned = selected.flatMap((catalogued) => {
    const { id } = catalogued.check.requirement
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return expand(catalogued, `${id}/${count}`, circumstances)
  })
  const { authorization } = target.profile
  const checks =
    authorization.kind === 'person' ? withinMost(planned, authorization.most, options.runs) : planned
  const judged = new Set(checks.map(({ requirement }) => requirement))
  const leftOut = catalogue.requirements
    .filter(({ id }) => !judged.has(id))
    .map((row) => ({ requirement: row.id, because: whyLeftOut(row, unselected, target.profile) }))
  return { checks, leftOut, effects, effectsElsewhere, seed: options.seed, runs: options.runs }
}

type Row = Requirement & { readonly chapter: Chapter }
type Unselected = (row: Row) => string | undefined

export const allowedEffects = (
  profile: Profile,
  allow: readonly Effect[],
  environment: Environment = profile.environment,
): readonly Effect[] => [...new Set([...profile.allow[environment], ...allow])]

const declaredNotApplicable = (row: Row, { notApplicable }: Profile): string | undefined =>
  notApplicable[row.id] ?? notApplicable[row.chapter]

const isJudged = (row: Row, unselected: Unselected, profile: Profile): boolean =>
  unselected(row) === undefined && declaredNotApplicable(row, profile) === undefined

const whyLeftOut = (row: Row, unselected: Unselected, profile: Profile): LeftOut['because'] => {
  const declared = declaredNotApplicable(row, profile)
  if (declared !== undefined) return `the profile declares: ${declared}`
  if (row.unchecked !== undefined) return `no check can judge it: ${row.unchecked}`
  if (row.pending !== undefined) return `pending: ${row.pending}`
  return unselected(row) ?? 'no check judges it'
}

interface Circumstances extends PlanOptions {
  readonly target: PlannedTarget
  readonly effects: readonly Effect[]
}

type Kind = ApplicationProfile['kind']

const expand = (
  catalogued: CataloguedCheck,
  id: string,
  circumstances: Circumstances,
): readonly PlannedCheck[] => {
  const { as } = catalogued.check.scenario.options
  if (as === 'any') return [plan(catalogued, id, undefined, circumstances)]
  if (as !== 'each') return [plan(catalogued, id, as, circumstances)]
  const kinds = (['FAC', 'TPP'] as const).filter((kind) => has(circumstances, kind))
  return kinds.map((kind) => plan(catalogued, `${id}@${kind}`, kind, circumstances))
}

const has = ({ target }: Circumstances, kind: Kind): boolean =>
  target.profile.applications.some((application) => application.kind === kind)

const plan = (
  { check, chapter, key }: CataloguedCheck,
  id: string,
  application: Kind | undefined,
  circumstances: Circumstances,
): PlannedCheck => {
  const { requirement, scenario, file } = check
  const { authorizations = 0, needs = [], payments, loans, waitsMs, listensMs } = scenario.options
  const times = scenario.options.times?.(circumstances.target.profile, canMove(circumstances)) ?? 1
  const { environment } = circumstances.target.profile
  const { [otherThan(environment)]: elsewhere, [environment]: effect = 'read' } = effectsOf(
    scenario.options,
    environment,
  )
  const heldBack = whyHeldBack(scenario.options, application, circumstances)
  const waiver = circumstances.waived?.find((one) => one.requirement === requirement.id)
  return {
    id,
    key,
    requirement: requirement.id,
    chapter,
    title: `${requirement.claim}: ${scenario.title}`,
    scenario: `${chapter}/${slug(scenario.title)}${application === undefined ? '' : `@${application}`}`,
    ...(application !== undefined && { application }),
    file,
    effect,
    ...(elsewhere !== undefined && { elsewhere }),
    // Whoever only reads authorizes nothing by itself.
    authorizations: isReading(scenario.options) ? 0 : authorizations * times,
    ...grantsOf(scenario.options, application, circumstances.target.profile),
    property: scenario.kind === 'property',
    ...(needs.some((need) => need === 'webhook' || need === 'webhook-settings') && { awaitsWebhooks: true }),
    ...(waitsMs !== undefined && { waitsMs }),
    ...(listensMs !== undefined && { listensMs }),
    ...(payments !== undefined && { payments: many(payments, times) }),
    ...(loans !== undefined && { loans }),
    ...(waiver !== undefined && { waiver: describeWaiver(waiver) }),
    ...(heldBack !== undefined && { heldBack }),
  }
}

const many = (
  { initiated, submitted = 0 }: NonNullable<ScenarioOptions['payments']>,
  times: number,
): NonNullable<PlannedCheck['payments']> => ({
  initiated: initiated * times,
  submitted: submitted * times,
})

type Granting = Pick<PlannedCheck, 'sharesGrant' | 'grants' | 'customers'>

/** Which grants a scenario shares with others, and who makes them or authorizes it alone. */
const grantsOf = (options: ScenarioOptions, application: Kind | undefined, profile: Profile): Granting => {
  const { needs = [], authorizations = 0 } = options
  const sharesGrant = needs.includes('access') && isAuthorizing(profile.authorization)
  const acting = profile.applications.find(({ kind }) => application === undefined || kind === application)
  const isWithSecond = needs.some((need) => need === 'second-customer' || need === 'second-customer-account')
  const customers = profile.customers.slice(0, isWithSecond ? 2 : 1).map(({ name }) => name)
  // What a second customer grants is shared where nothing else is done with it.
  const granting = isReading(options) ? customers : customers.slice(0, 1)
  return {
    sharesGrant,
    ...(sharesGrant && { grants: granting.map((name) => grantName(acting?.name ?? '', name)) }),
    ...(authorizations > 0 && isAuthorizing(profile.authorization) && { customers }),
  }
}

/** A title as part of an id: lower case words joined by hyphens. */
export const slug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

const whyHeldBack = (
  options: ScenarioOptions,
  application: Kind | undefined,
  circumstances: Circumstances,
): string | undefined => {
  const { effectsIn, needs = [] } = options
  const { profile } = circumstances.target
  if (application !== undefined && !has(circumstances, application))
    return `the profile names no application of the kind ${application}`
  const strange = ENVIRONMENTS.find((name) => effectsIn?.[name] && !heldEnvironments(profile).includes(name))
  if (strange !== undefined) return `it needs ${CREDENTIALS[strange]}`
  const forbidden = forbiddenEffect(effectsOf(options, profile.environment), circumstances)
  if (options.waitsMs !== undefined && isSkipped('time', circumstances)) return 'left out by --skip time'
  if (forbidden !== undefined)
    return `the effect "${forbidden.effect}" is not allowed in ${forbidden.environment} (--allow ${forbidden.effect})`
  const missing = needs.find((need) => !conditionsFor(application, circumstances)[need])
  if (missing !== undefined) return `it needs ${NEEDS[missing]}`
  return whyUntimely(options, { ...circumstances, profile, canMoveTime: canMove(circumstances) })
}

/** A scenario that lets time pass may be only one of those that judge a requirement: the others go on judging it. */
const isSkipped = (tag: string, { skip }: Circumstances): boolean =>
  skip.some((selector) => selector.toLowerCase() === tag)

/** What a scenario does where; of one that names no environment, where the run is. */
const effectsOf = ({ effect, effectsIn }: ScenarioOptions, environment: Environment): EffectsIn =>
  effectsIn ?? { [environment]: effect }

/** The first effect that is not allowed where it would come about. */
const forbiddenEffect = (wanted: EffectsIn, { target, allow }: Circumstances) =>
  ENVIRONMENTS.flatMap((environment) => {
    const effect = wanted[environment]
    const isForbidden = effect && !allowedEffects(target.profile, allow, environment).includes(effect)
    return isForbidden ? [{ environment, effect }] : []
  })[0]
