/**
 * What the bank knows. Residents (clients and customers) never change; a ledger holds what came about in one
 * environment. Records are replaced, never altered, so that a rule can compare what was with what is.
 */
import type { Residents } from './residents.ts'

export type EnvironmentName = 'sandbox' | 'production'

export const ENVIRONMENTS: readonly EnvironmentName[] = ['sandbox', 'production']

/** A Final Api Consumer uses its own data; a Third Party Provider its customers', under a consent. */
export type ClientKind = 'FAC' | 'TPP'

export interface Client {
  readonly clientId: string
  readonly secret: string
  readonly name: string
  readonly kind: ClientKind
  readonly redirectUris: readonly string[]
}

export interface Account {
  readonly accountId: string
  readonly iban: string
  readonly currency: string
  readonly name: string
  readonly product: string
  readonly usage: 'PRIV' | 'ORGA'
  readonly bankCode: string
  readonly bankName: string
  readonly bic: string
  /** Booked balance when the bank opens, in hundredths of the currency. */
  readonly openingBalance: number
}

export interface Customer {
  readonly username: string
  readonly password: string
  readonly name: string
  readonly accounts: readonly Account[]
}

export type ConsentStatus = 'received' | 'valid' | 'rejected' | 'expired' | 'revokedByPsu' | 'terminatedByTpp'

interface Recorded {
  readonly environment: EnvironmentName
}

export interface Consent extends Recorded {
  readonly consentId: string
  readonly clientId: string
  readonly status: ConsentStatus
  readonly createdAt: Date
}

/** What a customer has granted to a client: the root of a code and of all tokens that descend from it. */
export interface Grant extends Recorded {
  readonly grantId: string
  readonly clientId: string
  readonly username: string
  readonly scope: string
  readonly consentId: string | undefined
  readonly accountIds: readonly string[]
  readonly grantedAt: Date
}

interface Perishable extends Recorded {
  readonly value: string
  readonly grantId: string
  readonly clientId: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

export interface Code extends Perishable {
  readonly redirectUri: string
  /** Absent only if a bank did not insist on PKCE. */
  readonly challenge: string | undefined
  readonly challengeMethod: string | undefined
}

export interface AccessToken extends Perishable {
  readonly scope: string
  /** When a renewal ended this one token, if it did. */
  readonly retiredAt: Date | undefined
}

export interface RefreshToken extends Perishable {
  readonly scope: string
  /** The access token that was issued beside it. */
  readonly accessToken: string
}

export type Step = 'welcome' | 'login' | 'decision' | 'login-and-decision'

/** One authorization request on its way through the bank's pages. */
export interface Visit extends Recorded {
  readonly visitId: string
  readonly session: string
  readonly csrf: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: string
  readonly consentId: string | undefined
  readonly state: string | undefined
  readonly challenge: string | undefined
  readonly challengeMethod: string | undefined
  readonly steps: readonly Step[]
  readonly step: number
  readonly username: string | undefined
}

export interface Ledger {
  readonly consents: Map<string, Consent>
  readonly grants: Map<string, Grant>
  readonly codes: Map<string, Code>
  readonly accessTokens: Map<string, AccessToken>
  readonly refreshTokens: Map<string, RefreshToken>
  readonly visits: Map<string, Visit>
  readonly sessions: Set<string>
  /** Codes and refresh tokens that were used. */
  readonly redemptions: Set<string>
  /** When a grant was revoked, by its id. */
  readonly revocations: Map<string, Date>
}

export interface World {
  readonly residents: Residents
  readonly ledgers: Readonly<Record<EnvironmentName, Ledger>>
}

const createLedger = (): Ledger => ({
  consents: new Map(),
  grants: new Map(),
  codes: new Map(),
  accessTokens: new Map(),
  refreshTokens: new Map(),
  visits: new Map(),
  sessions: new Set(),
  redemptions: new Set(),
  revocations: new Map(),
})

export const createWorld = (residents: Residents): World => ({
  residents,
  ledgers: { sandbox: createLedger(), production: createLedger() },
})

export const revokeGrant = (ledger: Ledger, grantId: string, now: Date): void => {
  // The first revocation counts: a second one does not make a grant die later.
  if (!ledger.revocations.has(grantId)) ledger.revocations.set(grantId, now)
}

export const revokeGrantsOfConsent = (ledger: Ledger, consentId: string, now: Date): void => {
  for (const grant of ledger.grants.values()) {
    if (grant.consentId === consentId) revokeGrant(ledger, grant.grantId, now)
  }
}
