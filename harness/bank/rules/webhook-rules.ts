/** Notifications: what may be set, from when on it holds, who learns of what, and how an application is called. */
import { type Account, type Client, type Customer, isAtOwnBank } from '../seed-data.ts'
import type {
  AccessToken,
  Consent,
  Grant,
  Notice,
  RefreshTask,
  Transaction,
  WebhookSettings,
} from '../state.ts'
import { type ClientFacts, type Facts, HOUR, MINUTE, SECOND } from './facts.ts'
import type { BankShare } from './refresh-rules.ts'

export type EventName = 'transactionEvent' | 'accountEvent'

/** What was granted under a consent, as far as it still counts. */
export interface OpenConsent {
  readonly consent: Consent
  readonly grants: readonly Grant[]
  /** Those of the grants. */
  readonly accounts: readonly Account[]
  /** Who granted. */
  readonly customers: readonly Customer[]
}

interface SettingsFacts extends ClientFacts {
  readonly settings: WebhookSettings
}

interface EventFacts extends ClientFacts {
  readonly consent: Consent
}

interface StageFacts extends EventFacts {
  readonly task: RefreshTask
  readonly status: string
  readonly share: BankShare
}

export interface DeliveryFacts extends SettingsFacts {
  readonly event: EventName
  /** How often this event was tried, this time included. */
  readonly attempt: number
}

/** What may be set for an application. */
export type WebhookChange = Pick<WebhookSettings, 'enabled' | 'url' | 'securityHeader'>

export interface WebhookRules {
  readonly webhookUrlIsAccepted: (facts: ClientFacts & { readonly url: string }) => boolean
  readonly securityHeaderIsAccepted: (facts: ClientFacts & { readonly securityHeader: string }) => boolean
  /** HTTP status of settings that were not taken. */
  readonly settingsRefusalStatus: (facts: ClientFacts) => 400 | 409 | 422
  /** What is written down of a change; nothing if all stays as it was. */
  readonly settingsKept: (
    facts: ClientFacts & { readonly change: WebhookChange; readonly isRefused: boolean },
  ) => WebhookChange | undefined
  /** Since when new settings are enabled. */
  readonly enabledSince: (
    facts: ClientFacts & { readonly enabled: boolean; readonly previous: WebhookSettings | undefined },
  ) => Date | undefined
  /** From when on notifications are sent, once they are enabled. */
  readonly webhookActiveFrom: (facts: SettingsFacts & { readonly enabledAt: Date }) => Date
  readonly webhookIsActive: (facts: SettingsFacts & { readonly activeFrom: Date | undefined }) => boolean

  /** Whether a grant still opens its accounts to notifications. */
  readonly grantCounts: (
    facts: Facts & {
      readonly consent: Consent
      readonly grant: Grant
      readonly revokedAt: Date | undefined
      readonly tokens: readonly AccessToken[]
    },
  ) => boolean
  /** Whether a booking on this account is notified at all. */
  readonly bookingIsNotified: (
    facts: Facts & { readonly account: Account; readonly transaction: Transaction },
  ) => boolean
  /** The consents that a booking on the account concerns. */
  readonly consentsConcerned: (
    facts: Facts & { readonly account: Account; readonly consents: readonly OpenConsent[] },
  ) => readonly OpenConsent[]
  /** Which applications learn of a change under the consent. */
  readonly recipients: (
    facts: Facts & {
      readonly event: EventName
      readonly consent: Consent
      readonly clients: readonly Client[]
    },
  ) => readonly Client[]
  /** How long after a booking its transactionEvent is sent, in ms. */
  readonly transactionEventDelay: (facts: EventFacts & { readonly account: Account }) => number
  /** When a change is notified; nothing if it never is. `due` is when it would be by its delay. */
  readonly notifiedAt: (
    facts: SettingsFacts & {
      readonly due: Date
      readonly activeFrom: Date | undefined
      readonly isActive: boolean
    },
  ) => Date | undefined
  /** The event, not sent yet, that a booking is added to; `waiting` are those of the same consent. */
  readonly noticeJoined: (
    facts: EventFacts & { readonly account: Account; readonly waiting: readonly Notice[] },
  ) => Notice | undefined
  /** All accounts as the application's list has them: those that have changed, and the others of the consent. */
  readonly transactionEventBody: (
    facts: EventFacts & {
      readonly accounts: readonly Account[]
      readonly accountIds: readonly string[]
      readonly otherIds: readonly string[]
    },
  ) => unknown
  /** The accounts that an accountEvent lists; `changed` are those with something new. */
  readonly accountsReported: (
    facts: StageFacts & { readonly changed: readonly Account[] },
  ) => readonly Account[]
  readonly accountEventType: (facts: StageFacts & { readonly account: Account }) => string
  readonly accountEventBody: (
    facts: StageFacts & { readonly items: readonly Readonly<Record<string, unknown>>[] },
  ) => unknown

  /** How often an event is sent, each time on its own. */
  readonly deliveryCopies: (facts: Facts & { readonly event: EventName }) => number
  readonly deliveryMethod: (facts: DeliveryFacts) => 'POST' | 'PUT'
  readonly deliveryAddress: (facts: DeliveryFacts) => string
  readonly deliveryHeaders: (facts: DeliveryFacts) => Readonly<Record<string, string>>
  readonly deliveryContent: (
    facts: DeliveryFacts & { readonly body: unknown },
  ) => string | Uint8Array<ArrayBuffer>
  /** Whether the application's answer ends the delivery; `status` is missing if there was none. */
  readonly deliveryIsDone: (facts: DeliveryFacts & { readonly status: number | undefined }) => boolean
  /** How long after a failure the delivery is repeated, in ms; nothing if it is given up. */
  readonly retryDelay: (facts: DeliveryFacts) => number | undefined
}

/** The whole value. */
const SECURITY_HEADER = /^[ a-zA-Z0-9=+/]*$/

/** After the first failure, the second and the third. */
const RETRY_DELAYS: readonly number[] = [10 * SECOND, MINUTE, 5 * MINUTE]

const isPlainUrl = (text: string): boolean => {
  // A question mark with nothing behind it is a query, too.
  if (/[?#\s]/.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

export const webhookRules: WebhookRules = {
  webhookUrlIsAccepted: ({ url }) => isPlainUrl(url),
  securityHeaderIsAccepted: ({ securityHeader }) => SECURITY_HEADER.test(securityHeader),
  settingsRefusalStatus: () => 422,
  settingsKept: ({ change, isRefused }) => (isRefused ? undefined : change),
  // A change of enabled webhooks does not make them wait once more.
  enabledSince: ({ enabled, previous, now }) => (enabled ? (previous?.enabledAt ?? now) : undefined),
  // Enabled at a full hour: the next one is an hour away.
  webhookActiveFrom: ({ enabledAt }) => new Date((Math.floor(enabledAt.getTime() / HOUR) + 1) * HOUR),
  webhookIsActive: ({ activeFrom, now }) => activeFrom !== undefined && now >= activeFrom,

  grantCounts: ({ consent, revokedAt, tokens, now }) =>
    consent.status === 'valid' &&
    revokedAt === undefined &&
    // Before the code is exchanged there is no token yet.
    (tokens.length === 0 || tokens.some(({ expiresAt }) => now < expiresAt)),
  bookingIsNotified: ({ account }) => isAtOwnBank(account),
  consentsConcerned: ({ account, consents }) => consents.filter(({ accounts }) => accounts.includes(account)),
  recipients: ({ consent, clients }) => clients.filter(({ clientId }) => clientId === consent.clientId),
  transactionEventDelay: () => 2 * SECOND,
  notifiedAt: ({ isActive, due }) => (isActive ? due : undefined),
  noticeJoined: () => undefined,
  transactionEventBody: ({ consent, accountIds }) => ({
    consentId: consent.consentId,
    eventType: 'NEW',
    accounts: accountIds.map((accountId) => ({ accountId })),
  }),
  accountsReported: ({ share }) => share.accounts,
  accountEventType: () => 'ADDED',
  accountEventBody: ({ consent, task, status, share, items }) => ({
    consentId: consent.consentId,
    taskId: task.taskId,
    taskStatus: status,
    bankCode: share.bankCode,
    bankName: share.bankName,
    accounts: items,
  }),

  deliveryCopies: () => 1,
  deliveryMethod: () => 'POST',
  deliveryAddress: ({ settings }) => settings.url,
  deliveryHeaders: ({ settings }) => ({
    'content-type': 'application/json',
    // Blanks alone cannot be carried by HTTP.
    ...(settings.securityHeader.trim() !== '' && { authorization: settings.securityHeader }),
  }),
  deliveryContent: ({ body }) => JSON.stringify(body),
  deliveryIsDone: ({ status }) => status !== undefined && status >= 200 && status < 300,
  retryDelay: ({ attempt }) => RETRY_DELAYS[attempt - 1],
}
