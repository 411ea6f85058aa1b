import { addressOf } from '../../profile/operations.ts'
import {
  addressIn,
  brokeDown,
  fieldOf,
  isAccepted,
  isTurnedAway,
  jsonOf,
  need,
} from '../../evidence/record/answer.ts'
import { applicationIdOf } from '../../evidence/record/loan-application.ts'
import { NotReached } from '../../evidence/signals.ts'
import { applicationsIn } from '../../profile/applications.ts'
import { fill, fillSelector, merge, withOtherAmounts } from '../../profile/template.ts'
import { NO_REDIRECT_URI } from '../authorization/page-navigation.ts'
import { basic, unchanged, type Change, type Fields, type HttpRequest } from '../http/request.ts'
import { heldToken } from '../payments/client-token.ts'
import { chance, type Random } from '../random.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ApplicationProfile, CustomerProfile, Profile } from '../../profile/schema.ts'
import { NOTHING, type PageRecipe } from '../../profile/schema/authorization.ts'
import { bodyOfCall, type LoansProfile } from '../../profile/schema/loans.ts'
import { method } from '../../profile/schema/primitives.ts'
import type { AuthorizationDriver } from '../authorization/driver.ts'
import type { TargetClock } from '../clock.ts'
import type { Http } from '../http/http.ts'

/** Selects the scenario of a loan application on pages that the answer to the submission links to. */

type Pages = Extract<LoansProfile['scenario'], { kind: 'page' }>
type Call = Extract<LoansProfile['scenario'], { kind: 'call' }>

const METHODS: readonly string[] = method.options

interface PageFlow {
  readonly http: Http
  readonly driver: AuthorizationDriver
  readonly pages: Pages
  /** The answer that has the link. */
  readonly submission: Exchange
  /** The target's word for the scenario. */
  readonly word: string
  readonly customer: CustomerProfile | undefined
  /** Whether the pages must be those of the recipe: the second time a target may show others. */
  readonly isFirst: boolean
}

/** Used if the profile has no customer: nothing is typed. */
const NO_CUSTOMER: CustomerProfile = { name: 'no customer', username: '', password: '', accounts: [] }

const filled = (text: string, word: string): string => text.replaceAll('{scenario}', () => word)

const recipeOf = ({ pages, limit }: Pages, word: string): PageRecipe => {
  const selected = (selector: string): string => fillSelector(selector, { scenario: word })
  return {
    code: NOTHING,
    limit,
    pages: pages.map(({ when, fill, tick, press }) => ({
      when: selected(when),
      fill: Object.fromEntries(
        Object.entries(fill).map(([selector, text]) => [selected(selector), filled(text, word)]),
      ),
      tick: tick?.map(selected),
      press: selected(press),
    })),
  }
}

/** Sends every request as part of the selection. */
const selecting = (http: Http): Http => ({
  ...http,
  send: (request, ...rest) => http.send({ ...request, operation: 'selectLoanScenario' }, ...rest),
})

/** The method of the call that selects a scenario. @throws NotReached if the answer does not have the one that the profile names. */
const methodOf = (submission: Exchange, { method: fixed, methodIn }: Call): string => {
  if (methodIn === undefined) return fixed
  const reported = need(
    submission,
    fieldOf(jsonOf(submission), methodIn),
    `a method (${methodIn})`,
  ).toUpperCase()
  if (METHODS.includes(reported)) return reported
  throw new NotReached(
    `${submission.id} answered ${JSON.stringify(reported)} as a method (loans.scenario.methodIn)`,
  )
}

/**
 * Returns the exchange of the last page.
 * @throws NotReached if the answer has no link, or the link leads to a page that the recipe does not know.
 */
const selectOnPages = async (flow: PageFlow): Promise<Exchange> => {
  const { http, driver, pages, submission, word, customer = NO_CUSTOMER } = flow
  const request: HttpRequest = {
    operation: 'selectLoanScenario',
    sender: 'customer',
    method: 'GET',
    url: addressIn(submission, pages.link, http.origins),
    headers: [],
  }
  const { exchange, acted } = await driver.walk(
    {
      http: selecting(http),
      recipe: recipeOf(pages, word),
      customer,
      decision: 'grant',
      redirectUri: NO_REDIRECT_URI,
    },
    request,
  )
  const { response } = exchange
  if (flow.isFirst && acted.length === 0 && response !== undefined && response.status < 400)
    throw new NotReached(`${exchange.id} is not a page of the recipe (loans.scenario.pages)`)
  return exchange
}

export type { LoansProfile } from '../../profile/schema/loans.ts'

/** The scripted scenarios of the sandbox (States and transitions, Loan application status). */
export const LOAN_SCENARIOS = ['cancelled', 'expired', 'nonClient', 'client'] as const

export type LoanScenario = (typeof LOAN_SCENARIOS)[number]

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

/** The loan operations of one application. */
export interface Loans extends LoanOperations {
  readonly profile: LoansProfile
  readonly application: ApplicationProfile
  /** The other applications of the loan sandbox. */
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

interface LoansContext {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  readonly driver: AuthorizationDriver
  readonly clock: TargetClock
  readonly customer: CustomerProfile | undefined
  readonly random?: Random
}

/** In EUR: within the bounds, and an amount of the documented scenarios. */
const ORDINARY_AMOUNT = 250

/** @throws NotReached if the profile has no loan API. A missing token is reported only when it is needed. */
export const createLoans =
  (context: LoansContext) =>
  async (whose?: ApplicationProfile): Promise<Loans> => {
    const { loans: profile } = context.profile
    if (profile === undefined) throw new NotReached('the profile has no loan API (loans)')
    const applications = applicationsIn(context.profile, 'loans')
    const name = whose?.name ?? profile.application
    const application = name === undefined ? applications[0] : applications.find((one) => one.name === name)
    if (application === undefined)
      throw new NotReached(
        `the profile has no application ${name === undefined ? '' : `${name} `}in the loan sandbox (applications[].environments.loans)`,
      )
    const others = applications.filter((one) => one !== application)
    return openLoans(context, profile, { application, others })
  }

const openLoans = async (
  context: LoansContext,
  profile: LoansProfile,
  { application, others }: Pick<Loans, 'application' | 'others'>,
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

  /** The token of the application; a new one if it may have expired. */
  const bearer = async (): Promise<string> => {
    if (clock.now() >= heldToken(latest.answer, latest.at).until) await renewToken()
    return heldToken(latest.answer, latest.at).value
  }

  return {
    profile,
    application,
    others,
    token,
    renewToken,
    ...operationsWith(context, profile, bearer),
    tokenIn: (answer) => heldToken(answer, clock.now()).value,
    bearing: (value) => operationsWith(context, profile, async () => value),
  }
}

const tokenRequest = (
  { profile, baseUrl }: LoansContext,
  { token }: LoansProfile,
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
    url: baseUrl + addressOf(profile, 'loans.token', 'sandbox'),
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ...(isBasic ? [['Authorization', basic(clientId, clientSecret)] as const] : []),
    ],
    form: [...Object.entries(token.form), ...(isBasic ? [] : credentials)],
  }
}

const operationsWith = (
  { profile: target, baseUrl, http, driver, customer, random = chance }: LoansContext,
  profile: LoansProfile,
  bearer: () => Promise<string>,
): LoanOperations => {
  const { precalculation, submission, scenario } = profile
  const urlOf = (
    operation: 'precalculation' | 'submission' | 'scenario' | 'status' | 'cancellation',
  ): string => baseUrl + addressOf(target, `loans.${operation}`, 'sandbox')
  const selected = new Set<string>()

  const send = async (
    {
      body,
      ...request
    }: Pick<HttpRequest, 'operation' | 'method' | 'url' | 'form'> & { readonly body?: unknown },
    change: Change,
  ): Promise<Exchange> => {
    const mediaType =
      request.form === undefined
        ? body === undefined
          ? undefined
          : 'application/json'
        : 'application/x-www-form-urlencoded'
    const headers: Fields = [
      [profile.requestIdHeader, random.uuid()],
      ['Authorization', `Bearer ${await bearer()}`],
      ...(mediaType === undefined ? [] : [['Content-Type', mediaType] as const]),
    ]
    const text = body === undefined ? {} : { text: JSON.stringify(body) }
    return http.send(change({ ...request, sender: 'scenario', headers, ...text }))
  }

  const at = (path: string, id: string): string =>
    path.replaceAll('{application-id}', () => encodeURIComponent(id))

  const idOf = (answer: Exchange): string => applicationIdOf(answer, profile)

  /** The change to the submission for a target that takes the scenario there. */
  const patchFor = (chosen: LoanScenario): unknown =>
    scenario.kind === 'parameter' ? fill(scenario.patch, { scenario: scenario.values[chosen] }) : {}

  const submitFor = (
    chosen: LoanScenario,
    order: { readonly amount?: unknown },
    change: Change,
  ): Promise<Exchange> => {
    const values = { amount: ORDINARY_AMOUNT, orderNo: random.uuid(), ...order }
    const body = merge(fill(submission.body, withOtherAmounts(values)), patchFor(chosen))
    return send({ operation: 'applyForLoan', method: 'POST', url: urlOf('submission'), body }, change)
  }

  const sendSelection: LoanOperations['select'] = async (answer, chosen) => {
    if (scenario.kind === 'parameter')
      throw new NotReached('the submission itself selects the scenario (loans.scenario.kind "parameter")')
    const word = scenario.values[chosen]
    const isFirst = !selected.has(answer.id)
    selected.add(answer.id)
    if (scenario.kind === 'page')
      return selectOnPages({ http, driver, pages: scenario, submission: answer, word, customer, isFirst })
    const { link, query, form } = scenario
    const url = new URL(
      link === undefined
        ? filled(at(urlOf('scenario'), idOf(answer)), encodeURIComponent(word))
        : addressIn(answer, link, http.origins),
    )
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, filled(value, word))
    const method = methodOf(answer, scenario)
    const body = method === 'GET' ? undefined : fill(bodyOfCall(scenario), { scenario: word })
    return send(
      {
        operation: 'selectLoanScenario',
        method,
        url: url.href,
        ...(body !== undefined && { body }),
        ...(form !== undefined && {
          form: Object.entries(form).map(([name, value]) => [name, filled(value, word)] as const),
        }),
      },
      unchanged,
    )
  }

  const select: LoanOperations['select'] = async (answer, chosen) => {
    const selection = await sendSelection(answer, chosen)
    if (brokeDown(selection) || isTurnedAway(selection))
      throw new NotReached(
        `${selection.id} was answered with a server error or 429: no scenario was selected`,
      )
    return selection
  }

  return {
    idOf,
    select,

    precalculate({ amount, capacity }, change = unchanged) {
      const plain = fill(precalculation.body, withOtherAmounts({ amount }))
      const reported = capacity && withOtherAmounts(withOtherAmounts({ ...capacity }, 'income'), 'expenses')
      const body = reported === undefined ? plain : merge(plain, fill(precalculation.capacity, reported))
      return send(
        { operation: 'precalculateLoan', method: 'PUT', url: urlOf('precalculation'), body },
        change,
      )
    },

    submit: (order = {}, change = unchanged) => submitFor('client', order, change),

    async start(chosen, order = {}) {
      const answer = await submitFor(chosen, order, unchanged)
      const id = idOf(answer)
      const selection = scenario.kind === 'parameter' ? answer : await select(answer, chosen)
      return { id, submission: answer, selection }
    },

    status: (id, change = unchanged) =>
      send({ operation: 'readLoan', method: 'GET', url: at(urlOf('status'), id) }, change),

    cancel: (id, change = unchanged) =>
      send({ operation: 'cancelLoan', method: 'DELETE', url: at(urlOf('cancellation'), id) }, change),
  }
}
