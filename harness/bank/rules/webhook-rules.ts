/** Notifications: their settings, their start, their receivers and their format. */
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

/** A consent with its valid grants. A grant to a FAC counts as a consent here. */
export interface OpenConsent {
  readonly consent: Consent
  readonly grants: readonly Grant[]
  /** The accounts of the grants. */
  readonly accounts: readonly Account[]
  /** The customers who have granted it. */
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

interface FormFacts extends ClientFacts {
  readonly event: EventName
  readonly body: unknown
}

export interface DeliveryFacts extends SettingsFacts {
  readonly event: EventName
  /** The number of this attempt to deliver the event, from 1. */
  readonly attempt: number
}

/** The settings of an application. */
export type WebhookChange = Pick<WebhookSettings, 'enabled' | 'url' | 'securityHeader'>

export interface WebhookRules {
  readonly webhookUrlIsAccepted: (facts: ClientFacts & { readonly url: string }) => boolean
  readonly securityHeaderIsAccepted: (facts: ClientFacts & { readonly securityHeader: string }) => boolean
  /** HTTP status of settings that are refused. */
  readonly settingsRefusalStatus: (facts: ClientFacts) => 400 | 409 | 422
  /** The settings that are stored after a change; undefined if the earlier ones are kept. */
  readonly settingsKept: (
    facts: ClientFacts & { readonly change: WebhookChange; readonly isRefused: boolean },
  ) => WebhookChange | undefined
  /** The time at which new settings were enabled. */
  readonly enabledSince: (
    facts: ClientFacts & { readonly enabled: boolean; readonly previous: WebhookSettings | undefined },
  ) => Date | undefined
  /** The time from which notifications are sent, once they are enabled. */
  readonly webhookActiveFrom: (facts: SettingsFacts & { readonly enabledAt: Date }) => Date
  readonly webhookIsActive: (facts: SettingsFacts & { readonly activeFrom: Date | undefined }) => boolean

  /** Whether a grant is still valid for notifications. */
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
  /** The applications that are notified of a change under the consent. */
  readonly recipients: (
    facts: Facts & {
      readonly event: EventName
      readonly consent: Consent
      readonly clients: readonly Client[]
    },
  ) => readonly Client[]
  /** The delay of a transactionEvent after its booking, in ms. */
  readonly transactionEventDelay: (facts: EventFacts & { readonly account: Account }) => number
  /** The time of a notification; undefined if there is none. `due` is the time of the change plus its delay. */
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
  /** The body of the event, with the account ids of the list: changed accounts, and the others of the consent. */
  readonly transactionEventBody: (
    facts: EventFacts & {
      readonly accounts: readonly Account[]
      readonly accountIds: readonly string[]
      readonly otherIds: readonly string[]
    },
  ) => unknown
  /** The accounts of an accountEvent; `changed` are those to which the stage brings new bookings. */
  readonly accountsReported: (
    facts: StageFacts & { readonly changed: readonly Account[] },
  ) => readonly Account[]
  readonly accountEventType: (facts: StageFacts & { readonly account: Account }) => string
  readonly accountEventBody: (
    facts: StageFacts & { readonly items: readonly Readonly<Record<string, unknown>>[] },
  ) => unknown

  /** The form in which an event is sent: `body` is that of one of the two rules. */
  readonly eventForm: (facts: FormFacts) => unknown

  /** The number of independent deliveries of an event. */
  readonly deliveryCopies: (facts: Facts & { readonly event: EventName }) => number
  readonly deliveryMethod: (facts: DeliveryFacts) => 'POST' | 'PUT'
  readonly deliveryAddress: (facts: DeliveryFacts) => string
  readonly deliveryHeaders: (facts: DeliveryFacts) => Readonly<Record<string, string>>
  /** `body` is in its form, and `plainBody` is the same without it. */
  readonly deliveryContent: (
    facts: DeliveryFacts & { readonly body: unknown; readonly plainBody: unknown },
  ) => string | Uint8Array<ArrayBuffer>
  /** Whether the application's answer ends the delivery; `status` is undefined if there was no answer. */
  readonly deliveryIsDone: (facts: DeliveryFacts & { readonly status: number | undefined }) => boolean
  /** The delay of a repetition after a failure, in ms; undefined if there is none. */
  readonly retryDelay: (facts: DeliveryFacts) => number | undefined
}

/** Matches the whole value. */
const SECURITY_HEADER = /^[ a-zA-Z0-9=+/]*$/

/** The delays after the first, the second and the third failure. */
const RETRY_DELAYS: readonly number[] = [10 * SECOND, MINUTE, 5 * MINUTE]

const isPlainUrl = (text: string): boolean => {
  // A question mark at the end starts an empty query.
  if (/[?#\s]/.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

export const webhookRules: WebhookRules = {
  webhookUrlIsAccepted: ({ url }) => isPlainUrl(url),
  securityHeaderIsAccepted: ({ securityHeader }) => SECURITY_HEADER.test(securityHeader),
  settingsRefusalStatus: () => 422,
  settingsKept: ({ change, isRefused }) => (isRefused ? undefined : change),
  // A change of enabled webhooks does not wait for another full hour.
  enabledSince: ({ enabled, previous, now }) => (enabled ? (previous?.enabledAt ?? now) : undefined),
  // Webhooks that are enabled exactly at a full hour wait for the next one.
  webhookActiveFrom: ({ enabledAt }) => new Date((Math.floor(enabledAt.getTime() / HOUR) + 1) * HOUR),
  webhookIsActive: ({ activeFrom, now }) => activeFrom !== undefined && now >= activeFrom,

  grantCounts: ({ consent, revokedAt, tokens, now }) =>
    consent.status === 'valid' &&
    revokedAt === undefined &&
    // Before the code exchange there is no token.
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

  eventForm: ({ body }) => body,

  deliveryCopies: () => 1,
  deliveryMethod: () => 'POST',
  deliveryAddress: ({ settings }) => settings.url,
  deliveryHeaders: ({ settings }) => ({
    'content-type': 'application/json',
    // HTTP has no header values that consist of spaces.
    ...(settings.securityHeader.trim() !== '' && { authorization: settings.securityHeader }),
  }),
  deliveryContent: ({ body }) => JSON.stringify(body),
  deliveryIsDone: ({ status }) => status !== undefined && status >= 200 && status < 300,
  retryDelay: ({ attempt }) => RETRY_DELAYS[attempt - 1],
}
