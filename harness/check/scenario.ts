import type { Arbitrary } from 'fast-check'
import type { Effect } from '../evidence/effect.ts'
import type { Session } from '../session/session.ts'

/** What a scenario cannot do without; the plan holds it back where the target's profile lacks it, and says so. */
export const NEEDS = {
  clock: 'a lever that moves the clock (levers.advanceClock)',
  revocation: 'a lever that revokes a token (levers.revokeToken)',
  customer: 'a way for the customer to authorize (authorization: pages)',
  login: 'a page on which the customer types a password (authorization.pages[].fill)',
  access: 'an access token: imported, or granted by a customer (authorization)',
  refusal: 'a button with which the customer refuses (authorization.pages[].refuse)',
  'second-application': 'a second application of the same kind (applications)',
  'both-kinds': 'an application of each kind, FAC and TPP (applications)',
  'second-customer': 'a second customer (customers)',
  redirect: 'a redirect URI with delivery "redirect" (applications[].redirectUris)',
  'result-screen': 'a redirect URI with delivery "result-screen" (applications[].redirectUris)',
  'redirect-query': 'a redirect URI that has a query of its own (applications[].redirectUris)',
} as const

export type Need = keyof typeof NEEDS

export interface ScenarioOptions {
  /** The strongest effect of its requests. A request above it is never sent. */
  readonly effect: Effect
  /** Which kind of application acts. `each`: once as a FAC and once as a TPP, as far as the profile has them. */
  readonly as: 'FAC' | 'TPP' | 'each' | 'any'
  /** How often a customer authorizes, once through (a property: in one of its runs). */
  readonly authorizations?: number
  readonly needs?: readonly Need[]
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
): Property<Value, Observed> => ({ kind: 'property', title, options, arbitrary, act })
