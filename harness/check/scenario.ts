import type { Arbitrary } from 'fast-check'
import { REASON_CODES } from '../session/payments.ts'
import type { Effect } from '../evidence/effect.ts'
import type { Observed as Seen } from './observe.ts'
import type { ReasonCode } from '../session/payments.ts'
import type { Session } from '../session/session.ts'

type Provoking = `provoke-${ReasonCode}`

const A_CLOCK = 'where it has an `at`, a clock that can be moved as well'

/** Each reason code is held back by name. */
const PROVOCATIONS = Object.fromEntries(
  REASON_CODES.map((code) => [
    `provoke-${code}`,
    `a way to provoke ${code} (payments.provocations.${code}; ${A_CLOCK})`,
  ]),
) as Readonly<Record<Provoking, string>>

/** What a scenario cannot do without; the plan holds it back where the target's profile lacks it, and says so. */
export const NEEDS = {
  clock: 'a clock that can be moved (levers.advanceClock), or a run that waits (--time wall)',
  revocation: 'a lever that revokes a token (levers.revokeToken)',
  customer: 'a way for the customer to authorize (authorization: pages)',
  login: 'a page on which the customer types a password (authorization.pages[].fill)',
  access: 'an access token: imported, or granted by a customer (authorization)',
  'seen-pages':
    'pages of the bank that are seen, where it refuses without sending the customer back (authorization: pages or browser)',
  refusal: 'a button with which the customer refuses (authorization.pages[].refuse)',
  'second-application': 'a second application of the same kind (applications)',
  'both-kinds': 'an application of each kind, FAC and TPP (applications)',
  'second-customer': 'a second customer (customers)',
  'second-variant': 'the second accounts variant (secondVariant)',
  'known-accounts': 'accounts of the first customer that are known (customers[0].accounts)',
  'own-account': "a known account at the service's own bank (customers[0].accounts: bank own)",
  'other-bank-account': 'a known account at another bank (customers[0].accounts: bank other)',
  'unconsented-account':
    'a known account that the first customer does not consent to (customers[0].accounts: consented false)',
  'counted-account':
    'a known account whose transactions are counted, with one at least (customers[0].accounts: transactions)',
  'empty-account': 'a known account without transactions (customers[0].accounts: transactions 0)',
  'long-account': 'a known account with more than 100 transactions (customers[0].accounts: transactions)',
  'second-customer-account': 'a known account of the second customer (customers[1].accounts)',
  booking: 'a lever that books a transaction (levers.bookTransaction)',
  'consent-revocation': 'a lever that revokes a consent (levers.revokeConsent)',
  'named-consent': 'a refresh request that names its consent (operations.refresh: headers, query or body)',
  webhook:
    'webhooks that can be made active: levers that set them and move the clock (levers.configureWebhook, levers.advanceClock), or settings that point at --webhook-url (webhooks.configured)',
  'webhook-settings': 'a lever that sets the webhook settings (levers.configureWebhook)',
  payments: 'the payment API (payments)',
  'further-initiation': 'a further initiation method (payments.initiations)',
  'further-initiation-at-once':
    'a further initiation method that takes no future date (payments.initiations[].future)',
  'future-initiation': 'an initiation method that takes a future date (payments.initiations[].future)',
  'stranger-application': 'a second application, to which a payment is foreign (applications)',
  'any-rejection': 'a way to provoke a rejection without moving the clock (payments.provocations)',
  'payment-token':
    'a submission with the token that the authorization of the payment gives (payments.submission.token: granted)',
  'submission-rejection': `an order that its submission rejects (payments.rejectedAtSubmission; ${A_CLOCK})`,
  'any-amount': 'a sandbox, since it initiates payments of any amount (environment)',
  ...PROVOCATIONS,
  loans: 'the sandbox of the loan API (loans; environment sandbox)',
  'loan-api': 'the sandbox of the loan API, whichever environment is judged (loans)',
  'loan-selection-after-submission':
    'a scenario that is selected after the submission (loans.scenario: kind page or call)',
  'loan-code': 'a field of the status that carries its result code (loans.status.code)',
  'loan-cause': 'a field that says why a precalculation is negative (loans.precalculation.cause)',
  redirect: 'a redirect URI with delivery "redirect" (applications[].redirectUris)',
  'result-screen': 'a redirect URI with delivery "result-screen" (applications[].redirectUris)',
  'redirect-query': 'a redirect URI that has a query of its own (applications[].redirectUris)',
} as const

export type Need = keyof typeof NEEDS

/** Whatever else a scenario needs that acts in an environment by its name. */
export const CREDENTIALS = {
  sandbox: 'credentials that hold in the sandbox (environments)',
  production: 'credentials that hold in production (environments)',
} as const

/** The strongest effect in each environment that a scenario acts in. */
export type EffectsIn = Readonly<Partial<Record<keyof typeof CREDENTIALS, Effect>>>

export interface ScenarioOptions {
  /** The strongest effect of its requests. A request above it is never sent. */
  readonly effect: Effect
  /** The same for each environment, where it acts in environments by their names, and not in the one that is judged. */
  readonly effectsIn?: EffectsIn
  /** Which kind of application acts. `each`: once as a FAC and once as a TPP, as far as the profile has them. */
  readonly as: 'FAC' | 'TPP' | 'each' | 'any'
  /** How often a customer authorizes, once through (a property: in one of its runs). */
  readonly authorizations?: number
  readonly needs?: readonly Need[]
  /** How often authorizations and payments are made, by what the profile names; once, if it is left out. */
  readonly times?: (profile: Session['profile'], canMoveTime: boolean) => number
  /** How many payments are initiated and how many of them submitted, once through. */
  readonly payments?: { readonly initiated: number; readonly submitted?: number }
  /** How many loan applications are submitted, once through. */
  readonly loans?: { readonly submitted: number }
  /** How much of the target's time it lets pass, once through, in ms, about (needs: clock). */
  readonly waitsMs?: number
  /** How long it listens for calls that must not come, in ms of the target's time, about. */
  readonly listensMs?: number
}

/** A scenario that only reads shares its place on the target, and its grants, with all others that do. */
export const isReading = ({ effect }: ScenarioOptions): boolean => effect === 'read'

/** Something done once on the target, of which any number of checks judge the record. */
export interface Scenario<Observed = unknown> {
  readonly kind: 'scenario'
  readonly title: string
  readonly options: ScenarioOptions
  readonly act: (session: Session) => Promise<Observed>
}

/** Something done many times on the target, each time with another value of a seeded arbitrary. */
export interface Property<Value = unknown, Observed = unknown> {
  readonly kind: 'property'
  readonly title: string
  readonly options: ScenarioOptions
  readonly arbitrary: Arbitrary<Value>
  readonly act: (session: Session, value: Value) => Promise<Observed>
  /** Tells a counterexample in lines, where its plain data says little: what was done, and what came of it. */
  tell?(record: Seen<Observed>, value: Value): string
}

/**
 * Names what is done on the target. The act returns what the judges see: exchanges, landings and plain data.
 * @param title a noun phrase, unique in the catalogue: "a code exchange".
 */
export const scenario = <Observed>(
  title: string,
  options: ScenarioOptions,
  act: (session: Session) => Promise<Observed>,
): Scenario<Observed> => ({ kind: 'scenario', title, options, act })

/** Like `scenario`, for every value of an arbitrary; `--runs` says how many, `--seed` which. */
export const property = <Value, Observed>(
  title: string,
  options: ScenarioOptions,
  arbitrary: Arbitrary<Value>,
  act: (session: Session, value: Value) => Promise<Observed>,
  tell?: (record: Seen<Observed>, value: Value) => string,
): Property<Value, Observed> => ({
  ...{ kind: 'property', title, options, arbitrary, act },
  ...(tell && { tell }),
})
