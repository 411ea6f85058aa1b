import { Hono, type Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Clock } from './clock.ts'
import type { Customer, Ledger } from './ledger.ts'
import { addressOf, escaped, formOf, page, randomText, redirected, sameText } from './wire.ts'

/** The way of a customer through the pages of the bank: the login, then one decision. */

/** What a customer is asked for. */
export interface Errand {
  /** Whether the check box must be ticked. */
  mustTick: boolean
  /** The page of a reason why the errand does not go on; the customer is unknown before the login. */
  obstacle(customer: Customer | undefined): Response | undefined
  /** What is to be decided, in HTML. */
  question(customer: Customer): string
  decided(customer: Customer, agrees: boolean): Response
}

interface Visit {
  errand: Errand
  browser: string
  until: number
  customer?: Customer
}

const COOKIE = 'ferry-boarding'
const NO_FIELDS = new Map<string, string>()
const VISIT_MS = 30 * 60_000

export class Visits {
  readonly #visits = new Map<string, Visit>()
  readonly #browsers = new Set<string>()

  constructor(
    readonly base: string,
    readonly clock: Clock,
    readonly ledger: Ledger,
  ) {}

  /** Sends the browser to the pages. Its cookie keeps others from going on with the visit. */
  begin(context: Context, errand: Errand): Response {
    const known = getCookie(context, COOKIE) ?? ''
    const browser = this.#browsers.has(known) ? known : randomText()
    this.#browsers.add(browser)
    const id = randomText()
    this.#visits.set(id, { errand, browser, until: this.clock.now() + VISIT_MS })
    setCookie(context, COOKIE, browser, { path: this.base, httpOnly: true, sameSite: 'Lax' })
    return context.redirect(this.#addressOf(id), 303)
  }

  routes(): Hono {
    const routes = new Hono()
    routes
      .get('/boarding/:visit', (context) => {
        const id = context.req.param('visit')
        const visit = this.#find(context, id)
        return visit === undefined ? ended() : this.#shown(id, visit)
      })
      .post('/boarding/:visit', async (context) => {
        const form = await formOf(context)
        const id = context.req.param('visit')
        // Found only after the waiting, so that of two decisions at the same moment one counts.
        const visit = this.#find(context, id)
        return visit === undefined ? ended() : this.#answered(id, visit, form?.values ?? NO_FIELDS)
      })
    return routes
  }

  #addressOf(id: string): string {
    return addressOf(`${this.base}/boarding/${id}`)
  }

  #find(context: Context, id: string): Visit | undefined {
    const visit = this.#visits.get(id)
    const isOwn = visit !== undefined && sameText(getCookie(context, COOKIE) ?? '', visit.browser)
    return isOwn && this.clock.now() < visit.until ? visit : undefined
  }

  #shown(id: string, { errand, customer }: Visit, hint = ''): Response {
    const obstacle = errand.obstacle(customer)
    if (obstacle !== undefined) return obstacle
    const [title, before, fields] = customer === undefined ? LOGIN : decisionOf(errand, customer)
    const form = `<form method="post" action="${escaped(this.#addressOf(id))}">${fields}</form>`
    return page(200, title, `${before}${hint === '' ? '' : `<p role="alert">${hint}</p>`}${form}`)
  }

  #answered(id: string, visit: Visit, form: Map<string, string>): Response {
    const { errand, customer } = visit
    const obstacle = errand.obstacle(customer)
    if (obstacle !== undefined) return obstacle
    if (customer === undefined) {
      const named = this.ledger.customers.find(({ name }) => name === form.get('name'))
      if (named === undefined || !sameText(form.get('word') ?? '', named.word))
        return this.#shown(id, visit, 'The name or the word is wrong.')
      visit.customer = named
      return redirected(this.#addressOf(id))
    }
    const leaves = form.has('leave')
    if (!leaves && !form.has('go')) return this.#shown(id, visit)
    if (!leaves && errand.mustTick && !form.has('agree'))
      return this.#shown(id, visit, 'Please tick the box first.')
    this.#visits.delete(id)
    return errand.decided(customer, !leaves)
  }
}

type Step = [title: string, before: string, fields: string]

const LOGIN: Step = [
  'Come aboard',
  '',
  '<p><label>Name <input name="name" autocomplete="username"></label></p>' +
    '<p><label>Word <input name="word" type="password" autocomplete="current-password"></label></p>' +
    '<p><button id="aboard">Aboard</button></p>',
]

const decisionOf = (errand: Errand, customer: Customer): Step => [
  'Your decision',
  errand.question(customer),
  (errand.mustTick
    ? '<p><label><input type="checkbox" name="agree" value="yes"> I agree to this.</label></p>'
    : '') +
    '<p><button name="go" value="yes">Go</button> <button name="leave" value="yes">Leave</button></p>',
]

const ended = (): Response =>
  page(410, 'This visit has ended', '<p>Please start again at the application.</p>')
