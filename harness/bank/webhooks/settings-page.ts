import { authenticateClient } from '../authorization/authentication.ts'
import { contextOf, factsOf, type Call } from '../call.ts'
import { html, type Html } from '../markup.ts'
import { frame } from '../page-layout.ts'
import { page, redirect } from '../responses.ts'
import {
  stateOf,
  problemsOf,
  changeWebhook,
  isRefused,
  type WebhookState,
  type Problems,
} from './webhook-settings.ts'
import type { WebhookChange } from '../rules/webhook-rules.ts'
import type { Client } from '../seed-data.ts'

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
