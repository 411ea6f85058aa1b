import { canRefuse, isAuthorizing, recipeOf } from '../profile/authorization.ts'
import { loanConditions } from './loan-conditions.ts'
import { paymentConditions } from './payment-conditions.ts'
import type { Need } from '../check/scenario.ts'
import type { Effect } from '../evidence/effect.ts'
import type { ApplicationProfile, Profile } from '../profile/schema.ts'
import type { PlannedTarget, PlanOptions } from './build-plan.ts'

/** What a plan can rely on: which needs of scenarios a profile, a target and the options meet. */

/** Where that follows from. */
interface Relied extends Pick<PlanOptions, 'time' | 'webhookUrl'> {
  readonly target: PlannedTarget
  readonly effects: readonly Effect[]
}

type Kind = ApplicationProfile['kind']
type Conditions = Readonly<Record<Need, boolean>>

/** Whether the target's time can be moved. */
export const canMove = ({ target: { profile, virtual }, time }: Pick<Relied, 'target' | 'time'>): boolean =>
  virtual || (time === 'auto' && profile.levers.advanceClock !== undefined)

const hasImported = ({ authorization }: Profile, [first]: readonly ApplicationProfile[]): boolean =>
  authorization.kind === 'tokens' && authorization.tokens.some((token) => token.application === first?.name)

type AccountNeed = Extract<Need, `${string}-account` | 'known-accounts' | 'second-variant' | 'booking'>

const accountConditions = ({
  customers: [first, second],
  secondVariant,
  levers,
}: Profile): Readonly<Record<AccountNeed, boolean>> => {
  const known = first?.accounts ?? []
  const granted = known.filter(({ consented }) => consented)
  return {
    'second-variant': secondVariant !== undefined,
    'known-accounts': granted.length > 0,
    'own-account': granted.some(({ bank }) => bank === 'own'),
    'other-bank-account': granted.some(({ bank }) => bank === 'other'),
    'unconsented-account': known.length > granted.length,
    'counted-account': granted.some(({ transactions = 0 }) => transactions > 0),
    'empty-account': granted.some(({ transactions }) => transactions === 0),
    'long-account': granted.some(({ transactions = 0 }) => transactions > 100),
    'second-customer-account': (second?.accounts ?? []).length > 0,
    booking: levers.bookTransaction !== undefined,
  }
}

type WebhookNeed = Extract<Need, `webhook${string}` | 'named-consent' | 'consent-revocation'>

/** Webhooks become active at a full hour: where the clock cannot be moved, nobody waits for it. */
const webhookConditions = (
  { levers, webhooks, operations }: Profile,
  [acting]: readonly ApplicationProfile[],
  { canMoveTime, webhookUrl }: { readonly canMoveTime: boolean; readonly webhookUrl: string | undefined },
): Readonly<Record<WebhookNeed, boolean>> => {
  const canConfigure = levers.configureWebhook !== undefined
  const isConfigured = webhooks.configured.some(({ application }) => application === acting?.name)
  const hasAddress = webhookUrl !== undefined || webhooks.listen.port !== 0
  return {
    webhook: canConfigure ? canMoveTime : isConfigured && hasAddress,
    'webhook-settings': canConfigure,
    'consent-revocation': levers.revokeConsent !== undefined,
    'named-consent': JSON.stringify(operations.refresh).includes('{consentId}'),
  }
}

const conditions = new WeakMap<Relied, Map<Kind | undefined, Conditions>>()

/** Each need of each check is one of them: they are looked up once for a plan. */
export const conditionsFor = (application: Kind | undefined, relied: Relied): Conditions => {
  const known = conditions.get(relied) ?? new Map<Kind | undefined, Conditions>()
  conditions.set(relied, known)
  const found = known.get(application) ?? examine(application, relied)
  known.set(application, found)
  return found
}

const examine = (
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
    // How long it takes is another question.
    clock: true,
    revocation: profile.levers.revokeToken !== undefined,
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
