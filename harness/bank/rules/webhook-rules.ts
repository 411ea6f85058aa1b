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
import { type ClientFacts, type Facts, HOUR, MINUTE, SECOND, rule } from './facts.ts'
import type { BankShare } from './refresh-rules.ts'

export type EventName = 'transactionEvent' | 'accountEvent'

/** A consent with its valid grants. A grant to a FAC counts as a consent here. */
export interface OpenConsent {
  readonly consent: Consent
  readonly grants: readonly Grant[]
  readonly accounts: readonly Account[]
  /** The customers who have granted it. */
  readonly customers: readonly Customer[]
}

export interface SettingsFacts extends ClientFacts {
  readonly settings: WebhookSettings
}

export interface EventFacts extends ClientFacts {
  readonly consent: Consent
}

export interface StageFacts extends EventFacts {
  readonly task: RefreshTask
  readonly status: string
  readonly share: BankShare
}

export interface FormFacts extends ClientFacts {
  readonly event: EventName
  readonly body: unknown
}

export interface DeliveryFacts extends SettingsFacts {
  readonly event: EventName
  /** The number of this attempt to deliver the event, from 1. */
  readonly attempt: number
}

export type WebhookChange = Pick<WebhookSettings, 'enabled' | 'url' | 'securityHeader'>

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

export const webhookRules = {
  webhookUrlIsAccepted: rule<ClientFacts & { readonly url: string }>(({ url }) => isPlainUrl(url)),
  securityHeaderIsAccepted: rule<ClientFacts & { readonly securityHeader: string }>(({ securityHeader }) =>
    SECURITY_HEADER.test(securityHeader),
  ),
  /** HTTP status of settings that are refused. */
  settingsRefusalStatus: rule<ClientFacts, 400 | 409 | 422>(() => 422),
  /** The settings that are stored after a change; undefined if the earlier ones are kept. */
  settingsKept: rule<
    ClientFacts & { readonly change: WebhookChange; readonly isRefused: boolean },
    WebhookChange | undefined
  >(({ change, isRefused }) => (isRefused ? undefined : change)),
  /** The time at which new settings were enabled. */
  // A change of enabled webhooks does not wait for another full hour.
  enabledSince: rule<
    ClientFacts & { readonly enabled: boolean; readonly previous: WebhookSettings | undefined },
    Date | undefined
  >(({ enabled, previous, now }) => (enabled ? (previous?.enabledAt ?? now) : undefined)),
  /** The time from which notifications are sent, once they are enabled. */
  // Webhooks that are enabled exactly at a full hour wait for the next one.
  webhookActiveFrom: rule<SettingsFacts & { readonly enabledAt: Date }, Date>(
    ({ enabledAt }) => new Date((Math.floor(enabledAt.getTime() / HOUR) + 1) * HOUR),
  ),
  webhookIsActive: rule<SettingsFacts & { readonly activeFrom: Date | undefined }>(
    ({ activeFrom, now }) => activeFrom !== undefined && now >= activeFrom,
  ),

  /** Whether a grant is still valid for notifications. */
  grantCounts: rule<
    Facts & {
      readonly consent: Consent
      readonly grant: Grant
      readonly revokedAt: Date | undefined
      readonly tokens: readonly AccessToken[]
    }
  >(
    ({ consent, revokedAt, tokens, now }) =>
      consent.status === 'valid' &&
      revokedAt === undefined &&
      // Before the code exchange there is no token.
      (tokens.length === 0 || tokens.some(({ expiresAt }) => now < expiresAt)),
  ),
  /** Whether a booking on this account is notified at all. */
  bookingIsNotified: rule<Facts & { readonly account: Account; readonly transaction: Transaction }>(
    ({ account }) => isAtOwnBank(account),
  ),
  /** The consents that a booking on the account concerns. */
  consentsConcerned: rule<
    Facts & { readonly account: Account; readonly consents: readonly OpenConsent[] },
    readonly OpenConsent[]
  >(({ account, consents }) => consents.filter(({ accounts }) => accounts.includes(account))),
  /** The applications that are notified of a change under the consent. */
  recipients: rule<
    Facts & {
      readonly event: EventName
      readonly consent: Consent
      readonly clients: readonly Client[]
    },
    readonly Client[]
  >(({ consent, clients }) => clients.filter(({ clientId }) => clientId === consent.clientId)),
  /** The delay of a transactionEvent after its booking, in ms. */
  transactionEventDelay: rule<EventFacts & { readonly account: Account }, number>(() => 2 * SECOND),
  /** The time of a notification; undefined if there is none. `due` is the time of the change plus its delay. */
  notifiedAt: rule<
    SettingsFacts & {
      readonly due: Date
      readonly activeFrom: Date | undefined
      readonly isActive: boolean
    },
    Date | undefined
  >(({ isActive, due }) => (isActive ? due : undefined)),
  /** The event, not sent yet, that a booking is added to; `waiting` are those of the same consent. */
  noticeJoined: rule<
    EventFacts & { readonly account: Account; readonly waiting: readonly Notice[] },
    Notice | undefined
  >(() => undefined),
  /** The body of the event, with the account ids of the list: changed accounts, and the others of the consent. */
  transactionEventBody: rule<
    EventFacts & {
      readonly accounts: readonly Account[]
      readonly accountIds: readonly string[]
      readonly otherIds: readonly string[]
    },
    unknown
  >(({ consent, accountIds }) => ({
    consentId: consent.consentId,
    eventType: 'NEW',
    accounts: accountIds.map((accountId) => ({ accountId })),
  })),
  /** The accounts of an accountEvent; `changed` are those to which the stage brings new bookings. */
  accountsReported: rule<StageFacts & { readonly changed: readonly Account[] }, readonly Account[]>(
    ({ share }) => share.accounts,
  ),
  accountEventType: rule<StageFacts & { readonly account: Account }, string>(() => 'ADDED'),
  accountEventBody: rule<
    StageFacts & { readonly items: readonly Readonly<Record<string, unknown>>[] },
    unknown
  >(({ consent, task, status, share, items }) => ({
    consentId: consent.consentId,
    taskId: task.taskId,
    taskStatus: status,
    bankCode: share.bankCode,
    bankName: share.bankName,
    accounts: items,
  })),

  /** The form in which an event is sent: `body` is that of one of the two rules. */
  eventForm: rule<FormFacts, unknown>(({ body }) => body),

  /** The number of independent deliveries of an event. */
  deliveryCopies: rule<Facts & { readonly event: EventName }, number>(() => 1),
  deliveryMethod: rule<DeliveryFacts, 'POST' | 'PUT'>(() => 'POST'),
  deliveryAddress: rule<DeliveryFacts, string>(({ settings }) => settings.url),
  deliveryHeaders: rule<DeliveryFacts, Readonly<Record<string, string>>>(({ settings }) => ({
    'content-type': 'application/json',
    // HTTP has no header values that consist of spaces.
    ...(settings.securityHeader.trim() !== '' && { authorization: settings.securityHeader }),
  })),
  /** `body` is in its form, and `plainBody` is the same without it. */
  deliveryContent: rule<
    DeliveryFacts & { readonly body: unknown; readonly plainBody: unknown },
    string | Uint8Array<ArrayBuffer>
  >(({ body }) => JSON.stringify(body)),
  /** Whether the application's answer ends the delivery; `status` is undefined if there was no answer. */
  deliveryIsDone: rule<DeliveryFacts & { readonly status: number | undefined }>(
    ({ status }) => status !== undefined && status >= 200 && status < 300,
  ),
  /** The delay of a repetition after a failure, in ms; undefined if there is none. */
  retryDelay: rule<DeliveryFacts, number | undefined>(({ attempt }) => RETRY_DELAYS[attempt - 1]),
}
