import { DateTime } from 'luxon'
import type { Exchange } from '../evidence/exchange.ts'

/** The clock of a target. `virtual` and `testHook` clocks can be moved; with a `wall` clock the run waits. */
export interface TargetClock {
  readonly kind: 'virtual' | 'testHook' | 'wall'
  /** Whether the scenario continues what an earlier part of the run has recorded. */
  readonly isResumed?: boolean
  now(): Date
  /**
   * Lets that much of the target's time pass: moves the clock if it can be moved, else waits.
   * @param slackMs how late the next request may be and still show what it must show; any time if left out.
   * @throws Missed if it is later than that: an interrupted run may have been resumed too late.
   */
  pass(ms: number, slackMs?: number): Promise<void>
}

/** The longest wait, in ms, for an observation that is optional. */
const LONGEST_OPTIONAL_WAIT_MS = 5_000

/** Whether an optional observation may take that much of the target's time: always if the clock can be moved. */
export const canWait = ({ kind }: TargetClock, ms: number): boolean =>
  kind !== 'wall' || ms <= LONGEST_OPTIONAL_WAIT_MS

const DAY_MS = 24 * 60 * 60 * 1000

/** The number of ms in that many days. */
export const days = (count: number): number => count * DAY_MS

/** How much of the hour has passed at the bank, in ms. @param zone of the IANA database. */
export const sinceFullHour = (now: Date, zone: string): number => {
  const local = DateTime.fromJSDate(now, { zone })
  return local.diff(local.startOf('hour')).toMillis()
}

/**
 * Waits until what an answer has issued has that age, in ms. Another scenario may have moved the shared clock
 * already.
 * @param slackMs how much older it may become; any time if left out.
 */
export const waitForAge = (
  { clock }: { readonly clock: TargetClock },
  { sentAt, durationMs }: Pick<Exchange, 'sentAt' | 'durationMs'>,
  age: number,
  slackMs?: number,
): Promise<void> =>
  clock.pass(Math.max(0, Date.parse(sentAt) + Math.ceil(durationMs) + age - clock.now().getTime()), slackMs)

/** What a target offers for testing beyond the interface. Each method throws NotReached if the target did not do it. */
export interface TestHooks {
  /** Revokes the grant of this token, as the customer would, and waits until it has taken effect. */
  revokeToken(token: string, opens?: 'accounts' | 'payments'): Promise<RevocationDelay>
  /** The same for this consent and a token under it (needs: consent-revocation). */
  revokeConsent(consentId: string, token?: string): Promise<RevocationDelay>
  /** Books a transaction on an account, at the bank that holds it (needs: booking). */
  bookTransaction(booking: Booking): Promise<Exchange>
  /** Replaces the webhook settings of an application (needs: webhook-settings). */
  configureWebhook(settings: WebhookSettings): Promise<SettingsAttempt>
  /** The current webhook settings of an application; undefined if there are none, or no test hook reads them. */
  readWebhook(clientId: string): Promise<WebhookSettings | undefined>
}

/** How long a revocation took to take effect, in ms. Undefined if it had not within the deadline, or no read shows it. */
export interface RevocationDelay {
  readonly refusedAfterMs?: number
}

interface Booking {
  readonly iban: string
  /** In the account's currency; negative for a debit. */
  readonly amount: number
}

/** Application settings, tab Application Usage (interface, Events, Configuration). */
export interface WebhookSettings {
  /** The application that the settings belong to. */
  readonly clientId: string
  /** Webhook Enabled. */
  readonly enabled: boolean
  /** Webhook Endpoint (URL). */
  readonly url: string
  /** Webhook Security Header; empty if there is none. */
  readonly securityHeader: string
}

export interface SettingsAttempt {
  /** Whether the target accepted them. */
  readonly taken: boolean
  readonly exchange: Exchange
}
