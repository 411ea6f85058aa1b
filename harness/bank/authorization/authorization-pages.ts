/** The pages of an authorization. */
import { raw } from 'hono/html'
import { frame } from '../page-layout.ts'
import { html, type Html } from '../markup.ts'
import { paymentDetails } from './payment-authorization.ts'
import type { Payment } from '../rules/payment.ts'
import type { Account, Client } from '../seed-data.ts'
import type { Step } from '../state.ts'

export interface OfferedAccount {
  readonly account: Account
  readonly isTicked: boolean
}

export interface StepPage {
  readonly step: Step
  /** The address to which the form is sent. */
  readonly action: string
  readonly csrf: string
  readonly client: Client
  /** Known once the customer has logged in. */
  readonly customer: string | undefined
  readonly accounts: readonly OfferedAccount[]
  readonly consentId: string | undefined
  /** The payment to authorize; undefined for access to accounts. */
  readonly payment?: Payment | undefined
  /** The reason why the page is shown again. */
  readonly problem: string | undefined
}

const form = ({ action, csrf }: StepPage, content: Html): Html =>
  html`<form method="post" action="${action}">
    <input type="hidden" name="csrf" value="${csrf}" />
    ${content}
  </form>`

const alert = ({ problem }: StepPage): Html =>
  problem === undefined ? html`` : html`<p role="alert" id="problem">${problem}</p>`

const loginFields = html`<label for="username">User name</label>
  <input id="username" name="username" autocomplete="username" required autofocus />
  <label for="password">Password</label>
  <input id="password" name="password" type="password" autocomplete="current-password" required />`

const decisionButtons = ({ payment }: StepPage): Html =>
  html`<div class="actions">
    <button type="submit" name="decision" value="grant">
      ${payment ? 'Authorize the payment' : 'Grant access'}
    </button>
    <button type="submit" name="decision" value="deny" formnovalidate>Deny</button>
  </div>`

const titleOf = ({ payment }: StepPage): string =>
  payment ? 'Authorize a payment' : 'Access to your accounts'

const request = ({ client, payment }: StepPage): Html =>
  payment === undefined
    ? html`<p>
        <strong>${client.name}</strong> asks to read your accounts, their balances and their transactions for
        90 days.
      </p>`
    : html`<p><strong>${client.name}</strong> asks you to authorize this payment.</p>
        ${paymentDetails(payment)}`

const question = (content: StepPage): Html => {
  const { customer, consentId } = content
  return html`${request(content)}
    <dl>
      ${
        customer === undefined
          ? ''
          : html`<dt>Signed in as</dt>
              <dd>${customer}</dd>`
      }
      ${
        consentId === undefined
          ? ''
          : html`<dt>Consent</dt>
              <dd>${consentId}</dd>`
      }
    </dl>`
}

const checkbox = ({ account: { accountId, name, iban, bankName }, isTicked }: OfferedAccount): Html =>
  html`<label>
    <input type="checkbox" name="account" value="${accountId}" ${isTicked ? raw('checked') : ''} />
    ${name}, ${iban} (${bankName})
  </label>`

const accountChoice = ({ accounts }: StepPage): Html =>
  accounts.length === 0
    ? html``
    : html`<fieldset>
        <legend>Accounts</legend>
        ${accounts.map(checkbox)}
      </fieldset>`

const login = (content: StepPage): Html =>
  frame(
    'Sign in',
    html`${alert(content)}
      <p>to answer a request of <strong>${content.client.name}</strong></p>
      ${form(
        content,
        html`${loginFields}
          <div class="actions"><button type="submit">Sign in</button></div>`,
      )}`,
  )

const decision = (content: StepPage): Html =>
  frame(
    titleOf(content),
    html`${alert(content)}${question(content)}${form(content, html`${accountChoice(content)}${decisionButtons(content)}`)}`,
  )

const loginAndDecision = (content: StepPage): Html =>
  frame(
    titleOf(content),
    html`${alert(content)}${question(content)}${form(content, html`${loginFields}${decisionButtons(content)}`)}`,
  )

const welcome = (content: StepPage): Html =>
  frame(
    'You are about to leave an application',
    html`<p><strong>${content.client.name}</strong> has sent you here. Next, sign in at your bank.</p>
      ${form(content, html`<div class="actions"><button type="submit">Continue</button></div>`)}`,
  )

const STEP_PAGES: Readonly<Record<Step, (content: StepPage) => Html>> = {
  welcome,
  login,
  decision,
  'login-and-decision': loginAndDecision,
}

export const stepPage = (content: StepPage): Html => STEP_PAGES[content.step](content)

const copyBack = (client: Client): Html => html`<p>Copy this to <strong>${client.name}</strong>.</p>`

/** The result screen: the parameters that a redirect would contain, for the customer to copy. */
export const resultPage = (client: Client, parameters: Readonly<Record<string, string>>): Html => {
  const granted = parameters['code'] !== undefined
  const rows = Object.entries(parameters).map(
    ([name, value]) =>
      html`<dt><label for="${name}">${name}</label></dt>
        <dd><output id="${name}">${value}</output></dd>`,
  )
  return frame(
    granted ? 'Access granted' : 'Access not granted',
    html`${granted ? copyBack(client) : ''}
      <dl id="result">${rows}</dl>`,
  )
}

/** An error that is not sent by redirect, since the application or its redirect URI is not verified. */
export const errorPage = (error: string, description: string): Html =>
  frame(
    'This request cannot be answered',
    html`<p role="alert" id="problem">${description}</p>
      <p>
        Nothing was granted. Return to the application and start again. Error:
        <output id="error">${error}</output>
      </p>`,
  )
