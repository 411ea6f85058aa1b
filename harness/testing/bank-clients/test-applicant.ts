/** An application that submits loan applications, for the tests of the bank. */
import { load } from 'cheerio'
import type { Bank } from '../../bank/bank.ts'
import type { Scenario } from '../../bank/loans/loan.ts'
import type { Client } from '../../bank/seed-data.ts'
import { aClient, basic } from './test-client.ts'

export type Members = Readonly<Record<string, unknown>>

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
export interface Page {
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

  /** Requests a token with the credentials in the form. */
  askToken(form: Readonly<Record<string, string>> = {}): Promise<Response> {
    const { clientId, secret } = this.#client
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'PAY_LATER',
      client_id: clientId,
      client_secret: secret,
      ...form,
    })
    return this.#send('auth/oauth/v2/token', { method: 'POST', body })
  }

  /** Requests a token with the credentials in the header. */
  askTokenByHeader(client: Pick<Client, 'clientId' | 'secret'> = this.#client): Promise<Response> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'PAY_LATER' })
    return this.#send('auth/oauth/v2/token', {
      method: 'POST',
      headers: { authorization: basic(client) },
      body,
    })
  }

  async token(): Promise<string> {
    if (this.#token === undefined) {
      this.#token = ((await (await this.askToken()).json()) as { access_token: string }).access_token
    }
    return this.#token
  }

  /** Sends a request with this token; default: a new token of the client. */
  async call(method: string, path: string, body?: unknown, token?: string): Promise<Response> {
    const authorization = `Bearer ${token ?? (await this.token())}`
    const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    return this.#send(path, { method, headers: { authorization, 'x-request-id': 'request-1' }, ...init })
  }

  async precalculate(body: unknown): Promise<Response> {
    return this.call('PUT', 'v1/applications/precalculation', body)
  }

  async submit(changes: Members = {}, members: Members = {}): Promise<LoanAnswer> {
    const order = { orderNo: 'ORDER-1', totalAmount: 250, ...changes }
    return answerIn(await this.call('POST', 'v1/applications', { financeApplication: { order }, ...members }))
  }

  async select({ applicationId }: Pick<LoanAnswer, 'applicationId'>, scenario: unknown): Promise<LoanAnswer> {
    return answerIn(await this.call('PUT', `v1/applications/${applicationId}/scenario`, { scenario }))
  }

  /** Submits an application with a scenario. */
  async start(scenario: Scenario): Promise<LoanAnswer> {
    return this.submit({}, { scenario })
  }

  async status({ applicationId }: Pick<LoanAnswer, 'applicationId'>): Promise<LoanAnswer> {
    return answerIn(await this.call('GET', `v1/applications/${encodeURIComponent(applicationId)}/status`))
  }

  async cancel({ applicationId }: Pick<LoanAnswer, 'applicationId'>): Promise<LoanAnswer> {
    return answerIn(await this.call('DELETE', `v1/applications/${encodeURIComponent(applicationId)}`))
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
