import { canMove, conditionsFor, meets, type Conditions, type Kind } from './conditions.ts'
import { EXAMPLES } from './examples.ts'
import { whyUntimely } from './waits.ts'
import { grantName } from './shared-grants.ts'
import { createSelection, withinMost } from './select.ts'
import { missingInProfile, missingKind, type Change, type Reason } from './reason.ts'
import { DEFAULT_SCOPE, FACETS as FACET_NAMES, partsOf } from './scope.ts'
import { describeWaiver } from './waivers.ts'
import { applicationsIn } from '../profile/applications.ts'
import { testHooksIn } from '../profile/test-hooks.ts'
import { rotated, rotationOf, type Rotation } from '../profile/rotation.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { ENVIRONMENTS, heldEnvironments, otherThan, type Environment } from '../profile/environment.ts'
import { nearest } from '../profile/nearest.ts'
import { grantedVariants, type Variant } from '../profile/oauth.ts'
import { isAuthorizing } from '../profile/schema/authorization.ts'
import {
  CREDENTIALS,
  isReading,
  NEEDS,
  placeOf,
  type EffectsIn,
  type Need,
  type ScenarioOptions,
} from '../session/scenario.ts'
import type { Chapter, Requirement } from '../check/requirement.ts'
import type { Effect } from '../evidence/exchange.ts'
import type { Catalogue, CataloguedCheck, StatedCheck } from './catalogue.ts'
import type { LeftOut, Plan, PlannedCheck, PlannedTarget, PlanOptions } from './plan.ts'
import type { Profile } from '../profile/schema.ts'

/** Plans the checks that run against a target, and gives a reason for each requirement that is left out. */
export const buildPlan = (catalogue: Catalogue, target: PlannedTarget, options: PlanOptions): Plan => {
  const unselected = createSelection(catalogue.requirements, options)
  const { environment } = target.profile
  const effects = allowedEffects(target.profile, options.allow)
  const effectsElsewhere = allowedEffects(target.profile, options.allow, otherThan(environment))
  const selected = catalogue.checks.filter(({ check, chapter }) =>
    isJudged({ ...check.requirement, chapter }, unselected, target.profile),
  )
  const relied = { ...options, target, effects }
  const context: PlanContext = {
    ...relied,
    conditions: {
      any: conditionsFor(undefined, relied),
      FAC: conditionsFor('FAC', relied),
      TPP: conditionsFor('TPP', relied),
    },
    acts: new Map(),
  }
  const counts = new Map<string, number>()
  const planned = selected.flatMap((catalogued) => {
    const { id } = catalogued.check.requirement
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return expand(catalogued, `${id}/${count}`, context)
  })
  const { authorization } = target.profile
  const once = withoutRepetitions(planned)
  const checks = authorization.kind === 'person' ? withinMost(once, authorization.most, options.runs) : once
  const judged = new Set(checks.map(({ requirement }) => requirement))
  const leftOut = catalogue.requirements
    .filter(({ id }) => !judged.has(id))
    .map((row): LeftOut => ({ requirement: row.id, ...whyLeftOut(row, unselected, target.profile) }))
  const { seed, runs, scope = DEFAULT_SCOPE } = options
  return { checks, leftOut, scope, effects, effectsElsewhere, seed, runs }
}

/** What is judged in the whole run is judged once, beside the first scenario that can be run. */
const withoutRepetitions = (planned: readonly PlannedCheck[]): readonly PlannedCheck[] => {
  const chosen = new Map<string, PlannedCheck>()
  for (const check of planned.filter(({ judgesRun }) => judgesRun === true)) {
    const key = `${check.requirement} ${check.application ?? ''}`
    const known = chosen.get(key)
    if (known === undefined || (known.heldBack !== undefined && check.heldBack === undefined))
      chosen.set(key, check)
  }
  const kept = new Set(chosen.values())
  return planned.filter((check) => check.judgesRun !== true || kept.has(check))
}

type Row = Requirement & { readonly chapter: Chapter }
type Unselected = (row: Row) => Reason | undefined

const allowedEffects = (
  profile: Profile,
  allow: readonly Effect[],
  environment: Environment = profile.environment,
): readonly Effect[] => {
  const own = profile.allow[environment]
  // A user who selects production does not expect payments in the sandbox, unless --allow says so.
  const isSandboxOfProduction = profile.environment === 'production' && environment === 'sandbox'
  return [
    ...new Set([...(isSandboxOfProduction ? own.filter((effect) => HARMLESS.has(effect)) : own), ...allow]),
  ]
}

/** The effects that are allowed in production by default. */
export const HARMLESS: ReadonlySet<Effect> = new Set(['read', 'consent'])

const declaredNotApplicable = (row: Row, { notApplicable }: Profile): string | undefined => {
  const key = [row.id, row.chapter].find((name) => Object.hasOwn(notApplicable, name))
  return key === undefined ? undefined : notApplicable[key]
}

/** @throws ConfigurationError with each key of `notApplicable` that is not a requirement, a chapter or a facet. */
export const verifyNotApplicable = (
  { notApplicable }: Pick<Profile, 'notApplicable'>,
  rows: readonly Row[],
): void => {
  const known = [...new Set([...rows.flatMap(({ id, chapter }) => [id, chapter]), ...FACET_NAMES])]
  const problems = Object.keys(notApplicable)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = nearest(key, known)
      const advice = near === undefined ? 'take it out' : `did you mean ${near}?`
      return `\`notApplicable.${key}\` is not a requirement, a chapter or a facet; ${advice}`
    })
  if (problems.length > 0) throw new ConfigurationError(problems, 'the profile cannot be used')
}

const isJudged = (row: Row, unselected: Unselected, profile: Profile): boolean =>
  unselected(row) === undefined && declaredNotApplicable(row, profile) === undefined

const declaredBecause = (why: string): Reason => ({
  kind: 'declared',
  because: `the profile declares: ${why.replaceAll(/\s+/g, ' ')}`,
})

const whyLeftOut = (row: Row, unselected: Unselected, profile: Profile): Reason => {
  const declared = declaredNotApplicable(row, profile)
  if (declared !== undefined) return declaredBecause(declared)
  if (row.unchecked !== undefined)
    return { kind: 'unchecked', because: `no check can judge it: ${row.unchecked}` }
  if (row.pending !== undefined) return { kind: 'pending', because: `no check exists yet: ${row.pending}` }
  return unselected(row) ?? { kind: 'pending', because: 'no check exists' }
}

interface PlanContext extends PlanOptions {
  readonly target: PlannedTarget
  readonly effects: readonly Effect[]
  /** The needs that are met by applications of a kind, or of any kind. */
  readonly conditions: Readonly<Record<Kind | 'any', Conditions>>
  /** By the id of the scenario, which all its checks share. */
  readonly acts: Map<string, PlannedAct>
}

/** How a scenario acts, whatever is judged of it. */
interface PlannedAct {
  readonly rotation: Rotation
  readonly profile: Profile
  readonly canMoveTime: boolean
  readonly times: number
}

const KINDS: readonly Kind[] = ['FAC', 'TPP']

/** The kinds of application as which a check runs; undefined for an application of any kind. */
const kindsOf = ({ check }: CataloguedCheck, context: PlanContext): readonly (Kind | undefined)[] => {
  const { as } = check.scenario.options
  if (as === 'any') return [undefined]
  return as === 'each' ? KINDS.filter((kind) => has(context, kind)) : [as]
}

const expand = (catalogued: CataloguedCheck, id: string, context: PlanContext): readonly PlannedCheck[] =>
  kindsOf(catalogued, context).map((kind) => {
    const isOneOfEach = catalogued.check.scenario.options.as === 'each' && kind !== undefined
    return plan(catalogued, isOneOfEach ? `${id}@${kind}` : id, kind, context)
  })

const optionsOf = ({ check }: CataloguedCheck): ScenarioOptions => {
  const { options } = check.scenario
  return { ...options, needs: [...(options.needs ?? []), ...check.needs] }
}

const has = ({ target }: PlanContext, kind: Kind): boolean =>
  applicationsIn(target.profile).some((application) => application.kind === kind)

/** As whom a scenario acts without a kind of its own: for payments and loans, the application that the profile names. */
const actingKindOf = (
  { needs = [] }: ScenarioOptions,
  profile: Profile,
): Pick<PlannedCheck, 'actingKind'> => {
  const { payments, loans } = profile
  const place = placeOf({ needs }, profile.environment)
  const applications = applicationsIn(profile, place)
  const named = needs.includes('payments')
    ? payments?.applications?.[0]
    : place === 'loans'
      ? loans?.applications?.[0]
      : undefined
  const actingKind = (applications.find(({ name }) => name === named) ?? applications[0])?.kind
  return actingKind === undefined ? {} : { actingKind }
}

/** The kind that a scenario for each kind of application lacks. */
const missingKindOf = ({ as }: ScenarioOptions, context: PlanContext): Pick<PlannedCheck, 'missingKind'> => {
  const { notApplicable } = context.target.profile
  const missingKind = as === 'each' ? KINDS.find((kind) => !has(context, kind)) : undefined
  return missingKind === undefined || Object.hasOwn(notApplicable, missingKind) ? {} : { missingKind }
}

const plan = (
  catalogued: CataloguedCheck,
  id: string,
  application: Kind | undefined,
  context: PlanContext,
): PlannedCheck => {
  const { check, chapter, folder, key, file } = catalogued
  const { requirement, scenario } = check
  const { authorizations = 0, needs = [], payments, loans, waitsMs, listensMs } = scenario.options
  const { environment } = context.target.profile
  const act = `${folder}/${slug(scenario.title)}${application === undefined ? '' : `@${application}`}`
  const { rotation, profile, canMoveTime, times } = actIn(act, scenario, application, context)
  const { [otherThan(environment)]: elsewhere, [environment]: effect = 'read' } = effectsOf(
    scenario.options,
    environment,
  )
  const heldBack = whyHeldBack(optionsOf(catalogued), application, context)
  const waiver = context.waived?.find((one) => one.requirement === requirement.id)
  return {
    id,
    key,
    requirement: requirement.id,
    chapter,
    title: `${requirement.claim}: ${check.over === undefined ? scenario.title : 'every answer of the run'}`,
    ...(check.over && { judgesRun: true as const }),
    scenario: act,
    ...(application === undefined ? actingKindOf(scenario.options, profile) : { application }),
    rotation,
    ...missingKindOf(scenario.options, context),
    ...facetsOf(scenario.options),
    file,
    effect,
    ...(elsewhere !== undefined && { elsewhere }),
    // A scenario that only reads uses grants that it shares.
    authorizations: isReading(scenario.options) ? 0 : authorizations * times,
    ...grantsOf(scenario.options, application, profile),
    property: scenario.kind === 'property',
    ...(needs.some((need) => need === 'webhook' || need === 'webhook-settings') && { awaitsWebhooks: true }),
    ...(waitsMs !== undefined && { waitsMs }),
    ...(listensMs !== undefined && { listensMs }),
    ...((waitsMs ?? listensMs) !== undefined && !canMoveTime && { isWaitedFor: true as const }),
    ...(payments !== undefined && { payments: many(payments, times) }),
    ...(loans !== undefined && { loans }),
    ...(waiver !== undefined && { waiver: describeWaiver(waiver) }),
    ...(heldBack !== undefined && { heldBack }),
  }
}

const actIn = (
  id: string,
  scenario: StatedCheck['scenario'],
  kind: Kind | undefined,
  context: PlanContext,
): PlannedAct => {
  const known = context.acts.get(id)
  if (known !== undefined) return known
  const { profile } = context.target
  const rotation = rotationFor(scenario, kind, context)
  const canMoveTime = canMove(context, placeOf(scenario.options, profile.environment))
  const times = scenario.options.times?.(profile, canMoveTime) ?? 1
  const act = { rotation, profile: rotated(profile, rotation), canMoveTime, times }
  context.acts.set(id, act)
  return act
}

/** The profile names one customer for payments. Checks of events need many accounts, also at other banks. */
const OF_FIRST_CUSTOMER: ReadonlySet<Need> = new Set(['payments', 'webhook', 'other-bank-account'])

const rotationFor = (
  { title, options }: StatedCheck['scenario'],
  kind: Kind | undefined,
  { seed, target }: PlanContext,
): Rotation => {
  const { needs = [] } = options
  const isOfEnvironments = options.effectsIn !== undefined
  // Settings that cannot be changed are those of one application.
  const isConfigured = needs.includes('webhook') && testHooksIn(target.profile).configureWebhook === undefined
  const isFixed = {
    application: isOfEnvironments || isConfigured || needs.includes('loan-api'),
    customer: isOfEnvironments || needs.some((need) => OF_FIRST_CUSTOMER.has(need)),
    // A refusal on a result screen is a page, which may be that of an intermediary: the other kind is sent back.
    redirectUri: options.as !== 'each',
  }
  return rotationOf(target.profile, {
    of: `${title} ${seed}`,
    kind,
    isFixed,
    parts: (['payments', 'loans'] as const).filter((part) => needs.includes(part)),
    canAct: meets(target.profile, needs),
  })
}

/** Needs for one of several variants, each of which is judged separately. */
const FACETS: readonly (readonly [Need, string])[] = [
  ['second-variant', 'second variant'],
  ['redirect', 'redirect'],
  ['result-screen', 'result screen'],
]

/** The facets that a scenario covers: an account variant, a delivery, environments. */
const facetsOf = ({ needs = [], effectsIn }: ScenarioOptions): Pick<PlannedCheck, 'facets'> => {
  const named = FACETS.flatMap(([need, facet]) => (needs.includes(need) ? [facet] : []))
  const environments = ENVIRONMENTS.filter((name) => effectsIn?.[name] !== undefined)
  const facets = [...named, ...(environments.length > 0 ? [environments.join(' and ')] : [])]
  return facets.length === 0 ? {} : { facets }
}

const many = (
  { initiated, submitted = 0 }: NonNullable<ScenarioOptions['payments']>,
  times: number,
): NonNullable<PlannedCheck['payments']> => ({
  initiated: initiated * times,
  submitted: submitted * times,
})

type Granting = Pick<PlannedCheck, 'sharesGrant' | 'grants' | 'customers'>

/** The grants that a scenario shares with others, and the customers who authorize for it. */
const grantsOf = (options: ScenarioOptions, application: Kind | undefined, profile: Profile): Granting => {
  const { needs = [], authorizations = 0 } = options
  const sharesGrant = needs.includes('access') && isAuthorizing(profile.authorization)
  const acting = applicationsIn(profile).find(({ kind }) => application === undefined || kind === application)
  const isWithSecond = needs.some((need) => need.startsWith('second-customer'))
  const customers = profile.customers.slice(0, isWithSecond ? 2 : 1).map(({ name }) => name)
  // The grant of a second customer is shared where the scenario only reads.
  const granting = isReading(options) ? customers : customers.slice(0, 1)
  return {
    sharesGrant,
    ...(sharesGrant && {
      grants: granting.flatMap((name) =>
        sharedVariants(options, profile).map((variant) => grantName(acting?.name ?? '', name, variant)),
      ),
    }),
    ...(authorizations > 0 && isAuthorizing(profile.authorization) && { customers }),
  }
}

/** The variants for which a scenario shares a grant. */
export const sharedVariants = (
  { needs = [], inBothVariants }: Pick<ScenarioOptions, 'needs' | 'inBothVariants'>,
  profile: Pick<Profile, 'secondVariant'>,
): readonly Variant[] => {
  const granted = grantedVariants(profile)
  if (inBothVariants) return granted
  return needs.includes('second-variant') ? granted.slice(-1) : ['first']
}

/** A title as part of an id: lower case words joined by hyphens. */
export const slug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** The first obstacle of a scenario, with what removes all of them. */
const whyHeldBack = (
  options: ScenarioOptions,
  application: Kind | undefined,
  context: PlanContext,
): Reason | undefined => {
  const obstacles = obstaclesOf(options, application, context)
  const [first] = obstacles
  if (first === undefined || first.kind === 'declared') return first
  const changes = new Map(
    obstacles.flatMap((one) => one.changes ?? []).map((change) => [JSON.stringify(change), change]),
  )
  return { ...first, changes: [...changes.values()] }
}

/** Whether the application that acts has credentials in the environment. */
const isHeldIn = (environment: Environment, kind: Kind | undefined, profile: Profile): boolean => {
  const [here, there] = [profile.environment, environment].map((place) =>
    applicationsIn(profile, place).find((one) => kind === undefined || one.kind === kind),
  )
  return heldEnvironments(profile).includes(environment) && here?.name === there?.name
}

const obstaclesOf = (
  options: ScenarioOptions,
  application: Kind | undefined,
  context: PlanContext,
): readonly Reason[] => {
  const { effectsIn, needs = [] } = options
  const { profile } = context.target
  const isWithoutKind = application !== undefined && !has(context, application)
  const unheld = ENVIRONMENTS.filter((name) => effectsIn?.[name] && !isHeldIn(name, application, profile))
  const isTooLong = options.waitsMs !== undefined && isSkipped('time', context)
  const missing = needs.filter((need) => !context.conditions[application ?? 'any'][need])
  const canMoveTime = canMove(context, placeOf(options, profile.environment))
  const untimely = whyUntimely(options, { ...context, profile, canMoveTime })
  return [
    ...declaredFacets(options, application, profile),
    ...missing.filter((need) => isDeclared(need, profile)).map(declaredOtherwise),
    ...(isTooLong ? [SKIPPED_TIME] : []),
    ...(isWithoutKind ? [missingKind(application)] : []),
    ...unheld.map((name) => missingInProfile(CREDENTIALS[name], EXAMPLES[name])),
    ...forbiddenEffects(effectsOf(options, profile.environment), context).map(notAllowed),
    ...missing
      .filter((need) => !isDeclared(need, profile))
      .map((need) => missingInProfile(NEEDS[need], EXAMPLES[need])),
    ...(untimely === undefined ? [] : [untimely]),
  ]
}

/** The facets of a scenario that the bank does not have, as its profile declares. */
const declaredFacets = (
  options: ScenarioOptions,
  application: Kind | undefined,
  { notApplicable }: Profile,
): readonly Reason[] =>
  [
    ...(application === undefined ? [] : [application]),
    ...(facetsOf(options).facets ?? []).flatMap(partsOf),
    ...(options.needs ?? []).flatMap((need) => CHAPTER_OF_NEED[need] ?? []),
  ]
    .flatMap((facet) => (Object.hasOwn(notApplicable, facet) ? [notApplicable[facet] ?? ''] : []))
    .map(declaredBecause)

/**
 * The interface that a scenario is about: where the bank does not have it, nothing that crosses to it applies either. A refresh
 * that only a webhook would show still applies, and is not tested.
 */
const CHAPTER_OF_NEED: Partial<Readonly<Record<Need, string>>> = {
  payments: 'payments',
  loans: 'loans',
  'loan-api': 'loans',
}

/** Needs that a profile excludes by what it says about the bank, and the part of the profile that says so. */
const EXCLUDED_BY: Partial<Readonly<Record<Need, 'loans' | 'payments' | 'secondVariant'>>> = {
  'second-variant-consent': 'secondVariant',
  'loan-selection-after-submission': 'loans',
  'payment-token': 'payments',
  'payment-bearer': 'payments',
  'payment-authorization': 'payments',
}

const isDeclared = (need: Need, profile: Profile): boolean => {
  const part = EXCLUDED_BY[need]
  return part !== undefined && profile[part] !== undefined
}

const declaredOtherwise = (need: Need): Reason => ({
  kind: 'declared',
  because: `the profile declares otherwise: it needs ${NEEDS[need]}`,
})

const SKIPPED_TIME: Reason = {
  kind: 'not-selected',
  because: 'left out by --skip time',
}

interface ForbiddenEffect {
  readonly environment: Environment
  readonly effect: Effect
}

const notAllowed = ({ environment, effect }: ForbiddenEffect): Reason => {
  const option = `--allow ${effect}`
  // One run may act in both environments, and what is allowed differs.
  const allowing: Change = { change: 'option', what: `${option} (in ${environment})` }
  return {
    kind: 'effect-not-allowed',
    because: `the effect "${effect}" is not allowed in ${environment} (${option})`,
    changes: [allowing],
  }
}

/** A requirement may also be judged by scenarios without a wait; these still run. */
const isSkipped = (tag: string, { skip }: PlanContext): boolean =>
  skip.some((selector) => selector.toLowerCase() === tag)

/** The effect of a scenario in each environment; without `effectsIn`, in the environment of the run. */
const effectsOf = ({ effect, effectsIn }: ScenarioOptions, environment: Environment): EffectsIn =>
  effectsIn ?? { [environment]: effect }

/** The effects that are not allowed in their environment. */
const forbiddenEffects = (wanted: EffectsIn, { target, allow }: PlanContext): readonly ForbiddenEffect[] =>
  ENVIRONMENTS.flatMap((environment) => {
    const effect = wanted[environment]
    const isForbidden = effect && !allowedEffects(target.profile, allow, environment).includes(effect)
    return isForbidden ? [{ environment, effect }] : []
  })
