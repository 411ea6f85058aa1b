/** How a scenario is selected for an application: by a call, or on the page that the submission has named. */
import { page, redirect } from '../answers.ts'
import { factsOf, Refusal, type Call } from '../call.ts'
import { branchOf } from '../parts.ts'
import { answer, isKept, openApplication } from './answers.ts'
import { authenticateLoanCaller } from './bearer.ts'
import { isScenario, SCENARIOS, type LoanApplication, type Scenario } from './loan.ts'
import { setOut } from './moves.ts'
import { choicePage, CLOSED, resultPage, unknownPage, welcomePage, type Showing } from './page.ts'
import { jsonOf, readSelection } from './requests.ts'

/** PUT /v1/applications/{application-id}/scenario. */
export const selectScenario = async (call: Call): Promise<Response> => {
  const client = authenticateLoanCaller(call)
  const scenario = readSelection(await jsonOf(call))
  if (scenario === undefined) throw new Refusal('invalid_request', 'The body names no scenario.')
  const selected = select(call, openApplication(call, client), scenario)
  if (!selected) throw new Refusal('scenario_selected', CLOSED)
  return answer(call, client, selected, (told) => call.rules.selectionAnswer(told))
}

/** The application on its way; nothing if this cannot be selected. */
const select = (
  call: Call,
  application: LoanApplication,
  scenario: Scenario,
): LoanApplication | undefined => {
  if (!mayBeSelected(call, application, scenario)) return undefined
  return setOut(branchOf(call.parts, application.environment), application, scenario)
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

const addressOf = (call: Call, { link }: LoanApplication): string =>
  call.rules.pageAddress({
    ...factsOf(call),
    origin: call.url.origin,
    from: call.url.pathname,
    path: `${call.base}/process/${link}`,
  })

/** GET of the page. */
export const showProcess = async (call: Call): Promise<Response> => {
  const application = applicationOf(call)
  if (!application) return page(404, unknownPage())
  const showing = showingOf(call, application)
  return call.rules.selectionBeginsWithWelcome({ ...factsOf(call), application })
    ? page(200, welcomePage(showing))
    : page(200, choicePage(showing))
}

/** POST of the page: what was said on it. */
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
