import { factsAt, type BankContext } from '../call.ts'
import type { WebhookChange } from '../rules/webhook-rules.ts'
import type { Client } from '../seed-data.ts'
import type { WebhookSettings } from '../state.ts'

/** The webhook settings of an application, for the settings page and the test hook. */

/** The reasons of a refused change, by setting. */
export type Problems = Readonly<Partial<Record<keyof WebhookChange, string>>>

export interface WebhookState {
  readonly settings: WebhookSettings
  /** The time from which notifications are sent; undefined while they are disabled. */
  readonly activeFrom: Date | undefined
  readonly isActive: boolean
}

const NONE: WebhookChange = { enabled: false, url: '', securityHeader: '' }

/** The settings of an application, and whether they are active now. */
export const stateOf = (context: BankContext, client: Client): WebhookState => {
  const { rules, ledger } = context
  const settings = ledger.webhooks.get(client.clientId) ?? {
    ...NONE,
    clientId: client.clientId,
    enabledAt: undefined,
  }
  const facts = { ...factsAt(context), client, settings }
  const { enabledAt } = settings
  const activeFrom = enabledAt && rules.webhookActiveFrom({ ...facts, enabledAt })
  return { settings, activeFrom, isActive: rules.webhookIsActive({ ...facts, activeFrom }) }
}

const URL_PROBLEM = 'The URL starts with http:// or https://, and has no parameters after a ? or #.'
const HEADER_PROBLEM = 'The security header has only letters, digits, spaces and the signs = + /.'

export const problemsOf = (context: BankContext, client: Client, change: WebhookChange): Problems => {
  const { enabled, url, securityHeader } = change
  const facts = { ...factsAt(context), client }
  // Disabled webhooks need no URL.
  const urlIsFine = (url === '' && !enabled) || context.rules.webhookUrlIsAccepted({ ...facts, url })
  const headerIsFine = context.rules.securityHeaderIsAccepted({ ...facts, securityHeader })
  return {
    ...(!urlIsFine && { url: URL_PROBLEM }),
    ...(!headerIsFine && { securityHeader: HEADER_PROBLEM }),
  }
}

export const changeWebhook = (
  context: BankContext,
  client: Client,
  change: WebhookChange,
  isRefused: boolean,
): WebhookState => {
  const { ledger, rules } = context
  const { clientId } = client
  const facts = { ...factsAt(context), client }
  const kept = rules.settingsKept({ ...facts, change, isRefused })
  if (kept) {
    const previous = ledger.webhooks.get(clientId)
    const enabledAt = rules.enabledSince({ ...facts, enabled: kept.enabled, previous })
    ledger.webhooks.set(clientId, { ...kept, clientId, enabledAt })
  }
  return stateOf(context, client)
}

export const isRefused = (problems: Problems): boolean => Object.keys(problems).length > 0

/** The settings in the answer of the test hook. */
export const settingsBody = ({ settings, activeFrom, isActive }: WebhookState): unknown => ({
  enabled: settings.enabled,
  url: settings.url,
  securityHeader: settings.securityHeader,
  active: isActive,
  activeFrom: activeFrom?.toISOString() ?? null,
})
