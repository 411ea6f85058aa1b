/** The settings of an application's webhooks, however they are changed: on the page, or with the test hook. */
import { type Branch, factsAt } from '../call.ts'
import type { WebhookChange } from '../rules/webhook-rules.ts'
import type { Client } from '../seed-data.ts'
import type { WebhookSettings } from '../state.ts'

/** What is wrong with a change, by setting. */
export type Problems = Readonly<Partial<Record<keyof WebhookChange, string>>>

export interface WebhookState {
  readonly settings: WebhookSettings
  /** From when on notifications are sent; nothing while they are disabled. */
  readonly activeFrom: Date | undefined
  readonly isActive: boolean
}

const NONE: WebhookChange = { enabled: false, url: '', securityHeader: '' }

/** What is set for an application, and what follows from it at this moment. */
export const stateOf = (branch: Branch, client: Client): WebhookState => {
  const { rules, ledger } = branch
  const settings = ledger.webhooks.get(client.clientId) ?? {
    ...NONE,
    clientId: client.clientId,
    enabledAt: undefined,
  }
  const facts = { ...factsAt(branch), client, settings }
  const { enabledAt } = settings
  const activeFrom = enabledAt && rules.webhookActiveFrom({ ...facts, enabledAt })
  return { settings, activeFrom, isActive: rules.webhookIsActive({ ...facts, activeFrom }) }
}

const URL_PROBLEM = 'The URL starts with http:// or https://, and has no parameters behind a ? or #.'
const HEADER_PROBLEM = 'The security header has letters, digits, blanks and the signs = + / alone.'

export const problemsOf = (branch: Branch, client: Client, change: WebhookChange): Problems => {
  const { enabled, url, securityHeader } = change
  const facts = { ...factsAt(branch), client }
  // What is not called yet may be left open.
  const urlIsFine = (url === '' && !enabled) || branch.rules.webhookUrlIsAccepted({ ...facts, url })
  const headerIsFine = branch.rules.securityHeaderIsAccepted({ ...facts, securityHeader })
  return {
    ...(!urlIsFine && { url: URL_PROBLEM }),
    ...(!headerIsFine && { securityHeader: HEADER_PROBLEM }),
  }
}

/** Writes a change down, as far as it is kept. */
export const changeWebhook = (
  branch: Branch,
  client: Client,
  change: WebhookChange,
  isRefused: boolean,
): WebhookState => {
  const { ledger, rules } = branch
  const { clientId } = client
  const facts = { ...factsAt(branch), client }
  const kept = rules.settingsKept({ ...facts, change, isRefused })
  if (kept) {
    const previous = ledger.webhooks.get(clientId)
    const enabledAt = rules.enabledSince({ ...facts, enabled: kept.enabled, previous })
    ledger.webhooks.set(clientId, { ...kept, clientId, enabledAt })
  }
  return stateOf(branch, client)
}

export const isRefused = (problems: Problems): boolean => Object.keys(problems).length > 0

/** Settings as the test hook shows them. */
export const settingsBody = ({ settings, activeFrom, isActive }: WebhookState): unknown => ({
  enabled: settings.enabled,
  url: settings.url,
  securityHeader: settings.securityHeader,
  active: isActive,
  activeFrom: activeFrom?.toISOString() ?? null,
})
