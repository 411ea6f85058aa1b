import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { Hono } from 'hono'
import { CUSTOMERS, type Customer } from './seed-data.ts'
import {
  type Call,
  type Html,
  type Served,
  formOf,
  leave,
  only,
  page,
  randomToken,
  sameText,
} from './wire.ts'

/** The visits of customers: a login, a question, a decision. */

export interface Question {
  title: string
  facts: Html
  /** The name of both buttons, and their values. */
  button: string
  yes: string
  no: string
}

/** What comes next: a question, a way to another address, or the end. */
export type Step =
  { ask: Question } | { leave: string; more: Record<string, string | undefined> } | { gone: string }

/** What a customer logs in for. */
export interface Errand {
  ask(customer: Customer): Step
  decide(customer: Customer, yes: boolean): Step
}

interface Visit {
  errand: Errand
  /** The browser that began the visit: nobody else can go on with it. */
  browser: string
  customer?: Customer
  ended: boolean
}

const BROWSER = 'lock-browser'

export class Visits {
  readonly #visits = new Map<string, Visit>()

  /** @param base the address below which the pages are. */
  constructor(readonly base: string) {}

  begin(call: Call, errand: Errand): Response {
    const browser = getCookie(call, BROWSER) || randomToken()
    setCookie(call, BROWSER, browser, { httpOnly: true, sameSite: 'Lax', path: '/' })
    const id = randomToken()
    this.#visits.set(id, { errand, browser, ended: false })
    return leave(call, `${this.base}/visits/${id}`)
  }

  serve(app: Hono<Served>): void {
    app.get('/visits/:id', (call) => this.#visited(call, (visit) => this.#show(call, visit)))
    app.post('/visits/:id', (call) =>
      this.#visited(call, (visit, form) =>
        visit.customer === undefined
          ? this.#login(call, visit, form)
          : this.#decide(call, visit, visit.customer, form),
      ),
    )
    app.all('/visits/:id', only('GET, HEAD, POST'))
  }

  async #visited(
    call: Call,
    go: (visit: Visit, form: URLSearchParams) => Response | Promise<Response>,
  ): Promise<Response> {
    const form = await formOf(call)
    const visit = this.#visits.get(call.req.param('id') ?? '')
    if (visit === undefined) return page(call, 404, 'Unknown page', html`<p>There is no such login.</p>`)
    if (!sameText(getCookie(call, BROWSER) ?? '', visit.browser))
      return page(call, 403, 'Another browser', html`<p>This login was begun in another browser.</p>`)
    if (visit.ended) return gone(call, 'This login has ended.')
    return go(visit, form)
  }

  #show(call: Call, visit: Visit): Response | Promise<Response> {
    if (visit.customer === undefined) return loginPage(call, false)
    return this.#next(call, visit, visit.errand.ask(visit.customer))
  }

  #login(call: Call, visit: Visit, form: URLSearchParams): Response | Promise<Response> {
    const customer = CUSTOMERS.find(({ name }) => name === form.get('customer'))
    if (customer === undefined || !sameText(form.get('pin') ?? '', customer.pin)) return loginPage(call, true)
    visit.customer = customer
    return leave(call, call.req.path)
  }

  #decide(call: Call, visit: Visit, customer: Customer, form: URLSearchParams): Response | Promise<Response> {
    const step = visit.errand.ask(customer)
    const chosen = 'ask' in step ? form.get(step.ask.button) : null
    // Only one of the two buttons is a decision; anything else shows the question again.
    if (!('ask' in step) || (chosen !== step.ask.yes && chosen !== step.ask.no))
      return this.#next(call, visit, step)
    return this.#next(call, visit, visit.errand.decide(customer, chosen === step.ask.yes))
  }

  #next(call: Call, visit: Visit, step: Step): Response | Promise<Response> {
    if ('ask' in step) return questionPage(call, step.ask)
    visit.ended = true
    return 'gone' in step ? gone(call, step.gone) : leave(call, step.leave, step.more)
  }
}

export const gone = (call: Call, why: string): Promise<Response> =>
  page(call, 410, 'Nothing to decide', html`<p>${why}</p>`)

const loginPage = (call: Call, refused: boolean): Promise<Response> =>
  page(
    call,
    refused ? 401 : 200,
    'Log in',
    html`${refused ? html`<p role="alert">The name or the pin is wrong.</p>` : ''}
      <form method="post">
        <p>
          <label>Customer <input name="customer" autocomplete="username" /></label>
        </p>
        <p>
          <label>Pin <input name="pin" type="password" autocomplete="current-password" /></label>
        </p>
        <p><button id="enter">Enter</button></p>
      </form>`,
    refused ? { 'WWW-Authenticate': 'Form realm="lock"' } : {},
  )

const questionPage = (call: Call, { title, facts, button, yes, no }: Question): Promise<Response> =>
  page(
    call,
    200,
    title,
    html`${facts}
      <form method="post">
        <p>
          <button name="${button}" value="${yes}">${yes}</button>
          <button name="${button}" value="${no}">${no}</button>
        </p>
      </form>`,
  )
