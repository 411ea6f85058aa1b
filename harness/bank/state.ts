/**
 * The records of each environment. They are replaced, never changed, so that a rule can compare the old with the new one.
 */
import type { EnvironmentName, Recorded } from './base-paths.ts'
import type { LoanApplication, LoanToken } from './rules/loan.ts'
import type { Payment, PaymentToken } from './rules/payment.ts'
import type { Account, SeedData } from './seed-data.ts'

/** A booking on an account. */
export interface Transaction {
  readonly transactionId: string
  /** In hundredths of the account's currency; negative for a debit. */
  readonly amount: number
  /** Calendar days, like 2026-01-05. */
  readonly bookingDate: string
  readonly valueDate: string
  /** The other party: the creditor of a debit, the debtor of a credit. */
  readonly counterparty: { readonly name: string; readonly iban: string }
  readonly remittanceInformation: string
}

/**
 * The bookings on an account since the bank opened, the newest first. The two lists differ only for an account at
 * another bank: this bank has a copy from the last refresh.
 */
export interface Bookings {
  /** The bookings at the bank of the account. */
  readonly booked: readonly Transaction[]
  /** The bookings that this bank knows. */
  readonly known: readonly Transaction[]
}

export type ConsentStatus = 'received' | 'valid' | 'rejected' | 'expired' | 'revokedByPsu' | 'terminatedByTpp'

export interface Consent extends Recorded {
  readonly consentId: string
  readonly clientId: string
  readonly status: ConsentStatus
  readonly createdAt: Date
}

/** A grant of a customer to a client. Its code and all its tokens refer to it. */
export interface Grant extends Recorded {
  readonly grantId: string
  readonly clientId: string
  readonly username: string
  readonly scope: string
  readonly consentId: string | undefined
  readonly accountIds: readonly string[]
  /** The payment that it authorizes; undefined for access to accounts. */
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
  /** Undefined only if a bank did not require PKCE. */
  readonly challenge: string | undefined
  readonly challengeMethod: string | undefined
}

interface Token extends Issued {
  readonly expiresAt: Date
  readonly scope: string
}

export interface AccessToken extends Token {
  /** The time at which a renewal ended this token, if any. */
  readonly retiredAt: Date | undefined
}

export interface RefreshToken extends Token {
  /** The access token that was issued together with it. */
  readonly accessToken: string
}

export type Step = 'welcome' | 'login' | 'decision' | 'login-and-decision'

/** One authorization request and its progress through the pages. */
export interface LoginSession extends Recorded {
  readonly loginSessionId: string
  readonly session: string
  readonly csrf: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: string
  readonly consentId: string | undefined
  /** The payment to authorize; undefined for access to accounts. */
  readonly orderId?: string
  readonly state: string | undefined
  readonly challenge: string | undefined
  readonly challengeMethod: string | undefined
  readonly steps: readonly Step[]
  readonly step: number
  readonly username: string | undefined
}

/** The webhook settings of an application: application settings, tab Application Usage. */
export interface WebhookSettings {
  readonly clientId: string
  readonly enabled: boolean
  readonly url: string
  readonly securityHeader: string
  /** The time at which they were enabled; undefined while they are disabled. */
  readonly enabledAt: Date | undefined
}

/** A refresh of the accounts at other banks under one consent. */
export interface RefreshTask extends Recorded {
  readonly taskId: string
  readonly consentId: string
  readonly clientId: string
  readonly startedAt: Date
  /** The time at which the last of its banks is finished. */
  readonly endsAt: Date
}

/** A transactionEvent that is scheduled and not sent yet. */
export interface Notice extends Recorded {
  readonly noticeId: string
  readonly consentId: string
  /** The application that receives it. */
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
  readonly loginSessions: Map<string, LoginSession>
  readonly sessions: Set<string>
  /** Codes and refresh tokens that were used. */
  readonly redemptions: Set<string>
  /** The time of revocation, by grantId. */
  readonly revocations: Map<string, Date>
  /** By accountId; only accounts with bookings. */
  readonly bookings: Map<string, Bookings>
  /** By clientId; only applications that have changed them. */
  readonly webhooks: Map<string, WebhookSettings>
  readonly tasks: Map<string, RefreshTask>
  readonly notices: Map<string, Notice>
  readonly payments: Map<string, Payment>
  readonly paymentTokens: Map<string, PaymentToken>
  readonly loanTokens: Map<string, LoanToken>
  readonly applications: Map<string, LoanApplication>
}

export interface World {
  readonly seedData: SeedData
  /** The seed of the transactions before the opening. */
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
  loginSessions: new Map(),
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
  seedData: SeedData,
  { seed, openedAt }: Pick<World, 'seed' | 'openedAt'>,
): World => ({
  seedData,
  seed,
  openedAt,
  ledgers: { sandbox: createLedger(), production: createLedger() },
})

export const revokeGrant = (ledger: Ledger, grantId: string, now: Date): void => {
  // The first revocation counts: a second one does not end the grant later.
  if (!ledger.revocations.has(grantId)) ledger.revocations.set(grantId, now)
}

export const revokeGrantsOfConsent = (ledger: Ledger, consentId: string, now: Date): void => {
  for (const grant of ledger.grants.values()) {
    if (grant.consentId === consentId) revokeGrant(ledger, grant.grantId, now)
  }
}
