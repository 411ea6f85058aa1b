/** An application and its customer, for the tests of the bank. They use only the interface. */
import { createHash, randomBytes } from 'node:crypto'
import { load } from 'cheerio'
import type { EnvironmentName } from '../../bank/base-paths.ts'
import type { Exchange } from '../../bank/defect.ts'
import { type Client, type Customer, seedData } from '../../bank/seed-data.ts'

export const aClient = (kind: Client['kind'], place = 0): Client => {
  const client = seedData.clients.filter((candidate) => candidate.kind === kind)[place]
  if (!client) throw new Error(`no ${kind} at place ${place}`)
  return client
}

export const aCustomer = (place = 0): Customer => {
  const customer = seedData.customers[place]
  if (!customer) throw new Error(`no customer at place ${place}`)
  return customer
}

export const basic = ({ clientId, secret }: Pick<Client, 'clientId' | 'secret'>): string =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

/** Parameters to set, or to remove if undefined. */
type Changes = Readonly<Record<string, string | undefined>>

const withChanges = (usual: Readonly<Record<string, string>>, changes: Changes): URLSearchParams => {
  const entries = Object.entries({ ...usual, ...changes })
  return new URLSearchParams(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** The answer to the application: the query of a redirect, or the content of the result screen. */
interface Returned {
  readonly response: Response
  readonly location: string | undefined
  readonly parameters: Readonly<Record<string, string>>
  readonly shown: string
}

export interface TokenSet {
  readonly access_token: string
  readonly refresh_token: string
}

export interface CustomerInput {
  readonly customer?: Customer
  readonly password?: string
  readonly decision?: 'grant' | 'deny'
  /** The accounts to select, by accountId; default: the preselection of the page. */
  readonly ticks?: readonly string[]
}

interface TestClientOptions {
  readonly fetch: Exchange
  readonly origin?: string
  readonly environment?: EnvironmentName
  readonly client?: Client
}

export class TestClient {
  readonly client: Client
  readonly base: string
  readonly redirectUri: string
  readonly verifier = randomBytes(32).toString('base64url')
  scope = 'PREMIUM_AIS'
  readonly #fetch: Exchange
  readonly #cookies = new Map<string, string>()

  constructor({ fetch, origin = 'http://bank.test', environment = 'sandbox', client }: TestClientOptions) {
    this.client = client ?? aClient('FAC')
    this.base = `${origin}/premium/${environment}`
    this.redirectUri = this.client.redirectUris[0] ?? ''
    this.#fetch = fetch
  }

  send(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#fetch(new Request(new URL(path, `${this.base}/`), { redirect: 'manual', ...init }))
  }

  async createConsent(): Promise<string> {
    const response = await this.send('v1/consents', {
      method: 'POST',
      headers: { authorization: basic(this.client), 'x-request-id': 'request-1' },
    })
    const { consentId } = (await response.json()) as { consentId: string }
    this.scope = `PREMIUM_AIS:${consentId}`
    return consentId
  }

  authorizePath(changes: Changes = {}): string {
    const usual = {
      client_id: this.client.clientId,
      response_type: 'code',
      redirect_uri: this.redirectUri,
      scope: this.scope,
      state: 'state-1',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    return `auth/oauth/v2/authorize?${withChanges(usual, changes).toString()}`
  }

  /** Sends an authorization request and completes its pages. */
  async authorize(changes: Changes = {}, input: CustomerInput = {}): Promise<Returned> {
    return this.walk(`${this.base}/${this.authorizePath(changes)}`, input)
  }

  /** Completes the pages from this address on. */
  async walk(start: string, input: CustomerInput): Promise<Returned> {
    let address = start
    let response = await this.#browse(address)
    for (let pages = 0; pages < 12; pages += 1) {
      const location = response.headers.get('location')
      if (location !== null) {
        const next = new URL(location, address)
        if (next.origin !== new URL(this.base).origin) return returnedTo(response, next)
        address = next.href
        response = await this.#browse(address)
        continue
      }
      const markup = await response.text()
      const filled = fillForm(markup, input)
      if (!filled) return returnedOn(response, markup)
      address = new URL(filled.action, address).href
      response = await this.#browse(address, { method: 'POST', body: filled.fields })
    }
    throw new Error('the pages of the authorization do not end')
  }

  async #browse(address: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.send(address, { ...init, headers: cookie === '' ? {} : { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }

  token(form: URLSearchParams, authorization: string | undefined = basic(this.client)): Promise<Response> {
    return this.send('auth/oauth/v2/token', { method: 'POST', headers: { authorization }, body: form })
  }

  exchange(code: string | undefined, changes: Changes = {}): Promise<Response> {
    const usual = {
      grant_type: 'authorization_code',
      code: code ?? '',
      scope: this.scope,
      code_verifier: this.verifier,
      redirect_uri: this.redirectUri,
    }
    return this.token(withChanges(usual, changes))
  }

  renew(refreshToken: string, changes: Changes = {}): Promise<Response> {
    return this.token(withChanges({ grant_type: 'refresh_token', refresh_token: refreshToken }, changes))
  }

  /** Obtains tokens, with a consent if the client needs one. */
  async obtainTokens(input: CustomerInput = {}): Promise<TokenSet> {
    if (this.client.kind === 'TPP' && this.scope === 'PREMIUM_AIS') await this.createConsent()
    const { parameters } = await this.authorize({}, input)
    return (await (await this.exchange(parameters['code'])).json()) as TokenSet
  }

  accounts(accessToken: string): Promise<Response> {
    return this.get(accessToken, 'v1/accounts')
  }

  /** A data call of the first variant. */
  get(accessToken: string, path: string): Promise<Response> {
    return this.send(path, { headers: { authorization: `Bearer ${accessToken}` } })
  }
}

const returnedTo = (response: Response, location: URL): Returned => ({
  response,
  location: location.href,
  parameters: Object.fromEntries(location.searchParams),
  shown: '',
})

const returnedOn = (response: Response, markup: string): Returned => {
  const $ = load(markup)
  const outputs = $('output').map((_, element) => [[$(element).attr('id') ?? '', $(element).text()]])
  return {
    response,
    location: undefined,
    parameters: Object.fromEntries(outputs.get() as unknown as [string, string][]),
    shown: $('main').text(),
  }
}

interface FilledForm {
  readonly action: string
  readonly fields: URLSearchParams
}

/** The completed form of a page; undefined if the page has no form, or shows a problem. */
const fillForm = (markup: string, input: CustomerInput): FilledForm | undefined => {
  const $ = load(markup)
  const form = $('form').first()
  if (form.length === 0 || $('[role=alert]').length > 0) return undefined
  // The fields of this form are outside of it. No page has two forms.
  const content = form.attr('id') === 'asked' ? $('body') : form
  const { customer = aCustomer(), decision = 'grant' } = input
  const fields = new URLSearchParams()
  for (const input of content.find('input[type=hidden]').toArray()) {
    fields.set($(input).attr('name') ?? '', $(input).attr('value') ?? '')
  }
  for (const box of content.find('input[type=checkbox]').toArray()) {
    const value = $(box).attr('value') ?? ''
    const isTicked = input.ticks?.includes(value) ?? $(box).is('[checked]')
    if (isTicked) fields.append($(box).attr('name') ?? '', value)
  }
  if (content.find('[name=username]').length > 0) fields.set('username', customer.username)
  if (content.find('[type=password]').length > 0) fields.set('password', input.password ?? customer.password)
  if (content.find('[name=decision]').length > 0) fields.set('decision', decision)
  return { action: form.attr('action') ?? '', fields }
}
