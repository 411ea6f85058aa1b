import { NotReached } from '../../evidence/signals.ts'
import { actingApplication } from '../acting-application.ts'
import { tokenRequest } from '../authorization/code-request.ts'
import { keepToken, tokenIn } from '../client-token.ts'
import { unchanged, type Change } from '../http/request.ts'
import { urlOf, type FlowContext } from '../target.ts'
import { applicationIdOf } from '../../evidence/record/loan-application.ts'
import { fill, merge, withOtherAmounts } from '../../profile/template.ts'
import { chance } from '../random.ts'
import { sendingLoanRequests, type LoanScenario } from './loan-requests.ts'
import { createScenarioSelection } from './scenario-selection.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ApplicationProfile } from '../../profile/schema.ts'
import type { LoansProfile } from '../../profile/schema/loans.ts'

/** The loan API, as an application uses it. */

/** The input of a precalculation, in EUR. An undefined member is left out of the JSON. */
interface Calculation {
  readonly amount: unknown
  readonly capacity?: { readonly income: unknown; readonly expenses: unknown; readonly children: unknown }
}

/** An application with a selected scenario. If the submission itself selects it, both exchanges are the same. */
interface StartedApplication {
  readonly id: string
  readonly submission: Exchange
  readonly selection: Exchange
}

/** The loan operations with one access token. Every method sends one valid request, or the same with one change. */
export interface LoanOperations {
  /** PUT /v1/applications/precalculation */
  readonly precalculate: (input: Calculation, change?: Change) => Promise<Exchange>
  /** POST /v1/applications: a new ordinary application. An undefined amount is left out of the JSON. */
  readonly submit: (order?: { readonly amount?: unknown }, change?: Change) => Promise<Exchange>
  /** The application-id in the answer to a submission. @throws NotReached if there is none. */
  readonly idOf: (submission: Exchange) => string
  /**
   * Selects the scenario of a submitted application (needs: loan-selection-after-submission), and returns the last
   * exchange of the selection.
   * @throws NotReached if the submission gave no application, or the target did not process the selection.
   */
  readonly select: (submission: Exchange, scenario: LoanScenario) => Promise<Exchange>
  /** Submits an application and selects its scenario, in the way that the target supports. */
  readonly start: (
    scenario: LoanScenario,
    order?: { readonly amount?: unknown },
  ) => Promise<StartedApplication>
  /** GET /v1/applications/{application-id}/status */
  readonly status: (id: string, change?: Change) => Promise<Exchange>
  /** DELETE /v1/applications/{application-id} */
  readonly cancel: (id: string, change?: Change) => Promise<Exchange>
}

/** In EUR: the positive ones of the documented scenarios. A sandbox may know no others. */
const ORDINARY_AMOUNTS = [250, 1850] as const

const amountsFrom = (turn = 0) => {
  let at = turn - 1
  return (): number | undefined => {
    at += 1
    return ORDINARY_AMOUNTS[at % ORDINARY_AMOUNTS.length]
  }
}

type Addressed = 'precalculation' | 'submission' | 'status' | 'cancellation'

export const createLoanOperations = (
  context: FlowContext,
  profile: LoansProfile,
  bearer: () => Promise<string>,
): LoanOperations => {
  const { random = chance, turn } = context
  const nextAmount = amountsFrom(turn)
  const { precalculation, submission, scenario } = profile
  const send = sendingLoanRequests(context, profile, bearer)
  const select = createScenarioSelection(context, profile, send)
  const idOf = (answer: Exchange): string => applicationIdOf(answer, profile)

  const addressOf = (operation: Addressed, id = ''): string =>
    urlOf(context, `loans.${operation}`, { environment: 'sandbox', values: { 'application-id': id } })

  const submitFor = (
    chosen: LoanScenario,
    order: { readonly amount?: unknown },
    change?: Change,
  ): Promise<Exchange> => {
    const values = { amount: nextAmount(), orderNo: random.uuid(), ...order }
    // For a target that takes the scenario there.
    const patch =
      scenario.kind === 'parameter' ? fill(scenario.patch, { scenario: scenario.values[chosen] }) : {}
    const body = merge(fill(submission.body, withOtherAmounts(values)), patch)
    return send({ operation: 'applyForLoan', method: 'POST', url: addressOf('submission'), body }, change)
  }

  return {
    idOf,
    select,

    precalculate({ amount, capacity }, change) {
      const plain = fill(precalculation.body, withOtherAmounts({ amount }))
      const reported = capacity && withOtherAmounts(withOtherAmounts({ ...capacity }, 'income'), 'expenses')
      const body = reported === undefined ? plain : merge(plain, fill(precalculation.capacity, reported))
      return send(
        { operation: 'precalculateLoan', method: 'PUT', url: addressOf('precalculation'), body },
        change,
      )
    },

    submit: (order = {}, change) => submitFor('client', order, change),

    async start(chosen, order = {}) {
      const answer = await submitFor(chosen, order)
      const id = idOf(answer)
      const selection = scenario.kind === 'parameter' ? answer : await select(answer, chosen)
      return { id, submission: answer, selection }
    },

    status: (id, change) =>
      send({ operation: 'readLoan', method: 'GET', url: addressOf('status', id) }, change),

    cancel: (id, change) =>
      send({ operation: 'cancelLoan', method: 'DELETE', url: addressOf('cancellation', id) }, change),
  }
}

export interface Loans extends LoanOperations {
  readonly profile: LoansProfile
  readonly application: ApplicationProfile
  readonly others: readonly ApplicationProfile[]
  /** The first token response of the application. */
  readonly token: Exchange
  /** Requests another token and uses it from then on, because it may end the one before. */
  renewToken(change?: Change): Promise<Exchange>
  /** The token in an answer of the token endpoint. @throws NotReached if there is none. */
  tokenIn(answer: Exchange): string
  /** The same operations with that token instead of the application's own. */
  bearing(token: string): LoanOperations
}

/** @throws NotReached if the profile has no loan API. A missing token is reported only when it is needed. */
export const createLoans =
  (context: FlowContext) =>
  async (whose?: ApplicationProfile): Promise<Loans> => {
    const { loans } = context.profile
    if (loans === undefined) throw new NotReached('the profile has no loan API (loans)')
    const acting = actingApplication(context.profile, 'loans', whose?.name ?? loans.applications?.[0])
    const request = tokenRequest({
      operation: 'loanToken',
      url: urlOf(context, 'loans.token', { environment: 'sandbox' }),
      form: Object.entries(loans.token.form),
      application: acting.application,
      credentials: loans.token.credentials,
    })
    const ask = (change: Change): Promise<Exchange> => context.http.send(change(request))
    const token = await ask(unchanged)
    const { renew, value: current } = keepToken(token, context.clock, ask)
    return {
      profile: loans,
      ...acting,
      token,
      renewToken: renew,
      tokenIn,
      ...createLoanOperations(context, loans, current),
      bearing: (value) => createLoanOperations(context, loans, async () => value),
    }
  }
