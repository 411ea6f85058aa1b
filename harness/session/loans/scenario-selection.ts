import { addressIn, brokeDown, fieldOf, isTurnedAway, jsonOf, need } from '../../evidence/record/answer.ts'
import { applicationIdOf } from '../../evidence/record/loan-application.ts'
import { NotReached } from '../../evidence/signals.ts'
import { NOTHING, type PageRecipe } from '../../profile/schema/authorization.ts'
import { bodyOfCall, type LoansProfile } from '../../profile/schema/loans.ts'
import { method } from '../../profile/schema/primitives.ts'
import { fill, fillSelector } from '../../profile/template.ts'
import { NO_REDIRECT_URI } from '../authorization/page-navigation.ts'
import { pageRequest } from '../http/request.ts'
import { asStepOf, urlOf, type FlowContext } from '../target.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { CustomerProfile } from '../../profile/schema.ts'
import type { LoanScenario, SendLoanRequest } from './loan-requests.ts'

/** Selects the scenario of a submitted loan application: on pages that the answer links to, or with a call. */

type Pages = Extract<LoansProfile['scenario'], { kind: 'page' }>
type Call = Extract<LoansProfile['scenario'], { kind: 'call' }>

const METHODS: readonly string[] = method.options

/** Used if the profile has no customer: nothing is typed. */
const NO_CUSTOMER: CustomerProfile = { name: 'no customer', username: '', password: '', accounts: [] }

type Select = (submission: Exchange, scenario: LoanScenario) => Promise<Exchange>

export const createScenarioSelection = (
  context: FlowContext,
  profile: LoansProfile,
  send: SendLoanRequest,
): Select => {
  const { scenario } = profile
  const selected = new Set<string>()

  const ask: Select = async (submission, chosen) => {
    if (scenario.kind === 'parameter')
      throw new NotReached('the submission itself selects the scenario (loans.scenario.kind "parameter")')
    const word = scenario.values[chosen]
    const isFirst = !selected.has(submission.id)
    selected.add(submission.id)
    return scenario.kind === 'page'
      ? selectOnPages(context, scenario, { submission, word, isFirst })
      : send(callFor(context, profile, scenario, { submission, word }))
  }

  return async (submission, chosen) => {
    const selection = await ask(submission, chosen)
    if (brokeDown(selection) || isTurnedAway(selection))
      throw new NotReached(
        `${selection.id} was answered with a server error or 429: no scenario was selected`,
      )
    return selection
  }
}

interface Selection {
  /** The answer that has the link, or the id. */
  readonly submission: Exchange
  /** The target's word for the scenario. */
  readonly word: string
}

interface PageSelection extends Selection {
  /** Whether the pages must be those of the recipe: the second time a target may show others. */
  readonly isFirst: boolean
}

/**
 * Returns the exchange of the last page.
 * @throws NotReached if the answer has no link, or the link leads to a page that the recipe does not know.
 */
const selectOnPages = async (
  { http, driver, customer = NO_CUSTOMER }: FlowContext,
  pages: Pages,
  { submission, word, isFirst }: PageSelection,
): Promise<Exchange> => {
  const { exchange, acted } = await driver.walk(
    {
      http: asStepOf(http, 'selectLoanScenario'),
      recipe: recipeOf(pages, word),
      customer,
      decision: 'grant',
      redirectUri: NO_REDIRECT_URI,
    },
    pageRequest('selectLoanScenario', addressIn(submission, pages.link, http.origins)),
  )
  const { response } = exchange
  if (isFirst && acted.length === 0 && response !== undefined && response.status < 400)
    throw new NotReached(`${exchange.id} is not a page of the recipe (loans.scenario.pages)`)
  return exchange
}

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

const callFor = (
  context: FlowContext,
  profile: LoansProfile,
  scenario: Call,
  { submission, word }: Selection,
): Parameters<SendLoanRequest>[0] => {
  const { link, query, form } = scenario
  const url = new URL(
    link === undefined
      ? urlOf(context, 'loans.scenario', {
          environment: 'sandbox',
          values: { 'application-id': applicationIdOf(submission, profile), scenario: word },
        })
      : addressIn(submission, link, context.http.origins),
  )
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, filled(value, word))
  const method = methodOf(submission, scenario)
  const body = method === 'GET' ? undefined : fill(bodyOfCall(scenario), { scenario: word })
  return {
    operation: 'selectLoanScenario',
    method,
    url: url.href,
    ...(body !== undefined && { body }),
    ...(form !== undefined && {
      form: Object.entries(form).map(([name, value]) => [name, filled(value, word)] as const),
    }),
  }
}

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
