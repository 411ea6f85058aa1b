/** What rules are told. Every rule gets one object; a rule of a client also gets to know whose request it is. */
import type { AccessToken, Client, EnvironmentName, Grant } from '../world.ts'

export type Awaitable<T> = T | Promise<T>

/** The operations of the interface, as a rule sees them. */
export type Endpoint =
  | 'consents'
  | 'authorize'
  | 'token'
  | 'accounts'
  | 'account'
  | 'transactions'
  | 'refresh'
  | 'settings'
  | 'payments'
  | 'loan-token'
  | 'loan-precalculation'
  | 'loan-submission'
  | 'loan-scenario'
  | 'loan-status'
  | 'loan-cancellation'

/** The two ways in which the interface offers accounts. Payments speak like the second; all the rest like the first. */
export type Variant = 'first' | 'second'

export interface Facts {
  readonly environment: EnvironmentName
  readonly now: Date
}

export interface ClientFacts extends Facts {
  readonly client: Client
}

/** Of a data call. */
export interface BearerFacts extends Facts {
  readonly endpoint: Endpoint
  readonly variant: Variant
  readonly token: AccessToken
  readonly grant: Grant
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
