import { NotReached } from '../../evidence/signals.ts'
import { fieldOf, jsonOf, need } from '../../evidence/record/answer.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { LoansProfile } from '../../profile/schema/loans.ts'
import type { CustomerProfile } from '../../profile/schema.ts'
import type { PageRecipe } from '../../profile/schema/authorization.ts'
import type { Http } from '../http/http.ts'
import type { HttpRequest } from '../http/request.ts'
import type { AuthorizationDriver } from '../authorization/driver.ts'

/** Selects the scenario of a loan application on pages that the answer to the submission links to. */

type Pages = Extract<LoansProfile['scenario'], { kind: 'page' }>

export interface PageVisit {
  readonly http: Http
  readonly driver: AuthorizationDriver
  readonly pages: Pages
  /** The answer that has the link. */
  readonly submission: Exchange
  /** The target's word for the scenario. */
  readonly word: string
  readonly customer: CustomerProfile | undefined
  /** Whether the pages must be those of the recipe: at a second visit a target may show others. */
  readonly isFirst: boolean
}

/** A selector that finds nothing: these pages show no code. */
const NOTHING = ':not(*)'

/** Used if the profile has no customer: nothing is typed. */
const NOBODY: CustomerProfile = { name: 'nobody', username: '', password: '', accounts: [] }

const filled = (text: string, word: string): string => text.replaceAll('{scenario}', () => word)

/** Escapes a word for a quoted string in a selector. */
const quoted = (word: string): string => word.replaceAll(/["\\]/g, (character) => `\\${character}`)

const recipeOf = ({ pages, limit }: Pages, word: string): PageRecipe => ({
  code: NOTHING,
  limit,
  pages: pages.map(({ when, fill, tick, press }) => ({
    when: filled(when, quoted(word)),
    fill: Object.fromEntries(
      Object.entries(fill).map(([selector, text]) => [filled(selector, quoted(word)), filled(text, word)]),
    ),
    tick: tick?.map((selector) => filled(selector, quoted(word))),
    press: filled(press, quoted(word)),
  })),
})

/** Sends every request as part of the selection. */
const selecting = (http: Http): Http => ({
  ...http,
  send: (request, ...rest) => http.send({ ...request, operation: 'selectLoanScenario' }, ...rest),
})

/**
 * Returns the exchange of the last page.
 * @throws NotReached if the answer has no link, or the link leads to a page that the recipe does not know.
 */
export const selectOnPages = async (visit: PageVisit): Promise<Exchange> => {
  const { http, driver, pages, submission, word, customer = NOBODY } = visit
  const link = need(submission, fieldOf(jsonOf(submission), pages.link), `a link (${pages.link})`)
  if (!URL.canParse(link, submission.request.url))
    throw new NotReached(`${submission.id} answered a link that is no URL (${pages.link})`)
  const request: HttpRequest = {
    operation: 'selectLoanScenario',
    sender: 'customer',
    method: 'GET',
    url: new URL(link, submission.request.url).href,
    headers: [],
  }
  const { origin } = new URL(request.url)
  if (!http.origins.includes(origin))
    throw new NotReached(
      `the link of ${submission.id} leads to ${origin}; if it is the bank's, add it to \`origins\``,
    )
  const { exchange, acted } = await driver.walk(
    {
      http: selecting(http),
      recipe: recipeOf(pages, word),
      customer,
      decision: 'grant',
      redirectUri: request.url,
    },
    request,
  )
  const { response } = exchange
  if (visit.isFirst && acted.length === 0 && response !== undefined && response.status < 400)
    throw new NotReached(`${exchange.id} is no page that the recipe knows (loans.scenario.pages)`)
  return exchange
}
