/**
 * What the bank records in each environment. Records are replaced, never changed, so that a rule can compare the old one with
 * the new one.
 */
import type { EnvironmentName } from './base-paths.ts'
import type { LoanApplication, LoanToken } from './loans/loan.ts'
import type { Payment, PaymentToken } from './payments/payment.ts'
import type { Account, Residents } from './seed-data.ts'

/** Money that came to an account or left it. */
export interface Transaction {
  readonly transactionId: string
  /** In hundredths of the account's currency; below zero where money left the account. */
  readonly amount: number
  /** Calendar days, like 2026-01-05. */
  readonly bookingDate: string
  readonly valueDate: string
  /** Who received the money, or sent it. */
  readonly counterparty: { readonly name: string; readonly iban: string }
  readonly remittanceInformation: string
}

/**
 * What was booked on an account since the bank opened, the newest first. The two differ for an account at another
 * bank alone: what this bank has of it is a copy, as old as the last refresh.
 */
export interface Bookings {
  /** As the bank knows them that holds the account. */
  readonly booked: readonly Transaction[]
  /** As they are known here. */
  readonly known: readonly Transaction[]
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
  /** The one payment that it opens, if it opens no accounts. */
  readonly orderId?: string
  readonly grantedAt: Date
}

interface Issued extends Recorded {
  readonly value: string
  readonly grantId: string
  readonly clientId: string
  readonly issuedAt: Date
}

export interface Code extends Issued {
  readonly redirectUri: string
  /** Absent only if a bank did not insist on PKCE. */
  readonly challenge: string | undefined
  readonly challengeMethod: string | undefined
}

interface Token extends Issued {
  readonly expiresAt: Date
  readonly scope: string
}

export interface AccessToken extends Token {
  /** When a renewal ended this one token, if it did. */
  readonly retiredAt: Date | undefined
}

export interface RefreshToken extends Token {
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
  /** The payment that is to be authorized, if it is not access to accounts. */
  readonly orderId?: string
  readonly state: string | undefined
  readonly challenge: string | undefined
  readonly challengeMethod: string | undefined
  readonly steps: readonly Step[]
  readonly step: number
  readonly username: string | undefined
}

/** What an application's owner has set: application settings, tab Application Usage. */
export interface WebhookSettings {
  readonly clientId: string
  readonly enabled: boolean
  readonly url: string
  readonly securityHeader: string
  /** Since when they are enabled; nothing while they are not. */
  readonly enabledAt: Date | undefined
}

/** A refresh of what other banks hold under one consent. */
export interface RefreshTask extends Recorded {
  readonly taskId: string
  readonly consentId: string
  readonly clientId: string
  readonly startedAt: Date
  /** When the last of its banks is done. */
  readonly endsAt: Date
}

/** A transactionEvent that is due, and not sent yet. */
export interface Notice extends Recorded {
  readonly noticeId: string
  readonly consentId: string
  /** Whom it is sent to. */
  readonly clientId: string
  readonly accounts: readonly Account[]
  readonly dueAt: Date
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
  /** By accountId; an account on which nothing was booked has none. */
  readonly bookings: Map<string, Bookings>
  /** By clientId; an application that never set any has none. */
  readonly webhooks: Map<string, WebhookSettings>
  readonly tasks: Map<string, RefreshTask>
  readonly notices: Map<string, Notice>
  readonly payments: Map<string, Payment>
  readonly paymentTokens: Map<string, PaymentToken>
  readonly loanTokens: Map<string, LoanToken>
  readonly applications: Map<string, LoanApplication>
}

export interface World {
  readonly residents: Residents
  /** What the transactions before the opening are drawn from. */
  readonly seed: number
  readonly openedAt: Date
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
  bookings: new Map(),
  webhooks: new Map(),
  tasks: new Map(),
  notices: new Map(),
  payments: new Map(),
  paymentTokens: new Map(),
  loanTokens: new Map(),
  applications: new Map(),
})

export const createWorld = (
  residents: Residents,
  { seed, openedAt }: Pick<World, 'seed' | 'openedAt'>,
): World => ({
  residents,
  seed,
  openedAt,
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
