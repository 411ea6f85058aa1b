/** The pages on which a scenario is selected. */
import { html, type Html } from '../html.ts'
import { frame } from '../page.ts'
import type { LoanApplication, Scenario } from './loan.ts'

export interface Showing {
  readonly application: LoanApplication
  /** What can be selected now. */
  readonly scenarios: readonly Scenario[]
  /** Where its form goes. */
  readonly action: string
  readonly problem?: string
}

const STORIES: Readonly<Record<Scenario, string>> = {
  CANCELLED: 'The application is cancelled',
  EXPIRED: 'The application expires',
  NON_CLIENT: 'A new customer gets the loan',
  CLIENT: 'A customer of the bank gets the loan',
}

const details = ({ applicationId, orderNo, amount, status }: LoanApplication): Html =>
  html`<dl>
    <dt>Application</dt>
    <dd>${applicationId}</dd>
    <dt>Order</dt>
    <dd>${orderNo}</dd>
    <dt>Amount</dt>
    <dd>${amount.toFixed(2)} EUR</dd>
    <dt>Status</dt>
    <dd>${status}</dd>
  </dl>`

const alert = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p role="alert">${problem}</p>`

const button = (scenario: Scenario): Html =>
  html`<button name="scenario" value="${scenario}">${STORIES[scenario]}</button>`

const choices = ({ scenarios, action }: Showing): Html =>
  html`<form method="post" action="${action}">
    <div class="actions">${scenarios.map(button)}</div>
  </form>`

export const CLOSED = 'No scenario can be selected any more.'

/** The scenarios, as long as one can be selected. */
export const choicePage = (showing: Showing): Html => {
  const { application, scenarios, problem } = showing
  return frame(
    'Installment loan',
    scenarios.length > 0
      ? html`${alert(problem)}
          <p>What is to become of this application?</p>
          ${details(application)}${choices(showing)}`
      : html`${alert(problem ?? CLOSED)} ${details(application)}`,
  )
}

export const welcomePage = ({ application, action }: Showing): Html =>
  frame(
    'Welcome',
    html`<p>You are about to apply for a loan.</p>
      ${details(application)}
      <form method="post" action="${action}">
        <div class="actions"><button type="submit" name="step" value="welcome">Continue</button></div>
      </form>`,
  )

export const resultPage = (application: LoanApplication): Html =>
  frame(
    'Scenario selected',
    html`<p>The status changes by itself from now on.</p>
      ${details(application)}
      <output id="scenario">${application.scenario ?? ''}</output>`,
  )

export const unknownPage = (): Html =>
  frame('Nothing here', html`<p role="alert">This page belongs to no application.</p>`)
