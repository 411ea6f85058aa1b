import { REJECTIONS, type Rejection } from '../profile/schema/payments.ts'
import type { Arbitrary } from 'fast-check'
import type { Environment } from '../profile/environment.ts'
import type { Place } from '../profile/schema/places.ts'
import type { Effect } from '../evidence/exchange.ts'
import { Selection, type Selectable } from '../check/selection.ts'
import { NotReached } from '../evidence/signals.ts'
import type { Statement } from '../check/verdict.ts'
import type { Observed as Seen } from '../check/observed/observe.ts'
import type { Acted } from '../check/acted.ts'
import type { Session } from './session.ts'

const A_CLOCK = 'where it has an `at`, a clock that can be moved as well'

const FACTS: Partial<Record<Rejection, string>> = {
  any: 'payments.facts.unknownDebtors',
  AC04: 'payments.facts.closedAccounts',
  AG01: 'payments.facts.savingsAccounts',
  AM03: 'payments.facts.currencies',
  AM04: 'payments.facts.funds',
  AM09: 'payments.facts.agreedAmounts',
  TM01: 'payments.facts.cutOff',
}

const keysFor = (rejection: Rejection): string =>
  [FACTS[rejection] ?? [], rejection === 'any' ? [] : `payments.provocations.${rejection}`]
    .flat()
    .join(' or ')

/** One need for each reason code, and one for a rejection with any. */
const PROVOCATIONS = Object.fromEntries(
  REJECTIONS.map((rejection) => [
    `provoke-${rejection}`,
    `an order that is rejected with ${rejection === 'any' ? 'any code' : rejection} (${keysFor(rejection)}; ${A_CLOCK})`,
  ]),
) as Readonly<Record<`provoke-${Rejection}`, string>>

/**
 * What a scenario may need. The plan leaves a scenario out if the profile lacks one of its needs, and reports
 * which.
 */
export const NEEDS = {
  clock: 'a clock that can be moved (testHooks.advanceClock), or a run that waits (--time wall)',
  revocation: 'a test hook that revokes a token (testHooks.revokeToken)',
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
  'second-variant-consent': 'a consent for each grant of the second variant (secondVariant.oauth.consent)',
  'known-accounts': 'accounts of the first customer that are known (customers[0].accounts)',
  'own-account': "a known account at the service's own bank (customers[0].accounts: bank own)",
  'other-bank-account': 'a known account at another bank (customers[0].accounts: bank other)',
  'account-choice':
    "a page that picks accounts (authorization.pages[].tickAccounts), and two known accounts at the service's own bank that the first customer consents to (customers[0].accounts: bank own)",
  'unconsented-account':
    'a known account that the first customer does not consent to (customers[0].accounts: consented false)',
  'empty-account': 'a known account without transactions (customers[0].accounts: transactions 0)',
  'long-account': 'a known account with more than 100 transactions (customers[0].accounts: transactions)',
  'counted-account': 'a known account whose transactions are counted (customers[0].accounts: transactions)',
  'very-long-account':
    'a known account with more than 1000 transactions (customers[0].accounts: transactions)',
  'second-customer-account': 'a known account of a second customer (customers: accounts)',
  booking: 'a test hook that books a transaction (testHooks.bookTransaction)',
  'consent-revocation': 'a test hook that revokes a consent (testHooks.revokeConsent)',
  'named-consent': 'a refresh request that names its consent (operations.refresh: headers, query or body)',
  webhook:
    'webhooks that can be made active: test hooks that set them and move the clock (testHooks.configureWebhook, testHooks.advanceClock), or settings that point at --webhook-url (webhooks.configured)',
  'webhook-settings': 'a test hook that sets the webhook settings (testHooks.configureWebhook)',
  payments: 'the payment API (payments)',
  'further-initiation': 'a further initiation method (payments.initiations)',
  'further-initiation-at-once':
    'a further initiation method that takes no future date (payments.initiations[].future)',
  'future-initiation': 'an initiation method that takes a future date (payments.initiations[].future)',
  'other-payment-application':
    'a second application, which did not initiate the payment, and an authentication that distinguishes both (applications, payments.authentication)',
  'other-loan-application':
    'a second application in the loan sandbox, which did not submit the loan application (applications[].environments)',
  'any-rejection':
    'an order that is rejected without moving the clock (payments.facts or payments.provocations)',
  'payment-bearer': 'payment operations with a token of the application (payments.authentication: bearer)',
  'payment-authorization':
    'payment operations with an Authorization header (payments.authentication: bearer or basic)',
  'payment-token':
    'a submission with the token that the authorization of the payment gives (payments.submission.token: granted, without payments.approval)',
  'submission-rejection': `an order that its submission rejects (payments.rejectedAtSubmission; ${A_CLOCK})`,
  'submission-rejection-AM04': `an order that its submission rejects for missing funds (payments.rejectedAtSubmission.AM04; ${A_CLOCK})`,
  'any-amount': 'a sandbox, since it initiates payments of any amount (environment)',
  ...PROVOCATIONS,
  loans: 'the sandbox of the loan API (loans; environment sandbox)',
  'loan-api': 'the sandbox of the loan API, whichever environment is judged (loans)',
  'loan-selection-after-submission':
    'a scenario that is selected after the submission (loans.scenario: kind page or call)',
  'loan-cause': 'a field that says why a precalculation is negative (loans.precalculation.cause)',
  redirect: 'a redirect URI with delivery "redirect" (applications[].redirectUris)',
  'result-screen': 'a redirect URI with delivery "result-screen" (applications[].redirectUris)',
  'redirect-query': 'a redirect URI that has a query of its own (applications[].redirectUris)',
} as const

export type Need = keyof typeof NEEDS

export const isNeed = (name: string): name is Need => Object.hasOwn(NEEDS, name)

/** The additional needs of a scenario that declares its environments. */
export const CREDENTIALS = {
  sandbox:
    'credentials of the acting application that hold in the sandbox (environments, applications[].environments)',
  production:
    'credentials of the acting application that hold in production (environments, applications[].environments)',
} as const

/** The strongest effect in each environment that the scenario names. */
export type EffectsIn = Readonly<Partial<Record<keyof typeof CREDENTIALS, Effect>>>

export interface ScenarioOptions {
  /** The strongest effect of its requests. A request above it is never sent. */
  readonly effect: Effect
  /**
   * The strongest effect in each environment, for a scenario that names environments instead of using the one that
   * is judged.
   */
  readonly effectsIn?: EffectsIn
  /**
   * Which kind of application acts. `each`: the scenario runs once as a FAC and once as a TPP, if the profile has
   * both.
   */
  readonly as: 'FAC' | 'TPP' | 'each' | 'any'
  /** How often a customer authorizes in one run of the scenario. */
  readonly authorizations?: number
  readonly needs?: readonly Need[]
  /** How many times `authorizations` and `payments` happen, depending on the profile; by default once. */
  readonly times?: (profile: Session['profile'], canMoveTime: boolean) => number
  /** Whether it acts in both variants of the accounts (needs: access): with a grant for each, where one opens no more. */
  readonly inBothVariants?: true
  /** How many payments are initiated and submitted in one run of the scenario. */
  readonly payments?: { readonly initiated: number; readonly submitted?: number }
  /** How many loan applications are submitted in one run of the scenario. */
  readonly loans?: { readonly submitted: number }
  /** About how much of the target's time passes in one run of the scenario, in ms (needs: clock). */
  readonly waitsMs?: number
  /** About how long it listens for webhook calls that must not come, in ms of the target's time. */
  readonly listensMs?: number
}

/** Where a scenario acts: in the loan sandbox, or in the environment that is judged. */
export const placeOf = ({ needs = [] }: Pick<ScenarioOptions, 'needs'>, environment: Environment): Place =>
  needs.includes('loans') || needs.includes('loan-api') ? 'loans' : environment

/** Scenarios that only read share one bank and its grants. */
export const isReading = ({ effect }: ScenarioOptions): boolean => effect === 'read'

/** Requests to the target, sent once. Any number of checks judge the record. */
export interface Scenario<Observed = unknown> extends Selectable<Seen<Observed>> {
  readonly kind: 'scenario'
  readonly title: string
  readonly options: ScenarioOptions
  readonly act: (session: Session) => Promise<Observed>
}

/** Requests to the target, sent for each value of a seeded arbitrary. */
export interface Property<Value = unknown, Observed = unknown> extends Selectable<Seen<Observed>> {
  readonly kind: 'property'
  readonly title: string
  readonly options: ScenarioOptions
  readonly arbitrary: Arbitrary<Value>
  readonly act: (session: Session, value: Value) => Promise<Observed>
  /** Values that are always tried, before those that are drawn. */
  readonly edges?: readonly Value[]
  /** Describes a counterexample in lines, if its data alone says too little: what was done, with which result. */
  render?(record: Seen<Observed>, value: Value): string
}

const selecting = <Observed>(acted: () => Acted): Selectable<Seen<Observed>> => {
  const whole = () => new Selection(acted(), (record) => [{ read: () => record as Seen<Observed> }])
  return {
    where: (isMeant, because) => whole().where(isMeant, because),
    each: (itemsOf, because) => whole().each(itemsOf, because),
  }
}

/**
 * Registers a scenario. `act` returns the record for the checks: exchanges, ends of authorizations and plain data.
 * @param title a noun phrase, unique in the catalogue: "a code exchange".
 */
export const scenario = <Observed>(
  title: string,
  options: ScenarioOptions,
  act: (session: Session) => Promise<Observed>,
): Scenario<Observed> => {
  const made: Scenario<Observed> = { kind: 'scenario', title, options, act, ...selecting(() => made) }
  return made
}

/** Like `scenario`, for every value of an arbitrary; `--runs` says how many values, `--seed` which. */
export const property = <Value, Observed>(
  title: string,
  options: ScenarioOptions,
  arbitrary: Arbitrary<Value>,
  act: (session: Session, value: Value) => Promise<Observed>,
  more: Pick<Property<Value, Observed>, 'edges' | 'render'> = {},
): Property<Value, Observed> => {
  const made: Property<Value, Observed> = {
    kind: 'property',
    title,
    options,
    arbitrary,
    act,
    ...more,
    ...selecting(() => made),
  }
  return made
}

/** What is done for each of several statements of the profile. */
export interface ForEachStatement<Item extends Statement, Observed> {
  readonly each: (session: Session) => Promise<readonly Item[]>
  /** @throws NotReached if this one cannot be done: the next one is. */
  readonly act: (session: Session, item: Item) => Promise<Observed>
  /** Why a record cannot be judged: the check is not reached then, and names the key of the statement. */
  readonly unusable: (record: Seen<Observed>, statement: Statement) => string | undefined
}

/** What was done for one statement, or why it could not be done. */
type Done<Observed> = { readonly statement: Statement } & (
  { readonly record: Observed } | { readonly because: string }
)

export interface WholeOfEach<Observed> {
  readonly done: readonly Done<Observed>[]
}

/** The records of what could be done. */
export const recordsOf = <One extends object>(
  done: readonly One[],
): readonly Extract<One, { readonly record: unknown }>['record'][] =>
  done
    .filter((one): one is Extract<One, { readonly record: unknown }> => 'record' in one)
    .map(({ record }) => record)

/** What checks judge of it: the record of each statement, or `whole`, which has all of them. */
export type ScenarioForEach<Observed> = Selection<Seen<Observed>> & {
  readonly whole: Scenario<WholeOfEach<Observed>>
}

/** Like `scenario`, for each of several statements of the profile. */
export const scenarioForEach = <Item extends Statement, Observed>(
  title: string,
  options: ScenarioOptions,
  { each, act, unusable }: ForEachStatement<Item, Observed>,
): ScenarioForEach<Observed> => {
  const whole = scenario(title, options, async (session): Promise<WholeOfEach<Observed>> => {
    const done: Done<Observed>[] = []
    for (const item of await each(session)) {
      const statement = { key: item.key, states: item.states }
      try {
        done.push({ statement, record: await act(session, item) })
      } catch (error) {
        if (!isNotReached(error)) throw error
        done.push({ statement, because: error.message })
      }
    }
    if (done.some((one) => 'record' in one)) return { done }
    const reasons = done.flatMap((one) => ('because' in one ? one.because : []))
    throw new NotReached(reasons.join('; ') || 'the profile states nothing to do')
  })
  const casesIn = (record: unknown) =>
    (record as WholeOfEach<Seen<Observed>>).done.map((one) => ({
      read: () => {
        if ('because' in one) throw new NotReached(one.because)
        return one.record
      },
      rests: {
        on: one.statement,
        unusable: () => ('record' in one ? unusable(one.record, one.statement) : undefined),
      },
    }))
  return Object.assign(new Selection(whole, casesIn), { whole })
}

/** A run that waits has an error of its own, which ends the scenario for now. */
const isNotReached = (error: unknown): error is NotReached =>
  error instanceof NotReached && error.name === 'NotReached'

/** Whether this was made by `scenario` or `property`. */
export const isScenario = (registered: Acted): registered is Scenario | Property => 'options' in registered
