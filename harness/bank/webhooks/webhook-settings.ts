import { authenticateClient } from '../authorization/consents.ts'
import { contextOf, factsAt, factsOf, type BankContext, type Call } from '../call.ts'
import { frame, html, type Html } from '../page-layout.ts'
import { page, redirect } from '../responses.ts'
import type { WebhookChange } from '../rules/webhook-rules.ts'
import type { Client } from '../seed-data.ts'
import type { WebhookSettings } from '../state.ts'

/** The webhook settings of an application, for the settings page and the test hook. */

/** The reasons of a refused change, by setting. */
type Problems = Readonly<Partial<Record<keyof WebhookChange, string>>>

interface WebhookState {
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

/** Stores a change. */
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

/** Application settings: the page on which the owner of an application sets where notifications are sent. */

type Tab = 'application' | 'usage'

const tab = (href: string, name: string, isOpen: boolean): Html =>
  isOpen ? html`<a href="${href}" aria-current="page">${name}</a>` : html`<a href="${href}">${name}</a>`

const tabs = (call: Call, open: Tab): Html =>
  html`<nav aria-label="Application settings">
    ${tab(`${call.base}/application`, 'Application', open === 'application')}
    ${tab(`${call.base}/application/usage`, 'Application Usage', open === 'usage')}
  </nav>`

const settingsFrame = (call: Call, open: Tab, content: Html): Html =>
  frame('Application settings', html`${tabs(call, open)}${content}`)

/** The owner logs in with client id and secret, for which the browser asks. */
const ownerOf = (call: Call): Promise<Client> => authenticateClient(call)

export const showApplication = async (call: Call): Promise<Response> => {
  const { name, kind, clientId, redirectUris } = await ownerOf(call)
  const content = html`<dl>
    <dt>Name</dt>
    <dd>${name}</dd>
    <dt>Kind</dt>
    <dd>${kind === 'FAC' ? 'Final Api Consumer (FAC)' : 'Third Party Provider (TPP)'}</dd>
    <dt>Client id</dt>
    <dd>${clientId}</dd>
    <dt>Redirect URIs</dt>
    <dd>
      <ul>
        ${redirectUris.map((uri) => html`<li>${uri}</li>`)}
      </ul>
    </dd>
  </dl>`
  return page(200, settingsFrame(call, 'application', content))
}

const stateLine = ({ settings, activeFrom, isActive }: WebhookState): Html => {
  if (!settings.enabled || !activeFrom) return html`<p id="state">Notifications are off.</p>`
  const time = html`<time datetime="${activeFrom.toISOString()}">${activeFrom.toUTCString()}</time>`
  return isActive
    ? html`<p id="state">Notifications are active since ${time}.</p>`
    : html`<p id="state">Notifications become active at ${time}.</p>`
}

const alert = (problems: Problems, name: keyof Problems): Html =>
  problems[name] === undefined ? html`` : html`<p role="alert" id="${name}-problem">${problems[name]}</p>`

const enabledField = ({ enabled }: WebhookChange): Html =>
  html`<label for="enabled">Webhook Enabled</label>
    <select id="enabled" name="enabled">
      <option value="yes" ${enabled ? html`selected` : ''}>Yes</option>
      <option value="no" ${enabled ? '' : html`selected`}>No</option>
    </select>
    <p class="hint">Notifications become active at the start of the next full hour.</p>`

const urlField = ({ url }: WebhookChange, problems: Problems): Html =>
  html`<label for="url">Webhook Endpoint (URL)</label>
    <input id="url" name="url" value="${url}" inputmode="url" autocomplete="off" />
    ${alert(problems, 'url')}
    <p class="hint">Where notifications are received; without parameters.</p>`

const headerField = ({ securityHeader }: WebhookChange, problems: Problems): Html =>
  html`<label for="securityHeader">Webhook Security Header</label>
    <input id="securityHeader" name="securityHeader" value="${securityHeader}" autocomplete="off" />
    ${alert(problems, 'securityHeader')}
    <p class="hint">Optional. Sent in each notification as the Authorization header.</p>`

interface UsagePage {
  readonly state: WebhookState
  /** The values of the form: the settings, or those that were refused. */
  readonly shown: WebhookChange
  readonly problems: Problems
}

const usagePage = (call: Call, { state, shown, problems }: UsagePage): Html =>
  settingsFrame(
    call,
    'usage',
    html`${stateLine(state)}
      <form method="post" action="${call.base}/application/usage">
        ${enabledField(shown)}${urlField(shown, problems)}${headerField(shown, problems)}
        <div class="actions"><button type="submit">Save</button></div>
      </form>`,
  )

export const showUsage = async (call: Call): Promise<Response> => {
  const state = stateOf(contextOf(call.parts, call.environment), await ownerOf(call))
  return page(200, usagePage(call, { state, shown: state.settings, problems: {} }))
}

/** Whether another site has sent the form. A browser adds the user's credentials to such a request as well. */
const isForeign = ({ request }: Call): boolean => {
  const site = request.headers.get('sec-fetch-site')
  return site !== null && site !== 'same-origin' && site !== 'none'
}

const changeIn = async ({ request }: Call): Promise<WebhookChange> => {
  const form = new URLSearchParams(await request.text())
  return {
    enabled: form.get('enabled') === 'yes',
    url: form.get('url') ?? '',
    securityHeader: form.get('securityHeader') ?? '',
  }
}

export const changeUsage = async (call: Call): Promise<Response> => {
  const client = await ownerOf(call)
  if (isForeign(call))
    return page(403, frame('Not saved', html`<p role="alert">Open the settings first.</p>`))
  const context = contextOf(call.parts, call.environment)
  const change = await changeIn(call)
  const problems = problemsOf(context, client, change)
  const state = changeWebhook(context, client, change, isRefused(problems))
  if (isRefused(problems)) {
    const status = call.rules.settingsRefusalStatus({ ...factsOf(call), client })
    return page(status, usagePage(call, { state, shown: change, problems }))
  }
  return redirect(303, `${call.base}/application/usage`)
}
