import { grantName, whyUntimely } from './waits.ts'
import { createSelection, withinMost } from './select.ts'
import { describeWaiver } from './waivers.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { ENVIRONMENTS, heldEnvironments, otherThan, type Environment } from '../profile/environments.ts'
import { nearest } from '../profile/nearest.ts'
import { grantedVariants, type Variant } from '../profile/oauth.ts'
import { canRefuse, isAuthorizing, recipeOf } from '../profile/schema/authorization.ts'
import { REASON_CODES, type ReasonCode } from '../profile/schema/payments.ts'
import { codesRejectedAtSubmission } from '../session/payments/payments.ts'
import {
  CREDENTIALS,
  isReading,
  NEEDS,
  type EffectsIn,
  type Need,
  type ScenarioOptions,
} from '../session/scenario.ts'
import type { Chapter, Requirement } from '../check/requirement.ts'
import type { Effect } from '../evidence/exchange.ts'
import type { Catalogue, CataloguedCheck } from './catalogue.ts'
import type { LeftOut, Plan, PlannedCheck, PlannedTarget, PlanOptions } from './plan.ts'
import type { ApplicationProfile, Profile } from '../profile/schema.ts'

/** Determines which needs of scenarios the profile, the target and the options meet. */

/** The input of that decision. */
interface Relied extends Pick<PlanOptions, 'time' | 'webhookUrl'> {
  readonly target: PlannedTarget
  readonly effects: readonly Effect[]
}

type Kind = ApplicationProfile['kind']
type Conditions = Readonly<Record<Need, boolean>>

/** Whether the target's time can be moved. */
const canMove = ({ target: { profile, virtual }, time }: Pick<Relied, 'target' | 'time'>): boolean =>
  virtual || (time === 'auto' && profile.testHooks.advanceClock !== undefined)

const hasImported = ({ authorization }: Profile, [first]: readonly ApplicationProfile[]): boolean =>
  authorization.kind === 'tokens' && authorization.tokens.some((token) => token.application === first?.name)

type AccountNeed = Extract<Need, `${string}-account` | 'known-accounts' | 'second-variant' | 'booking'>

const accountConditions = ({
  customers: [first, second],
  secondVariant,
  testHooks,
}: Profile): Readonly<Record<AccountNeed, boolean>> => {
  const known = first?.accounts ?? []
  const granted = known.filter(({ consented }) => consented)
  const grantedBySecond = (second?.accounts ?? []).filter(({ consented }) => consented)
  return {
    'second-variant': secondVariant !== undefined,
    'known-accounts': granted.length > 0,
    'own-account': granted.some(({ bank }) => bank === 'own'),
    'other-bank-account': granted.some(({ bank }) => bank === 'other'),
    'unconsented-account': known.length > granted.length,
    'empty-account': granted.some(({ transactions }) => transactions === 0),
    'long-account': granted.some(({ transactions = 0 }) => transactions > 100),
    'counted-account': granted.some(({ transactions = 0 }) => transactions > 0),
    'very-long-account': granted.some(({ transactions = 0 }) => transactions > 1_000),
    'second-customer-account': (second?.accounts ?? []).length > 0,
    'second-customer-long-account': grantedBySecond.some(({ transactions = 0 }) => transactions > 100),
    booking: testHooks.bookTransaction !== undefined,
  }
}

type WebhookNeed = Extract<Need, `webhook${string}` | 'named-consent' | 'consent-revocation'>

/** Webhooks become active at a full hour, so that they need a clock that can be moved. */
const webhookConditions = (
  { testHooks, webhooks, operations }: Profile,
  [acting]: readonly ApplicationProfile[],
  { canMoveTime, webhookUrl }: { readonly canMoveTime: boolean; readonly webhookUrl: string | undefined },
): Readonly<Record<WebhookNeed, boolean>> => {
  const canConfigure = testHooks.configureWebhook !== undefined
  const isConfigured = webhooks.configured.some(({ application }) => application === acting?.name)
  const hasAddress = webhookUrl !== undefined || webhooks.listen.port !== 0
  return {
    webhook: canConfigure ? canMoveTime : isConfigured && hasAddress,
    'webhook-settings': canConfigure,
    'consent-revocation': testHooks.revokeConsent !== undefined,
    'named-consent': JSON.stringify(operations.refresh).includes('{consentId}'),
  }
}

/** The needs that are met for applications of a kind, or of any kind if it is undefined. */
const conditionsFor = (
  application: Kind | undefined,
  { target, time, effects, webhookUrl }: Relied,
): Conditions => {
  const { profile } = target
  const acting = profile.applications.filter(({ kind }) => application === undefined || kind === application)
  const uris = acting[0]?.redirectUris ?? []
  const { pages = [] } = recipeOf(profile.authorization) ?? {}
  const hasCustomer = isAuthorizing(profile.authorization) && profile.customers.length > 0
  const canMoveTime = canMove({ target, time })
  return {
    // Whether the wait is short enough is decided separately.
    clock: true,
    revocation: profile.testHooks.revokeToken !== undefined,
    customer: hasCustomer,
    access: hasImported(profile, acting) || (hasCustomer && effects.includes('consent')),
    login: pages.some(({ fill }) => Object.values(fill).some((text) => text.includes('{password}'))),
    refusal: canRefuse(profile.authorization),
    'seen-pages': pages.length > 0,
    'second-application': acting.filter(({ kind }) => kind === acting[0]?.kind).length > 1,
    'both-kinds': new Set(profile.applications.map(({ kind }) => kind)).size > 1,
    'second-customer': profile.customers.length > 1,
    ...accountConditions(profile),
    ...webhookConditions(profile, acting, { canMoveTime, webhookUrl }),
    ...paymentConditions(profile, canMoveTime),
    ...loanConditions(profile),
    redirect: uris.some(({ delivery }) => delivery === 'redirect'),
    'result-screen': uris.some(({ delivery }) => delivery === 'result-screen'),
    'redirect-query': uris.some(({ uri, delivery }) => delivery === 'redirect' && uri.includes('?')),
  }
}

type PaymentNeed = Extract<
  Need,
  | 'payments'
  | `${string}-initiation`
  | 'further-initiation-at-once'
  | `${string}-rejection`
  | 'stranger-application'
  | 'payment-token'
  | 'any-amount'
  | `provoke-${ReasonCode}`
>

/** The needs of the payment API that a profile meets. */
export const paymentConditions = (
  { payments, applications, environment }: Profile,
  canMoveTime: boolean,
): Readonly<Record<PaymentNeed, boolean>> => {
  const isReached = (order: { readonly at?: string | undefined } | undefined): boolean =>
    order !== undefined && (order.at === undefined || canMoveTime)
  const provocations = payments?.provocations ?? {}
  const provoking = Object.fromEntries(
    REASON_CODES.map((code) => [`provoke-${code}`, isReached(provocations[code])]),
  ) as Readonly<Record<`provoke-${ReasonCode}`, boolean>>
  return {
    payments: payments !== undefined,
    'further-initiation': (payments?.initiations ?? []).length > 1,
    'further-initiation-at-once': (payments?.initiations ?? []).slice(1).some(({ future }) => !future),
    'future-initiation': (payments?.initiations ?? []).some(({ future }) => future),
    'stranger-application': applications.length > 1,
    'any-rejection': Object.values(provocations).some(
      (order) => order !== undefined && order.at === undefined,
    ),
    'payment-token': payments?.submission.token === 'granted',
    'submission-rejection':
      payments !== undefined && codesRejectedAtSubmission(payments, canMoveTime).length > 0,
    'any-amount': environment === 'sandbox',
    ...provoking,
  }
}

type LoanNeed = Extract<Need, 'loans' | `loan-${string}`>

/** The needs of the loan API that a profile meets. The API exists only in the sandbox. */
export const loanConditions = ({ loans, environment }: Profile): Readonly<Record<LoanNeed, boolean>> => ({
  loans: loans !== undefined && environment === 'sandbox',
  'loan-api': loans !== undefined,
  'loan-selection-after-submission': loans !== undefined && loans.scenario.kind !== 'parameter',
  'loan-code': loans?.status.code !== undefined,
  'loan-cause': loans?.precalculation.cause !== undefined,
})

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
    canMoveTime: canMove(relied),
    conditions: {
      any: conditionsFor(undefined, relied),
      FAC: conditionsFor('FAC', relied),
      TPP: conditionsFor('TPP', relied),
    },
  }
  const counts = new Map<string, number>()
  const planned = selected.flatMap((catalogued) => {
    const { id } = catalogued.check.requirement
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return expand(catalogued, `${id}/${count}`, context)
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
const HARMLESS: ReadonlySet<Effect> = new Set(['read', 'consent'])

const declaredNotApplicable = (row: Row, { notApplicable }: Profile): string | undefined => {
  const key = [row.id, row.chapter].find((name) => Object.hasOwn(notApplicable, name))
  return key === undefined ? undefined : notApplicable[key]
}

/** @throws ConfigurationError with each key of `notApplicable` that is neither a requirement nor a chapter. */
export const verifyNotApplicable = (
  { notApplicable }: Pick<Profile, 'notApplicable'>,
  rows: readonly Row[],
): void => {
  const known = [...new Set(rows.flatMap(({ id, chapter }) => [id, chapter]))]
  const problems = Object.keys(notApplicable)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = nearest(key, known)
      const advice = near === undefined ? 'take it out' : `did you mean ${near}?`
      return `\`notApplicable.${key}\` is neither a requirement nor a chapter; ${advice}`
    })
  if (problems.length > 0) throw new ConfigurationError(problems, 'the profile cannot be used')
}

const isJudged = (row: Row, unselected: Unselected, profile: Profile): boolean =>
  unselected(row) === undefined && declaredNotApplicable(row, profile) === undefined

const whyLeftOut = (row: Row, unselected: Unselected, profile: Profile): LeftOut['because'] => {
  const declared = declaredNotApplicable(row, profile)
  if (declared !== undefined) return `the profile declares: ${declared.replaceAll(/\s+/g, ' ')}`
  if (row.unchecked !== undefined) return `no check can judge it: ${row.unchecked}`
  if (row.pending !== undefined) return `pending: ${row.pending}`
  return unselected(row) ?? 'it has no check'
}

interface PlanContext extends PlanOptions {
  readonly target: PlannedTarget
  readonly effects: readonly Effect[]
  readonly canMoveTime: boolean
  /** The needs that are met by applications of a kind, or of any kind. */
  readonly conditions: Readonly<Record<Kind | 'any', Conditions>>
}

const KINDS: readonly Kind[] = ['FAC', 'TPP']

const expand = (catalogued: CataloguedCheck, id: string, context: PlanContext): readonly PlannedCheck[] => {
  const { as } = catalogued.check.scenario.options
  if (as === 'any') return [plan(catalogued, id, undefined, context)]
  if (as !== 'each') return [plan(catalogued, id, as, context)]
  const kinds = KINDS.filter((kind) => has(context, kind))
  return kinds.map((kind) => plan(catalogued, `${id}@${kind}`, kind, context))
}

const has = ({ target }: PlanContext, kind: Kind): boolean =>
  target.profile.applications.some((application) => application.kind === kind)

/** As whom a scenario acts without a kind of its own: for payments and loans, the application that the profile names. */
const actingKindOf = (
  { needs = [] }: ScenarioOptions,
  { applications, payments, loans }: Profile,
): Pick<PlannedCheck, 'actingKind'> => {
  const named = needs.includes('payments')
    ? payments?.application
    : needs.includes('loans') || needs.includes('loan-api')
      ? loans?.application
      : undefined
  const acting = applications.find(({ name }) => name === named) ?? applications[0]
  return acting === undefined ? {} : { actingKind: acting.kind }
}

/** The kind that a scenario for each kind of application lacks. */
const missingKindOf = ({ as }: ScenarioOptions, context: PlanContext): Pick<PlannedCheck, 'missingKind'> => {
  const missingKind = as === 'each' ? KINDS.find((kind) => !has(context, kind)) : undefined
  return missingKind === undefined ? {} : { missingKind }
}

const plan = (
  { check, chapter, key, file }: CataloguedCheck,
  id: string,
  application: Kind | undefined,
  context: PlanContext,
): PlannedCheck => {
  const { requirement, scenario } = check
  const { authorizations = 0, needs = [], payments, loans, waitsMs, listensMs } = scenario.options
  const times = scenario.options.times?.(context.target.profile, context.canMoveTime) ?? 1
  const { environment } = context.target.profile
  const { [otherThan(environment)]: elsewhere, [environment]: effect = 'read' } = effectsOf(
    scenario.options,
    environment,
  )
  const heldBack = whyHeldBack(
    { ...scenario.options, needs: [...needs, ...check.needs] },
    application,
    context,
  )
  const waiver = context.waived?.find((one) => one.requirement === requirement.id)
  return {
    id,
    key,
    requirement: requirement.id,
    chapter,
    title: `${requirement.claim}: ${scenario.title}`,
    scenario: `${chapter}/${slug(scenario.title)}${application === undefined ? '' : `@${application}`}`,
    ...(application === undefined ? actingKindOf(scenario.options, context.target.profile) : { application }),
    ...missingKindOf(scenario.options, context),
    ...facetsOf(scenario.options),
    file,
    effect,
    ...(elsewhere !== undefined && { elsewhere }),
    // A scenario that only reads uses grants that it shares.
    authorizations: isReading(scenario.options) ? 0 : authorizations * times,
    ...grantsOf(scenario.options, application, context.target.profile),
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
  const acting = profile.applications.find(({ kind }) => application === undefined || kind === application)
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

const whyHeldBack = (
  options: ScenarioOptions,
  application: Kind | undefined,
  context: PlanContext,
): string | undefined => {
  const { effectsIn, needs = [] } = options
  const { profile } = context.target
  if (application !== undefined && !has(context, application))
    return `the profile has no application of the kind ${application}`
  const unheld = ENVIRONMENTS.find((name) => effectsIn?.[name] && !heldEnvironments(profile).includes(name))
  if (unheld !== undefined) return `it needs ${CREDENTIALS[unheld]}`
  const forbidden = forbiddenEffect(effectsOf(options, profile.environment), context)
  if (options.waitsMs !== undefined && isSkipped('time', context)) return 'left out by --skip time'
  if (forbidden !== undefined)
    return `the effect "${forbidden.effect}" is not allowed in ${forbidden.environment} (--allow ${forbidden.effect})`
  const missing = needs.find((need) => !context.conditions[application ?? 'any'][need])
  if (missing !== undefined) return `it needs ${NEEDS[missing]}`
  return whyUntimely(options, { ...context, profile })
}

/** A requirement may also be judged by scenarios without a wait; these still run. */
const isSkipped = (tag: string, { skip }: PlanContext): boolean =>
  skip.some((selector) => selector.toLowerCase() === tag)

/** The effect of a scenario in each environment; without `effectsIn`, in the environment of the run. */
const effectsOf = ({ effect, effectsIn }: ScenarioOptions, environment: Environment): EffectsIn =>
  effectsIn ?? { [environment]: effect }

/** The first effect that is not allowed in its environment. */
const forbiddenEffect = (wanted: EffectsIn, { target, allow }: PlanContext) =>
  ENVIRONMENTS.flatMap((environment) => {
    const effect = wanted[environment]
    const isForbidden = effect && !allowedEffects(target.profile, allow, environment).includes(effect)
    return isForbidden ? [{ environment, effect }] : []
  })[0]
