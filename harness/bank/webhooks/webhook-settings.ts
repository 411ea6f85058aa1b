import { authenticateClient } from '../authorization/consents.ts'
import { branchOf, factsAt, factsOf, type Branch, type Call } from '../call.ts'
import { frame, html, type Html } from '../page-layout.ts'
import { page, redirect } from '../responses.ts'
import type { WebhookChange } from '../rules/webhook-rules.ts'
import type { Client } from '../seed-data.ts'
import type { WebhookSettings } from '../state.ts'

/** The settings of an application's webhooks, however they are changed: on the page, or with the test hook. */

/** What is wrong with a change, by setting. */
type Problems = Readonly<Partial<Record<keyof WebhookChange, string>>>

interface WebhookState {
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

/** A browser asks its user for client id and secret: that is the owner's login. */
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
  /** What stands in the form: the settings, or what was not taken. */
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
  const state = stateOf(branchOf(call.parts, call.environment), await ownerOf(call))
  return page(200, usagePage(call, { state, shown: state.settings, problems: {} }))
}

/** A browser adds what its user has typed as credentials to the forms of other sites, too. */
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
  const branch = branchOf(call.parts, call.environment)
  const change = await changeIn(call)
  const problems = problemsOf(branch, client, change)
  const state = changeWebhook(branch, client, change, isRefused(problems))
  if (isRefused(problems)) {
    const status = call.rules.settingsRefusalStatus({ ...factsOf(call), client })
    return page(status, usagePage(call, { state, shown: change, problems }))
  }
  return redirect(303, `${call.base}/application/usage`)
}
