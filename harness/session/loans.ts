import { NotReached } from '../evidence/signals.ts'
import { brokeDown, isAccepted, isTurnedAway } from './answer.ts'
import { applicationIdOf } from './loans-answers.ts'
import { selectOnPages } from './loans-selection.ts'
import { fill, merge } from './payments-body.ts'
import { heldToken } from './payments-token.ts'
import { chance } from './random.ts'
import { basic, unchanged } from './request.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { LoansProfile } from '../profile/loans.ts'
import type { ApplicationProfile, CustomerProfile, Profile } from '../profile/schema.ts'
import type { Http } from './http.ts'
import type { Random } from './random.ts'
import type { Change, Fields, HttpRequest } from './request.ts'
import type { TargetClock } from './session.ts'
import type { Way } from './way.ts'

export type { LoansProfile } from '../profile/loans.ts'

/** The scripted scenarios of the sandbox (States and transitions, Loan application status). */
export const LOAN_SCENARIOS = ['cancelled', 'expired', 'nonClient', 'client'] as const

export type LoanScenario = (typeof LOAN_SCENARIOS)[number]

/** The input of a precalculation, in EUR. What is undefined is left out of the JSON. */
export interface Calculation {
  readonly amount: unknown
  readonly capacity?: { readonly income: unknown; readonly expenses: unknown; readonly children: unknown }
}

/** An application on the path of a scenario. Where the submission itself selects, both exchanges are the same. */
export interface StartedApplication {
  readonly id: string
  readonly submission: Exchange
  readonly selection: Exchange
}

/** The loan operations with one access token. Every method sends one valid request, or one with one change. */
export interface LoanOperations {
  /** PUT /v1/applications/precalculation */
  readonly precalculate: (input: Calculation, change?: Change) => Promise<Exchange>
  /** POST /v1/applications: an ordinary application of its own; an amount that is undefined is left out of the JSON. */
  readonly submit: (order?: { readonly amount?: unknown }, change?: Change) => Promise<Exchange>
  /** The application-id that a submission answered. @throws NotReached where it answered none. */
  readonly idOf: (submission: Exchange) => string
  /**
   * Selects the scenario of an application, once it is submitted (needs: loan-selection-after-submission). On pages,
   * the last of them.
   * @throws NotReached where the submission gave no application to select for, or the target looked at nothing.
   */
  readonly select: (submission: Exchange, scenario: LoanScenario) => Promise<Exchange>
  /** Submits an application and selects its scenario, however the target has it. */
  readonly start: (
    scenario: LoanScenario,
    order?: { readonly amount?: unknown },
  ) => Promise<StartedApplication>
  /** GET /v1/applications/{application-id}/status */
  readonly status: (id: string, change?: Change) => Promise<Exchange>
  /** DELETE /v1/applications/{application-id} */
  readonly cancel: (id: string, change?: Change) => Promise<Exchange>
}

/** The loan operations, as one application asks them. */
export interface Loans extends LoanOperations {
  readonly profile: LoansProfile
  readonly application: ApplicationProfile
  /** The answer that the application had its first token from. */
  readonly token: Exchange
  /** Asks for another token; one that is given is used from now on, since it may end the one before. */
  renewToken(change?: Change): Promise<Exchange>
  /** The token that an answer of the token endpoint carries. @throws NotReached where it carries none. */
  tokenIn(answer: Exchange): string
  /** The same operations with that token, whatever becomes of the application's own. */
  bearing(token: string): LoanOperations
}

export interface LoansContext {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  readonly way: Way
  readonly clock: TargetClock
  readonly customer: CustomerProfile | undefined
  readonly random?: Random
}

/** EUR; well within the bounds, and an amount of the documented scenarios. */
const ORDINARY_AMOUNT = 250

/** @throws NotReached where the profile names no loan API. A token that was not given is missed when it is needed. */
export const createLoans =
  (context: LoansContext) =>
  async (whose?: ApplicationProfile): Promise<Loans> => {
    const { loans: profile, applications } = context.profile
    if (profile === undefined) throw new NotReached('the profile names no loan API (loans)')
    const application =
      whose ?? applications.find(({ name }) => name === profile.application) ?? applications[0]
    if (application === undefined) throw new NotReached('the profile names no application')
    return openLoans(context, profile, application)
  }

const openLoans = async (
  context: LoansContext,
  profile: LoansProfile,
  application: ApplicationProfile,
): Promise<Loans> => {
  const { clock } = context
  const ask = (change: Change): Promise<Exchange> =>
    context.http.send(change(tokenRequest(context, profile, application)))

  const token = await ask(unchanged)
  let latest = { answer: token, at: clock.now() }

  const renewToken = async (change = unchanged): Promise<Exchange> => {
    const answer = await ask(change)
    if (answer.response !== undefined && isAccepted(answer)) latest = { answer, at: clock.now() }
    return answer
  }

  /** The token of the application; a new one, where time has passed and it may have expired. */
  const bearer = async (): Promise<string> => {
    if (clock.now() >= heldToken(latest.answer, latest.at).until) await renewToken()
    return heldToken(latest.answer, latest.at).value
  }

  return {
    ...{ profile, application, token, renewToken },
    ...operationsWith(context, profile, bearer),
    tokenIn: (answer) => heldToken(answer, clock.now()).value,
    bearing: (value) => operationsWith(context, profile, async () => value),
  }
}

const tokenRequest = (
  { baseUrl }: LoansContext,
  { basePath, token }: LoansProfile,
  { clientId, clientSecret }: ApplicationProfile,
): HttpRequest => {
  const isBasic = token.credentials === 'basic'
  const credentials: Fields = [
    ['client_id', clientId],
    ['client_secret', clientSecret],
  ]
  return {
    operation: 'loanToken',
    sender: 'scenario',
    method: 'POST',
    url: baseUrl + basePath + token.path,
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ...(isBasic ? [['Authorization', basic(clientId, clientSecret)] as const] : []),
    ],
    form: [...Object.entries(token.form), ...(isBasic ? [] : credentials)],
  }
}

const operationsWith = (
  { baseUrl, http, way, customer, random = chance }: LoansContext,
  profile: LoansProfile,
  bearer: () => Promise<string>,
): LoanOperations => {
  const { precalculation, submission, scenario, status, cancellation } = profile
  const base = baseUrl + profile.basePath
  const selected = new Set<string>()

  const send = async (
    request: Pick<HttpRequest, 'operation' | 'method'> & { readonly path: string; readonly body?: unknown },
    change: Change,
  ): Promise<Exchange> => {
    const { operation, method, path, body } = request
    const hasBody = body !== undefined
    const headers: Fields = [
      [profile.requestIdHeader, random.uuid()],
      ['Authorization', `Bearer ${await bearer()}`],
      ...(hasBody ? [['Content-Type', 'application/json'] as const] : []),
    ]
    const text = hasBody ? { text: JSON.stringify(body) } : {}
    return http.send(change({ operation, sender: 'scenario', method, url: base + path, headers, ...text }))
  }

  const at = (path: string, id: string): string =>
    path.replaceAll('{application-id}', () => encodeURIComponent(id))

  const idOf = (answer: Exchange): string => applicationIdOf(answer, profile)

  /** A target that wants the scenario with the submission gets one with each. */
  const patchFor = (chosen: LoanScenario): unknown =>
    scenario.kind === 'parameter' ? fill(scenario.patch, { scenario: scenario.values[chosen] }) : {}

  const submitFor = (
    chosen: LoanScenario,
    order: { readonly amount?: unknown },
    change: Change,
  ): Promise<Exchange> => {
    const values = { amount: ORDINARY_AMOUNT, orderNo: random.uuid(), ...order }
    const body = merge(fill(submission.body, values), patchFor(chosen))
    return send({ operation: 'applyForLoan', method: 'POST', path: submission.path, body }, change)
  }

  const sendSelection: LoanOperations['select'] = async (answer, chosen) => {
    if (scenario.kind === 'parameter')
      throw new NotReached('the submission itself selects the scenario (loans.scenario.kind "parameter")')
    const word = scenario.values[chosen]
    const isFirst = !selected.has(answer.id)
    selected.add(answer.id)
    if (scenario.kind === 'page')
      return selectOnPages({ http, way, pages: scenario, submission: answer, word, customer, isFirst })
    return send(
      {
        operation: 'selectLoanScenario',
        method: scenario.method,
        path: at(scenario.path, idOf(answer)),
        ...(scenario.method !== 'GET' && { body: fill(scenario.body, { scenario: word }) }),
      },
      unchanged,
    )
  }

  const select: LoanOperations['select'] = async (answer, chosen) => {
    const selection = await sendSelection(answer, chosen)
    if (brokeDown(selection) || isTurnedAway(selection))
      throw new NotReached(`${selection.id} broke down, or was turned away: no scenario was selected`)
    return selection
  }

  return {
    idOf,
    select,

    precalculate({ amount, capacity }, change = unchanged) {
      const plain = fill(precalculation.body, { amount })
      const body =
        capacity === undefined ? plain : merge(plain, fill(precalculation.capacity, { ...capacity }))
      return send({ operation: 'precalculateLoan', method: 'PUT', path: precalculation.path, body }, change)
    },

    submit: (order = {}, change = unchanged) => submitFor('client', order, change),

    async start(chosen, order = {}) {
      const answer = await submitFor(chosen, order, unchanged)
      const id = idOf(answer)
      const selection = scenario.kind === 'parameter' ? answer : await select(answer, chosen)
      return { id, submission: answer, selection }
    },

    status: (id, change = unchanged) =>
      send({ operation: 'readLoan', method: 'GET', path: at(status.path, id) }, change),

    cancel: (id, change = unchanged) =>
      send({ operation: 'cancelLoan', method: 'DELETE', path: at(cancellation.path, id) }, change),
  }
}
