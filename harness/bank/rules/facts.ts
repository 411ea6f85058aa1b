/** What rules receive: one object each, with the environment and the time in it; rules about a client receive the client too. */
import { randomBytes } from 'node:crypto'
import type { EnvironmentName } from '../base-paths.ts'
import type { Client } from '../seed-data.ts'
import type { AccessToken, Grant } from '../state.ts'

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

/** The bank's codes and tokens: 256 bits each, of which nobody can tell the next (RFC 6749 §10.10). */

const SECRET_BYTES = 32
/** So many are drawn at once: to ask the operating system takes longer than to write a secret down. */
const AHEAD = 64

let drawn = Buffer.alloc(0)

export const newSecret = (): string => {
  if (drawn.length === 0) drawn = randomBytes(SECRET_BYTES * AHEAD)
  const secret = drawn.toString('base64url', 0, SECRET_BYTES)
  drawn = drawn.subarray(SECRET_BYTES)
  return secret
}
