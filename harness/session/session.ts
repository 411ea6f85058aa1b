import { NotReached } from '../evidence/signals.ts'
import { isAccepted, isRedirectResult, type RedirectResult } from '../evidence/record/answer.ts'
import { createApplication, type Application } from './application.ts'
import { retryServerError, type Pause } from './http/layers/repetitions.ts'
import { actingIn } from './http/target-http.ts'
import {
  createEndpointProbe,
  createFirstPageOpener,
  type OpenFirstPage,
  type ProbeEndpoint,
} from './http/endpoint-probe.ts'
import { createLoans, type Loans } from './loans/loans.ts'
import { createPayments, type Payments } from './payments/payments.ts'
import { chance, type Random } from './random.ts'
import { createTokenOwners } from './token-owners.ts'
import { createVariants } from './accounts/variants.ts'
import { openAuthorizationDriver } from './authorization/open-driver.ts'
import { applicationsIn } from '../profile/applications.ts'
import { testHooksIn } from '../profile/test-hooks.ts'
import type { TargetClock, TestHooks } from './clock.ts'
import type { Environment } from '../profile/environment.ts'
import type { Variant } from '../profile/oauth.ts'
import type { ApplicationProfile, CustomerProfile, Profile } from '../profile/schema.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Http } from './http/http.ts'
import type { AuthorizationDriver } from './authorization/driver.ts'
import type { Webhook } from './webhooks/webhook.ts'
import type { Access } from './authorization/grants-file.ts'

/** The same request three times: valid, with exactly one change, valid again. */
export interface Between<Attempt extends Exchange | RedirectResult> {
  readonly before: Attempt
  readonly changed: Attempt
  readonly after: Attempt
}

/** A changed request that a conforming bank accepts like the valid one. */
interface Alike<Attempt extends Exchange | RedirectResult> {
  readonly changed: Attempt
  /** The valid request, sent only if the changed one was refused: to find out whether the change is the cause. */
  readonly valid?: Attempt
  /** The changed request again, sent only if the valid one was accepted: to find out whether the refusal was accidental. */
  readonly again?: Attempt
}

/** The session of an environment that the scenario names. Nothing in it is shared with other scenarios. */
export type EnvironmentSession = Omit<Session, 'at' | 'access' | 'testHooks' | 'webhook'>

/** Everything that a scenario uses to send requests to the target. */
export interface Session {
  /** The same applications and customers in another environment (needs: both-environments, or its credentials). */
  at(environment: Environment): EnvironmentSession
  /** The application that sends the requests. */
  readonly app: Application
  /** A second application of the same kind (needs: second-application). */
  readonly other: Application
  /** The first application of that kind (needs: both-kinds), or the one with that name. */
  applicationOf(kind: ApplicationProfile['kind'], name?: string): Application
  /** The customer who authorizes. */
  readonly customer: CustomerProfile
  readonly otherCustomer: CustomerProfile
  readonly clock: TargetClock
  /** Random values of the scenario. They are the same when an interrupted run repeats the scenario from its log. */
  readonly random: Random
  readonly testHooks: TestHooks
  /** The webhook address of this scenario (needs: webhook, or webhook-settings). */
  readonly webhook: Webhook
  /** With the applications that exist in its environment. */
  readonly profile: Profile
  /**
   * An access token that is shared by all scenarios that only read (needs: access). By default it belongs to the
   * acting application and the first customer, and opens the first variant; if the variants have no separate grants, both.
   */
  readonly access: (whose?: {
    readonly app?: Application
    readonly customer?: CustomerProfile
    readonly variant?: Variant
  }) => Promise<Access>
  /** Sends a request without credentials to an OAuth endpoint: of an unregistered client. */
  readonly probeEndpoint: ProbeEndpoint
  /** The answers to an authorization request, up to the first page on which the customer would act. */
  readonly openFirstPage: OpenFirstPage
  /**
   * The payment operations (needs: payments), once the payment hours are open. By default with the application that
   * the profile names for payments.
   */
  payments(whose?: ApplicationProfile): Promise<Payments>
  /** The loan operations (needs: loans). By default with the application that the profile names for loans. */
  loans(whose?: ApplicationProfile): Promise<Loans>
  /**
   * A refusal proves something only if the request is accepted without the change: sends the valid request, the
   * changed one, and the valid one again.
   */
  between<Attempt extends Exchange | RedirectResult>(
    valid: () => Promise<Attempt>,
    changed: () => Promise<Attempt>,
  ): Promise<Between<Attempt>>
  /** Sends a changed request that must be accepted too; the valid one follows only if the changed one is refused. */
  alike<Attempt extends Exchange | RedirectResult>(
    valid: () => Promise<Attempt>,
    changed: () => Promise<Attempt>,
  ): Promise<Alike<Attempt>>
  /**
   * Sends a request that a conforming bank refuses again after a server error, with a control after each. Requests that
   * only read are repeated so without it, where one of their operation was accepted before.
   * @param control a request without an effect that was accepted before: no outage if it is accepted now.
   */
  retryServerError(ask: () => Promise<Exchange>, control: () => Promise<Exchange>): Promise<Exchange>
}

export interface SessionOptions {
  readonly profile: Profile
  /** The kind of the applications that act. */
  readonly kind: 'FAC' | 'TPP' | 'any'
  /** Opens the webhook address of the scenario, for the application that acts. */
  readonly webhook?: (acting: () => Application) => Webhook
  readonly baseUrl: string
  readonly http: Http
  /** How customers authorize; by default as the profile says. */
  readonly driver?: AuthorizationDriver
  readonly clock: TargetClock
  readonly testHooks: TestHooks
  readonly random?: Random
  /** Which amount its first loan has; by default the first. */
  readonly turn?: number | undefined
  /** Waits between a request and its repetition; no wait by default. */
  readonly pause?: Pause
  readonly access: (
    application: ApplicationProfile,
    customer: CustomerProfile | undefined,
    variant: Variant,
  ) => Promise<Access>
}

/** @throws NotReached if the profile does not have it. */
const required = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new NotReached(`the profile has no ${what}`)
  return value
}

type Participants = Pick<Session, 'app' | 'other' | 'customer' | 'otherCustomer' | 'webhook'>

/** @param applications those of the kind, in the order of the profile. */
const participantsOf = (
  [app, ...others]: readonly Application[],
  { profile, kind, webhook: open }: SessionOptions,
): Participants => {
  const acting = (): Application => required(app, `application of the kind ${kind}`)
  const webhook = open?.(acting)
  return {
    get app() {
      return acting()
    },
    get other() {
      const second = others.find((one) => one.kind === app?.kind)
      return required(second, `second application of the kind ${kind}`)
    },
    get customer() {
      return required(profile.customers[0], 'customer')
    },
    get otherCustomer() {
      return required(profile.customers[1], 'second customer')
    },
    get webhook() {
      if (webhook !== undefined) return webhook
      throw new Error('a scenario with webhook calls declares that it needs "webhook" or "webhook-settings"')
    },
  }
}

/** Whether there was an answer, and it was not an acceptance. */
const isRefusal = (attempt: Exchange | RedirectResult): boolean => {
  const { response } = isRedirectResult(attempt) ? attempt.exchange : attempt
  return response !== undefined && !isAccepted(attempt)
}

/** Changed requests, compared with valid ones. */
const controls: Pick<Session, 'between' | 'alike'> = {
  async between(valid, changed) {
    return { before: await valid(), changed: await changed(), after: await valid() }
  },
  async alike(valid, changed) {
    const first = { changed: await changed() }
    if (!isRefusal(first.changed)) return first
    const both = { ...first, valid: await valid() }
    return isRefusal(both.valid) ? both : { ...both, again: await changed() }
  },
}

export const createSession = (options: SessionOptions): Session => {
  const { profile, baseUrl, clock, testHooks, random = chance, kind, access, pause } = options
  const { driver = openAuthorizationDriver(profile), webhook: _, ...ofBoth } = options
  const owners = createTokenOwners(profile)
  const http = owners.named(options.http)
  const context = {
    profile,
    baseUrl,
    http,
    driver,
    clock,
    owners,
    accounts: createVariants({ profile, baseUrl, http, random, hasNoAccount: owners.hasNoAccount }),
    customer: profile.customers[0],
    random,
    turn: options.turn,
  }
  const applications = applicationsIn(profile)
    .filter((application) => kind === 'any' || application.kind === kind)
    .map((application) => createApplication(application, context))
  const participants = participantsOf(applications, options)

  // Not spread: a participant that the profile lacks is reported only when it is used.
  return Object.assign(participants, {
    at: (environment) =>
      createSession({
        ...ofBoth,
        driver,
        random,
        profile: { ...profile, environment },
        http: environment === profile.environment ? http : actingIn(http, environment),
      }),
    applicationOf(wanted, name) {
      const application = applicationsIn(profile).find(
        (one) => one.kind === wanted && (name === undefined || one.name === name),
      )
      return createApplication(required(application, `application of the kind ${wanted}`), context)
    },
    clock,
    random,
    testHooks,
    profile: { ...profile, applications: [...applicationsIn(profile)], testHooks: testHooksIn(profile) },
    async access({ app = participants.app, customer = profile.customers[0], variant = 'first' } = {}) {
      const granted = await access(app.profile, customer, variant)
      owners.note(granted.accessToken, customer)
      return granted
    },
    probeEndpoint: createEndpointProbe(context),
    openFirstPage: createFirstPageOpener(context),
    payments: createPayments(context),
    loans: createLoans(context),
    ...controls,
    retryServerError: (ask, control) => retryServerError({ ask, control, pause }),
  } satisfies Omit<Session, keyof Participants>)
}
