/** What rules are told. Every rule gets one object; a rule of a client also gets to know whose request it is. */
import type { Client, EnvironmentName } from '../world.ts'

export type Awaitable<T> = T | Promise<T>

/** The operations of the interface, as a rule sees them. */
export type Endpoint = 'consents' | 'authorize' | 'token' | 'accounts'

export interface Facts {
  readonly environment: EnvironmentName
  readonly now: Date
}

export interface ClientFacts extends Facts {
  readonly client: Client
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const DAY = 24 * 60 * MINUTE
