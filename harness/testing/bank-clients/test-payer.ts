/** An application that initiates payments, and its customer, for the tests of the bank. */
import type { Bank } from '../../bank/bank.ts'
import type { EnvironmentName } from '../../bank/base-paths.ts'
import { type Client, PAYMENT_ACCOUNTS } from '../../bank/seed-data.ts'
import { aClient, basic, TestClient, type CustomerInput } from './test-client.ts'

export type Members = Readonly<Record<string, unknown>>

/** A payment status record, and the HTTP status of its answer. */
interface PaymentAnswer {
  readonly http: number
  readonly orderId: string
  readonly status: string
  readonly statusDateTime: string
  readonly reasonCode?: string
  readonly additionalInformation?: string
  readonly errorCode?: string
}

const answerIn = async (response: Response): Promise<PaymentAnswer> => ({
  ...((await response.json()) as Omit<PaymentAnswer, 'http'>),
  http: response.status,
})

/** The number of orders, which makes their identifications unique. */
let orders = 0

export class TestPayer {
  readonly base: string
  readonly oauth: string
  readonly customer: TestClient
  readonly #bank: Bank
  readonly #client: Client
  #token: string | undefined

  constructor(bank: Bank, environment: EnvironmentName = 'sandbox', client = aClient('TPP')) {
    const root = environment === 'sandbox' ? 'http://bank.test/sandbox' : 'http://bank.test'
    this.base = `${root}/api/v1/payments`
    this.oauth = `${root}/auth/oauth/v2`
    this.customer = new TestClient({ fetch: bank.fetch, environment, client })
    this.#bank = bank
    this.#client = client
  }

  fetch(address: string, init: RequestInit = {}): Promise<Response> {
    return this.#bank.fetch(new Request(address, { redirect: 'manual', ...init }))
  }

  askToken(form: Readonly<Record<string, string>>): Promise<Response> {
    const headers = { authorization: basic(this.#client) }
    return this.fetch(`${this.oauth}/token`, { method: 'POST', headers, body: new URLSearchParams(form) })
  }

  async token(): Promise<string> {
    if (this.#token === undefined) {
      const response = await this.askToken({ grant_type: 'client_credentials', scope: 'PISP' })
      this.#token = ((await response.json()) as { access_token: string }).access_token
    }
    return this.#token
  }

  /** Sends a request with this token; default: a token of the client. */
  async call(path: string, body?: unknown, token?: string): Promise<Response> {
    const authorization = `Bearer ${token ?? (await this.token())}`
    const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    return this.fetch(`${this.base}/${path}`, {
      method: path.endsWith('/status') ? 'GET' : 'POST',
      headers: { authorization, 'request-id': 'request-1' },
      ...init,
    })
  }

  order(changes: Members = {}): Members {
    orders += 1
    return {
      instructionIdentification: `INSTRUCTION-${orders}`,
      creationDateTime: this.#bank.clock.now().toISOString(),
      debtor: PAYMENT_ACCOUNTS.debtor,
      creditor: PAYMENT_ACCOUNTS.creditor,
      instructedAmount: { value: 12.34, currency: 'EUR' },
      endToEndIdentification: `END-TO-END-${orders}`,
      remittanceInformation: 'Invoice 17',
      ...changes,
    }
  }

  async initiate(changes: Members = {}, method = 'ecomm'): Promise<PaymentAnswer> {
    return answerIn(await this.call(`${method}/sba`, this.order(changes)))
  }

  async status({ orderId }: Pick<PaymentAnswer, 'orderId'>): Promise<PaymentAnswer> {
    return answerIn(await this.call(`${encodeURIComponent(orderId)}/status`))
  }

  /** The token that submits the payment; undefined if the customer did not authorize it. */
  async authorize(
    { orderId }: Pick<PaymentAnswer, 'orderId'>,
    input: CustomerInput = {},
  ): Promise<string | undefined> {
    const path = this.customer.authorizePath({ scope: 'PISP' }).replace('auth/oauth/v2', this.oauth)
    const { parameters } = await this.customer.walk(`${path}&orderId=${encodeURIComponent(orderId)}`, input)
    if (parameters['code'] === undefined) return undefined
    const response = await this.askToken({
      grant_type: 'authorization_code',
      code: parameters['code'],
      scope: 'PISP',
      code_verifier: this.customer.verifier,
      redirect_uri: this.customer.redirectUri,
    })
    return ((await response.json()) as { access_token: string }).access_token
  }

  async submit(token: string | undefined): Promise<PaymentAnswer> {
    return answerIn(await this.call('submission', undefined, token))
  }

  /** Initiates, authorizes and submits a payment. */
  async pay(changes: Members = {}, method?: string): Promise<PaymentAnswer> {
    const payment = await this.initiate(changes, method)
    return this.submit(await this.authorize(payment))
  }
}
