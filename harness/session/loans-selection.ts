import { NotReached } from '../evidence/signals.ts'
import { fieldOf, jsonOf, need } from './answer.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { LoansProfile } from '../profile/loans.ts'
import type { CustomerProfile, PageRecipe } from '../profile/schema.ts'
import type { Http } from './http.ts'
import type { HttpRequest } from './request.ts'
import type { Way } from './way.ts'

/** The selection of a scenario on the pages behind the answer to a submission. */

type Pages = Extract<LoansProfile['scenario'], { kind: 'page' }>

export interface PageVisit {
  readonly http: Http
  readonly way: Way
  readonly pages: Pages
  /** The answer that the link stands in. */
  readonly submission: Exchange
  /** The target's word for the scenario. */
  readonly word: string
  readonly customer: CustomerProfile | undefined
  /** Whether the pages must be those of the recipe: a target may well show others to who comes a second time. */
  readonly isFirst: boolean
}

/** No element: there is no code to be read on these pages. */
const NOTHING = ':not(*)'

/** A browser without a customer types nobody's name. */
const NOBODY: CustomerProfile = { name: 'nobody', username: '', password: '', accounts: [] }

const filled = (text: string, word: string): string => text.replaceAll('{scenario}', () => word)

/** A word in a selector stands in quotes. */
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

/** Each page is a step of the selection. */
const selecting = (http: Http): Http => ({
  ...http,
  send: (request, ...rest) => http.send({ ...request, operation: 'selectLoanScenario' }, ...rest),
})

/**
 * The last page of the selection.
 * @throws NotReached where the answer has no link, or the link leads to no page that the recipe knows.
 */
export const selectOnPages = async (visit: PageVisit): Promise<Exchange> => {
  const { http, way, pages, submission, word, customer = NOBODY } = visit
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
  const { exchange, acted } = await way.walk(
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
