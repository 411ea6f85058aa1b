/** The input of rules: one object with the environment and the time, and with the client for rules about a client. */
import { randomBytes } from '../random.ts'
import type { EnvironmentName } from '../base-paths.ts'
import type { Client } from '../seed-data.ts'
import type { AccessToken, Grant } from '../state.ts'

export type Awaitable<T> = T | Promise<T>

/** The operations of the interface. */
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

/** The two account variants of the interface. Payments have the format of the second; all other APIs that of the first. */
export type Variant = 'first' | 'second'

export interface Facts {
  readonly environment: EnvironmentName
  readonly now: Date
}

export interface ClientFacts extends Facts {
  readonly client: Client
}

/** The facts of a data call. */
export interface BearerFacts extends Facts {
  readonly endpoint: Endpoint
  readonly variant: Variant
  readonly token: AccessToken
  readonly grant: Grant
}

/**
 * A rule: what it is asked about, and what it answers; yes or no, unless another answer is named. A defect can replace it by
 * any other function of the same facts.
 */
export const rule = <RuleFacts, Answer = boolean>(
  decide: (facts: RuleFacts) => Answer,
): ((facts: RuleFacts) => Answer) => decide

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i

/** The token in an Authorization header; undefined if there is none. */
export const bearerIn = ({ header }: { readonly header: string | undefined }): string | undefined =>
  BEARER.exec(header ?? '')?.[1]

/** A code or token: 256 unpredictable bits (RFC 6749 §10.10). */
export const newSecret = (): string => randomBytes(32).toString('base64url')
