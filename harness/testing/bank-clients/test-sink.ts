/** A bank whose webhook calls are stored in a list, for the tests of the bank. */
import { createBank, type Bank, type BankOptions } from '../../bank/bank.ts'
import { MINUTE } from '../../bank/rules/facts.ts'
import type { Account, Client } from '../../bank/seed-data.ts'
import { aClient, aCustomer, TestClient } from './test-client.ts'

interface Received {
  readonly at: Date
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  readonly body: unknown
}

export const SINK = 'https://sink.example/hooks'

interface Change {
  readonly enabled?: boolean
  readonly url?: string
  readonly securityHeader?: string
}

export interface SinkOptions extends Omit<BankOptions, 'deliver'> {
  /** The application's answer to the call of this number, counted from 1. */
  readonly answer?: (call: number) => Promise<Response> | Response
  /** Whether calls are sent over the network and not stored. */
  readonly byNetwork?: boolean
}

const noContent = (): Response => new Response(null, { status: 204 })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export class BankWithSink {
  readonly bank: Bank
  readonly received: Received[] = []

  constructor({ answer = noContent, byNetwork = false, ...options }: SinkOptions = {}) {
    const deliver = async (request: Request): Promise<Response> => {
      await this.#receive(request)
      return answer(this.received.length)
    }
    this.bank = createBank({ ...options, ...(!byNetwork && { deliver }) })
  }

  async #receive(request: Request): Promise<void> {
    const bytes = new Uint8Array(await request.arrayBuffer())
    const text = new TextDecoder().decode(bytes)
    const { method, url, headers } = request
    const at = this.bank.clock.now()
    this.received.push({ at, method, url, headers, bytes, text, body: parsed(text) })
  }

  get bodies(): unknown[] {
    return this.received.map(({ body }) => body)
  }

  get times(): string[] {
    return this.received.map(({ at }) => at.toISOString().slice(11, 19))
  }

  pull(method: string, path: string, body?: unknown): Promise<Response> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
    return this.bank.fetch(new Request(`http://bank.test/_test-hooks/${path}`, init))
  }

  configure({ clientId }: Client, change: Change = {}): Promise<Response> {
    const settings = { enabled: true, url: SINK, securityHeader: '', ...change }
    return this.pull('PUT', `webhooks/${clientId}`, settings)
  }

  async book({ iban }: Account, amount = -12.5): Promise<void> {
    await this.pull('POST', 'bookings', { iban, amount })
  }

  async revoke(consentId: string): Promise<void> {
    await this.pull('POST', 'consents/revoke', { consentId })
  }

  async pass(ms: number): Promise<void> {
    await this.bank.clock.advance(ms)
  }

  /** A grant to an application with active webhooks; default: of the first customer to a TPP. */
  async subscribe({
    client = aClient('TPP'),
    customer = aCustomer(),
    change = {},
  } = {}): Promise<Subscription> {
    const application = new TestClient({ fetch: this.bank.fetch, client })
    const { access_token } = await application.obtainTokens({ customer })
    await this.configure(client, change)
    await this.pass(60 * MINUTE)
    return { application, token: access_token, consentId: application.scope.slice('PREMIUM_AIS:'.length) }
  }
}

export interface Subscription {
  readonly application: TestClient
  readonly token: string
  readonly consentId: string
}

export const refresh = (
  { application, token }: Pick<Subscription, 'application' | 'token'>,
  init: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> =>
  application.send('refresh', {
    method: 'PUT',
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  })

/** The account with this name; default: of the first customer. */
export const anAccount = (name: string, place = 0): Account => {
  const account = aCustomer(place).accounts.find((candidate) => candidate.name === name)
  if (!account) throw new Error(`no account is called ${name}`)
  return account
}
