import type { Exchange } from '../evidence/exchange.ts'

/** What a target offers for testing beyond the interface. Each method throws NotReached if the target did not do it. */
export interface TestHooks {
  /** Revokes the grant of this token, as the customer would. */
  revokeToken(token: string): Promise<void>
  /** Revokes this consent, as the customer would (needs: consent-revocation). */
  revokeConsent(consentId: string): Promise<void>
  /** Books a transaction on an account, at the bank that holds it (needs: booking). */
  bookTransaction(booking: Booking): Promise<Exchange>
  /** Replaces the webhook settings of an application (needs: webhook-settings). */
  configureWebhook(settings: WebhookSettings): Promise<SettingsAttempt>
  /** The current webhook settings of an application; undefined if there are none, or no test hook reads them. */
  readWebhook(clientId: string): Promise<WebhookSettings | undefined>
}

export interface Booking {
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

/** The result of a change of settings. */
export interface SettingsAttempt {
  /** Whether the target accepted them. */
  readonly taken: boolean
  readonly exchange: Exchange
}
