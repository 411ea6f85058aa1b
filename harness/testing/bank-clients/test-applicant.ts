/** An application that submits loan applications, for the tests of the bank. */
import { load } from 'cheerio'
import type { Bank } from '../../bank/bank.ts'
import type { Scenario } from '../../bank/rules/loan.ts'
import type { Client } from '../../bank/seed-data.ts'
import { aClient } from './test-client.ts'

type Members = Readonly<Record<string, unknown>>

/** The body of a loan answer, and its HTTP status. */
export interface LoanAnswer {
  readonly http: number
  readonly applicationId: string
  readonly applicationProcessUrl: string
  readonly applicationStatus: string
  readonly resultCode?: string
  readonly errorCode?: string
}

/** The content of a page. */
interface Page {
  readonly http: number
  readonly title: string
  /** The address to which its form is sent; empty if it has none. */
  readonly action: string
  /** The parameters of its buttons, as `name=value`. */
  readonly buttons: readonly string[]
  readonly alert: string
}

const answerIn = async (response: Response): Promise<LoanAnswer> => {
  const text = await response.text()
  return { ...(text === '' ? {} : (JSON.parse(text) as Members)), http: response.status } as LoanAnswer
}

const BASE = 'http://bank.test/paylater/sandbox'

export class TestApplicant {
  readonly #bank: Bank
  readonly #client: Client
  #token: string | undefined

  constructor(bank: Bank, client = aClient('FAC')) {
    this.#bank = bank
    this.#client = client
  }

  async token(): Promise<string> {
    if (this.#token !== undefined) return this.#token
    const { clientId: client_id, secret: client_secret } = this.#client
    const form = { grant_type: 'client_credentials', scope: 'PAY_LATER', client_id, client_secret }
    const body = new URLSearchParams(form)
    const response = await this.#send('auth/oauth/v2/token', { method: 'POST', body })
    this.#token = ((await response.json()) as { access_token: string }).access_token
    return this.#token
  }

  async #call(method: string, path: string, body?: unknown): Promise<Response> {
    const authorization = `Bearer ${await this.token()}`
    const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    return this.#send(path, { method, headers: { authorization, 'x-request-id': 'request-1' }, ...init })
  }

  async precalculate(body: unknown): Promise<Response> {
    return this.#call('PUT', 'v1/applications/precalculation', body)
  }

  async submit(members: Members = {}): Promise<LoanAnswer> {
    const order = { orderNo: 'ORDER-1', totalAmount: 250 }
    return answerIn(
      await this.#call('POST', 'v1/applications', { financeApplication: { order }, ...members }),
    )
  }

  async select({ applicationId }: Pick<LoanAnswer, 'applicationId'>, scenario: unknown): Promise<LoanAnswer> {
    return answerIn(await this.#call('PUT', `v1/applications/${applicationId}/scenario`, { scenario }))
  }

  /** Submits an application with a scenario. */
  async start(scenario: Scenario): Promise<LoanAnswer> {
    return this.submit({ scenario })
  }

  async status({ applicationId }: Pick<LoanAnswer, 'applicationId'>): Promise<LoanAnswer> {
    return answerIn(await this.#call('GET', `v1/applications/${encodeURIComponent(applicationId)}/status`))
  }

  async cancel({ applicationId }: Pick<LoanAnswer, 'applicationId'>): Promise<LoanAnswer> {
    return answerIn(await this.#call('DELETE', `v1/applications/${encodeURIComponent(applicationId)}`))
  }

  /** The page of an application. */
  async page({ applicationProcessUrl }: LoanAnswer): Promise<Page> {
    return this.#load(new Request(applicationProcessUrl))
  }

  /** Sends the form of a page with this button (`name=value`), which the page need not have. @returns the next page. */
  async press({ applicationProcessUrl }: LoanAnswer, { action }: Page, button: string): Promise<Page> {
    const address = new URL(action, applicationProcessUrl)
    return this.#load(new Request(address, { method: 'POST', body: new URLSearchParams(button) }))
  }

  async #load(request: Request): Promise<Page> {
    const response = await this.#bank.fetch(request)
    const location = response.headers.get('location')
    if (location !== null) return this.#load(new Request(new URL(location, request.url)))
    const $ = load(await response.text())
    const buttons = $('button').map((_, button) => `${$(button).attr('name')}=${$(button).attr('value')}`)
    return {
      http: response.status,
      title: $('h1').text(),
      action: $('form').attr('action') ?? '',
      buttons: buttons.get(),
      alert: $('[role=alert]').text(),
    }
  }

  #send(path: string, init: RequestInit): Promise<Response> {
    return this.#bank.fetch(new Request(`${BASE}/${path}`, init))
  }
}
