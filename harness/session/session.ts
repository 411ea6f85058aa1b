import { isAccepted } from './answer.ts'
import { createApplication } from './application.ts'
import { actingIn } from './elsewhere.ts'
import { isLanding } from './landing.ts'
import { createLoans } from './loans.ts'
import { named, Parties } from './parties.ts'
import { createPayments } from './payments.ts'
import { chance } from './random.ts'
import { createVariants } from './variants.ts'
import { openWay } from './way.ts'
import type { Environment } from '../profile/environments.ts'
import type { ApplicationProfile, CustomerProfile, Profile } from '../profile/schema.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Application } from './application.ts'
import type { Http } from './http.ts'
import type { Landing } from './landing.ts'
import type { Loans } from './loans.ts'
import type { PartiesOptions } from './parties.ts'
import type { Payments } from './payments.ts'
import type { Random } from './random.ts'
import type { Way } from './way.ts'
import type { Webhook } from './webhook.ts'
import type { Access } from './wallet.ts'

/** A target's time. `virtual` and `lever` clocks can be moved; the wall clock is waited for. */
export interface TargetClock {
  readonly kind: 'virtual' | 'lever' | 'wall'
  now(): Date
  /**
   * Lets that much of the target's time pass: moved on where the clock can be moved, waited for where it cannot.
   * @param slackMs how much later than that what is done next still shows what it is to show; any time, if left out.
   * @throws Inconclusive where it has become later: a run that was interrupted may go on after the moment.
   */
  pass(ms: number, slackMs?: number): Promise<void>
}

/** Longer than that, nobody waits for what is not owed. */
const BRIEF_MS = 5_000

/** Whether so much of the target's time may pass for a look that is not owed: any, where it costs nothing. */
export const mayPass = ({ kind }: TargetClock, ms: number): boolean => kind !== 'wall' || ms <= BRIEF_MS

/** What a target offers beyond the interface. Each throws NotReached where the target did not do it. */
export interface Levers {
  /** The customer revokes the grant of this token. */
  revokeToken(token: string): Promise<void>
  /** The customer revokes this consent (needs: consent-revocation). */
  revokeConsent(consentId: string): Promise<void>
  /** A new transaction on an account, at the bank that holds it (needs: booking). */
  bookTransaction(booking: Booking): Promise<Exchange>
  /** Sets the webhook settings of an application, all of them (needs: webhook-settings). */
  configureWebhook(settings: WebhookSettings): Promise<SettingsAttempt>
  /** The webhook settings of an application as they are; nothing where there are none, or no lever tells them. */
  readWebhook(clientId: string): Promise<WebhookSettings | undefined>
}

export interface Booking {
  readonly iban: string
  /** In the account's currency; below zero where money leaves the account. */
  readonly amount: number
}

/** Application settings, tab Application Usage (interface, Events, Configuration). */
export interface WebhookSettings {
  /** Whose settings they are. */
  readonly clientId: string
  /** Webhook Enabled. */
  readonly enabled: boolean
  /** Webhook Endpoint (URL). */
  readonly url: string
  /** Webhook Security Header; empty for none. */
  readonly securityHeader: string
}

/** What came of settings. */
export interface SettingsAttempt {
  /** Whether they were taken. */
  readonly taken: boolean
  readonly exchange: Exchange
}

/** The same request three times: valid, with exactly one change, valid again. */
export interface Between<Attempt extends Exchange | Landing> {
  readonly before: Attempt
  readonly changed: Attempt
  readonly after: Attempt
}

/** Two requests that a conforming bank takes alike. */
export interface Alike<Attempt extends Exchange | Landing> {
  readonly changed: Attempt
  /** The plain request, made only where the changed one bore no fruit: to tell whether the change is to blame. */
  readonly valid?: Attempt
  /** The changed request once more, made only where the plain one did: to tell whether chance is to blame. */
  readonly again?: Attempt
}

/**
 * What a scenario acts with in an environment that it names: nothing there is shared, and every grant is its own.
 */
export type EnvironmentSession = Omit<Session, 'at' | 'access' | 'levers' | 'webhook'>

/** All that a scenario acts with. */
export interface Session {
  /** The same applications and customers in that environment (needs: both-environments, or its credentials). */
  at(environment: Environment): EnvironmentSession
  /** The application that acts. */
  readonly app: Application
  /** A second application of the same kind (needs: second-application). */
  readonly other: Application
  /** The first application of that kind (needs: both-kinds), or the one of that name. */
  applicationOf(kind: 'FAC' | 'TPP', name?: string): Application
  /** The customer who authorizes, and a second one (needs: second-customer). */
  readonly customer: CustomerProfile
  readonly otherCustomer: CustomerProfile
  readonly clock: TargetClock
  /** What is random in the act: it is the same when the act is done again from its log. */
  readonly random: Random
  readonly levers: Levers
  /** Where the target's webhook calls arrive that are meant for this scenario (needs: webhook, or webhook-settings). */
  readonly webhook: Webhook
  readonly profile: Profile
  /**
   * An access token that scenarios share as long as they only read (needs: access). By default that of the acting
   * application, granted by the first customer.
   */
  readonly access: (whose?: {
    readonly app?: Application
    readonly customer?: CustomerProfile
  }) => Promise<Access>
  /**
   * The payment operations (needs: payments), at a time at which payments are taken; by default as the application that
   * initiates.
   */
  payments(whose?: ApplicationProfile): Promise<Payments>
  /** The loan operations (needs: loans); by default as the application that asks for loans. */
  loans(whose?: ApplicationProfile): Promise<Loans>
  /**
   * A refusal proves something only where the request is accepted without the change: runs the valid request, the
   * changed one, and the valid one again.
   */
  between<Attempt extends Exchange | Landing>(
    valid: () => Promise<Attempt>,
    changed: () => Promise<Attempt>,
  ): Promise<Between<Attempt>>
  /** Runs a changed request that is as valid as the plain one; the plain one only where the changed one fails. */
  alike<Attempt extends Exchange | Landing>(
    valid: () => Promise<Attempt>,
    changed: () => Promise<Attempt>,
  ): Promise<Alike<Attempt>>
}

export interface SessionOptions extends PartiesOptions {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  /** How customers authorize; as the profile says, if it is left out. */
  readonly way?: Way
  readonly clock: TargetClock
  readonly levers: Levers
  readonly random?: Random
  readonly access: (application: ApplicationProfile, customer: CustomerProfile | undefined) => Promise<Access>
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Days in ms. */
export const days = (count: number): number => count * DAY_MS

/** Answered, and without what it was asked for. */
const isFruitless = (attempt: Exchange | Landing): boolean => {
  const { response } = isLanding(attempt) ? attempt.exchange : attempt
  return response !== undefined && !isAccepted(attempt)
}

/** What it does, whoever acts. */
type Acts = Omit<Session, keyof Parties>

export const createSession = (options: SessionOptions): Session => {
  const { profile, baseUrl, http, clock, levers, random = chance, kind, access } = options
  const { way = openWay(profile) } = options
  const context = {
    profile,
    http,
    way,
    accountBase: baseUrl + profile.basePaths[profile.environment],
    accounts: createVariants({ profile, baseUrl, http, random }),
    customer: profile.customers[0],
    random,
  }
  const acting = profile.applications
    .filter((application) => kind === 'any' || application.kind === kind)
    .map((application) => createApplication(application, context))
  const parties = new Parties(acting, options)

  const acts: Acts = {
    at: (environment) =>
      createSession({
        ...{ baseUrl, way, clock, random, levers, kind, access },
        profile: { ...profile, environment },
        http: environment === profile.environment ? http : actingIn(http, environment),
      }),
    applicationOf(wanted, name) {
      const application = profile.applications.find(
        (one) => one.kind === wanted && (name === undefined || one.name === name),
      )
      return createApplication(named(application, `application of the kind ${wanted}`), context)
    },
    clock,
    random,
    levers,
    profile,
    access: ({ app = parties.app, customer = profile.customers[0] } = {}) => access(app.profile, customer),
    payments: createPayments({ ...context, baseUrl, clock }),
    loans: createLoans({ ...context, baseUrl, clock }),
    async between(valid, changed) {
      return { before: await valid(), changed: await changed(), after: await valid() }
    },
    async alike(valid, changed) {
      const first = { changed: await changed() }
      if (!isFruitless(first.changed)) return first
      const both = { ...first, valid: await valid() }
      return isFruitless(both.valid) ? both : { ...both, again: await changed() }
    },
  }
  return Object.assign(parties, acts)
}
