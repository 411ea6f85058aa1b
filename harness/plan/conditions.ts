import { applicationsIn } from '../profile/applications.ts'
import { testHooksIn } from '../profile/test-hooks.ts'
import { actingCustomers } from '../profile/rotation.ts'
import { canRefuse, isAuthorizing, recipeOf } from '../profile/schema/authorization.ts'
import { hasGrantedToken, provocationsOf, REJECTIONS, type Rejection } from '../profile/schema/payments.ts'
import { ordersRejectedAtSubmission } from '../session/payments/rejected-orders.ts'
import type { Effect } from '../evidence/exchange.ts'
import type { ApplicationProfile, Profile } from '../profile/schema.ts'
import type { Place } from '../profile/schema/places.ts'
import type { Need } from '../session/scenario.ts'
import type { PlannedTarget, PlanOptions } from './plan.ts'

/** Which needs of scenarios the profile, the target and the options meet. */

/** The input of that decision. */
export interface Relied extends Pick<PlanOptions, 'time' | 'webhookUrl'> {
  readonly target: PlannedTarget
  readonly effects: readonly Effect[]
}

export type Kind = NonNullable<ApplicationProfile['kind']>
export type Conditions = Readonly<Record<Need, boolean>>

/** Whether the target's time can be moved. @param place by default the environment that is judged */
export const canMove = (
  { target: { profile, virtual }, time }: Pick<Relied, 'target' | 'time'>,
  place?: Place,
): boolean => virtual || (time === 'auto' && testHooksIn(profile, place).advanceClock !== undefined)

const hasImported = ({ authorization }: Profile, [first]: readonly ApplicationProfile[]): boolean =>
  authorization.kind === 'tokens' && authorization.tokens.some((token) => token.application === first?.name)

/** Whether a customer has two accounts of which they can share one. */
const hasChoice = ({ accounts }: Profile['customers'][number]): boolean =>
  accounts.filter(({ bank, consented }) => bank === 'own' && consented).length > 1

const accountConditions = (profile: Profile) => {
  const { secondVariant } = profile
  const [first, second] = actingCustomers(profile.customers)
  const known = first?.accounts ?? []
  const granted = known.filter(({ consented }) => consented)
  return {
    'second-variant': secondVariant !== undefined,
    'second-variant-consent': secondVariant !== undefined && secondVariant.oauth?.consent !== false,
    'known-accounts': granted.length > 0,
    'own-account': granted.some(({ bank }) => bank === 'own'),
    'other-bank-account': granted.some(({ bank }) => bank === 'other'),
    'account-choice':
      first !== undefined &&
      hasChoice(first) &&
      (recipeOf(profile.authorization)?.pages ?? []).some(({ tickAccounts }) => tickAccounts !== undefined),
    'unconsented-account': known.length > granted.length,
    'empty-account': granted.some(({ transactions }) => transactions === 0),
    'long-account': granted.some(({ transactions = 0 }) => transactions > 100),
    'counted-account': granted.some(({ transactions = 0 }) => transactions > 0),
    'very-long-account': granted.some(({ transactions = 0 }) => transactions > 1_000),
    'second-customer-account': (second?.accounts ?? []).length > 0,
    booking: testHooksIn(profile).bookTransaction !== undefined,
  } satisfies Partial<Conditions>
}

/** So many transactions are on two pages of the smallest size. */
const TWO_PAGES = 20

/**
 * Whether a customer can act in a scenario with these needs. For scenarios about accounts, the profile must contain an account
 * with two pages of transactions. Checks of bookings compare two accounts, if the first customer has two.
 */
export const meets =
  (profile: Profile, needs: readonly Need[]) =>
  (customer: Profile['customers'][number]): boolean => {
    const customers = [customer, ...profile.customers.filter((one) => one !== customer)]
    const known: Partial<Conditions> = accountConditions({ ...profile, customers })
    const [first] = profile.customers
    const isAboutAccounts = needs.some((need) => need === 'access' || known[need] !== undefined)
    const isKnown =
      customer === first ||
      customer.accounts.some(({ consented, transactions = 0 }) => consented && transactions >= TWO_PAGES)
    const hasAsMany = hasChoice(customer) || !(needs.includes('booking') && first && hasChoice(first))
    return (
      customer.hasAccounts !== false &&
      (isKnown || !isAboutAccounts) &&
      hasAsMany &&
      needs.every((need) => known[need] ?? true)
    )
  }

/** Webhooks become active at a full hour, so that they need a clock that can be moved. */
const webhookConditions = (
  profile: Profile,
  [acting]: readonly ApplicationProfile[],
  { canMoveTime, webhookUrl }: { readonly canMoveTime: boolean; readonly webhookUrl: string | undefined },
) => {
  const { webhooks, operations } = profile
  const testHooks = testHooksIn(profile)
  const canConfigure = testHooks.configureWebhook !== undefined
  const isConfigured = webhooks.configured.some(({ application }) => application === acting?.name)
  const hasAddress = webhookUrl !== undefined || webhooks.listen.port !== 0
  return {
    webhook: canConfigure ? canMoveTime : isConfigured && hasAddress,
    'webhook-settings': canConfigure,
    'consent-revocation': testHooks.revokeConsent !== undefined,
    'named-consent': JSON.stringify(operations.refresh).includes('{consentId}'),
  } satisfies Partial<Conditions>
}

/** The needs that are met for applications of a kind, or of any kind if it is undefined. */
export const conditionsFor = (
  application: Kind | undefined,
  { target, time, effects, webhookUrl }: Relied,
): Conditions => {
  const { profile } = target
  const acting = applicationsIn(profile).filter(
    ({ kind }) => application === undefined || kind === application,
  )
  const uris = acting[0]?.redirectUris ?? []
  const { pages = [] } = recipeOf(profile.authorization) ?? {}
  const hasCustomer = isAuthorizing(profile.authorization) && profile.customers.length > 0
  const canMoveTime = canMove({ target, time })
  return {
    // Whether the wait is short enough is decided separately.
    clock: true,
    revocation: testHooksIn(profile).revokeToken !== undefined,
    customer: hasCustomer,
    access: hasImported(profile, acting) || (hasCustomer && effects.includes('consent')),
    login: pages.some(({ fill }) => Object.values(fill).some((text) => text.includes('{password}'))),
    refusal: canRefuse(profile.authorization),
    'seen-pages': pages.length > 0,
    'second-application': acting.filter(({ kind }) => kind === acting[0]?.kind).length > 1,
    'both-kinds': new Set(applicationsIn(profile).map(({ kind }) => kind)).size > 1,
    'second-customer': profile.customers.length > 1,
    ...accountConditions(profile),
    ...webhookConditions(profile, acting, { canMoveTime, webhookUrl }),
    ...paymentConditions(profile, canMoveTime),
    ...loanConditions(profile),
    redirect: uris.some(({ delivery }) => delivery === 'redirect'),
    'result-screen': uris.some(({ delivery }) => delivery === 'result-screen'),
    // Each application is judged by itself.
    'redirect-query': acting
      .flatMap(({ redirectUris }) => redirectUris)
      .some(({ uri, delivery }) => delivery === 'redirect' && uri.includes('?')),
  }
}

/** The needs of the payment API that a profile meets. */
const paymentConditions = (profile: Profile, canMoveTime: boolean) => {
  const { payments, environment } = profile
  const isReached = ({ at }: { readonly at?: string | undefined }): boolean => at === undefined || canMoveTime
  const ordersOf = (rejection: Rejection) =>
    payments === undefined ? [] : provocationsOf(payments, rejection).map(({ order }) => order)
  const provoking = Object.fromEntries(
    REJECTIONS.map((rejection) => [`provoke-${rejection}`, ordersOf(rejection).some(isReached)]),
  ) as Readonly<Record<`provoke-${Rejection}`, boolean>>
  return {
    payments: payments !== undefined,
    'further-initiation': (payments?.initiations ?? []).length > 1,
    'further-initiation-at-once': (payments?.initiations ?? []).slice(1).some(({ future }) => !future),
    'future-initiation': (payments?.initiations ?? []).some(({ future }) => future),
    'other-payment-application':
      applicationsIn(profile).length > 1 &&
      (payments?.authentication !== 'other' || payments.signature !== undefined),
    'any-rejection': REJECTIONS.flatMap(ordersOf).some(({ at }) => at === undefined),
    'payment-token': payments !== undefined && hasGrantedToken(payments),
    'payment-bearer': payments?.authentication === 'bearer',
    'payment-authorization': payments !== undefined && payments.authentication !== 'other',
    'submission-rejection':
      payments !== undefined && ordersRejectedAtSubmission(payments, canMoveTime).length > 0,
    'submission-rejection-AM04':
      payments !== undefined &&
      ordersRejectedAtSubmission(payments, canMoveTime).some(({ code }) => code === 'AM04'),
    'any-amount': environment === 'sandbox',
    ...provoking,
  } satisfies Partial<Conditions>
}

/** The needs of the loan API that a profile meets. The API exists only in the sandbox. */
const loanConditions = (profile: Profile) => {
  const { loans, environment } = profile
  return {
    'other-loan-application': applicationsIn(profile, 'loans').length > 1,
    loans: loans !== undefined && environment === 'sandbox',
    'loan-api': loans !== undefined,
    'loan-selection-after-submission': loans !== undefined && loans.scenario.kind !== 'parameter',
    'loan-cause': loans?.precalculation.cause !== undefined,
  } satisfies Partial<Conditions>
}
