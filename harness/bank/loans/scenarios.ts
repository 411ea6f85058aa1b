/** Selects the scenario of an application: by a call, or on the page that the submission links to. */
import { contextOf, factsOf, jsonOf, pageAddressOf, Refusal, type Call } from '../call.ts'
import { frame } from '../page-layout.ts'
import { html, type Html } from '../markup.ts'
import { page, redirect } from '../responses.ts'
import { answer, isKept, openApplication } from './applications.ts'
import { isScenario, SCENARIOS, type LoanApplication, type Scenario } from '../rules/loan.ts'
import { readSelection } from '../rules/loan-bodies.ts'
import { startPath } from './status-changes.ts'
import { authenticateLoanCaller } from './tokens.ts'

export interface Showing {
  readonly application: LoanApplication
  /** The scenarios that can be selected now. */
  readonly scenarios: readonly Scenario[]
  /** The address to which its form is sent. */
  readonly action: string
  readonly problem?: string
}

const DESCRIPTIONS: Readonly<Record<Scenario, string>> = {
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
  html`<button name="scenario" value="${scenario}">${DESCRIPTIONS[scenario]}</button>`

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

/** PUT /v1/applications/{application-id}/scenario. */
export const selectScenario = async (call: Call): Promise<Response> => {
  const client = authenticateLoanCaller(call)
  const scenario = readSelection(await jsonOf(call))
  if (scenario === undefined) throw new Refusal('invalid_request', 'The body names no scenario.')
  const selected = select(call, openApplication(call, client), scenario)
  if (!selected) throw new Refusal('scenario_selected', CLOSED)
  return answer(call, client, selected, (facts) => call.rules.selectionAnswer(facts))
}

/** The application on its path; undefined if the scenario cannot be selected. */
const select = (
  call: Call,
  application: LoanApplication,
  scenario: Scenario,
): LoanApplication | undefined => {
  if (!mayBeSelected(call, application, scenario)) return undefined
  return startPath(contextOf(call.parts, application.environment), application, scenario)
}

/** The application of the page. Its address is a secret, and opens it without a token. */
const applicationOf = (call: Call): LoanApplication | undefined =>
  [...call.ledger.applications.values()].find(
    (application) => application.link === call.parameter('link') && isKept(call, application),
  )

const mayBeSelected = (call: Call, application: LoanApplication, scenario: Scenario): boolean =>
  call.rules.mayBeSelected({ ...factsOf(call), application, scenario })

const showingOf = (call: Call, application: LoanApplication): Showing => ({
  application,
  scenarios: SCENARIOS.filter((scenario) => mayBeSelected(call, application, scenario)),
  action: addressOf(call, application),
})

const addressOf = (call: Call, { link }: LoanApplication): string => pageAddressOf(call, `/process/${link}`)

/** GET of the page. */
export const showProcess = async (call: Call): Promise<Response> => {
  const application = applicationOf(call)
  if (!application) return page(404, unknownPage())
  const showing = showingOf(call, application)
  return call.rules.selectionBeginsWithWelcome({ ...factsOf(call), application })
    ? page(200, welcomePage(showing))
    : page(200, choicePage(showing))
}

/** POST of the page. */
export const continueProcess = async (call: Call): Promise<Response> => {
  const form = new URLSearchParams(await call.request.text())
  const application = applicationOf(call)
  if (!application) return page(404, unknownPage())
  const showing = showingOf(call, application)
  if (form.get('step') === 'welcome') return page(200, choicePage(showing))
  const scenario = form.get('scenario')
  if (!isScenario(scenario))
    return page(400, choicePage({ ...showing, problem: 'Please choose a scenario.' }))
  const selected = select(call, application, scenario)
  if (!selected) return page(409, choicePage({ ...showing, problem: CLOSED }))
  return call.rules.selectionReturnsToThePage({ ...factsOf(call), application: selected })
    ? redirect(303, showing.action)
    : page(200, resultPage(selected))
}
