import type { MoneyGrants } from './money-grants.ts'
import { CLIENTS, type Client, type Customer, sameText, randomToken } from './money-data.ts'
import { type Call, type Reply, escaped, page } from './money-wire.ts'

/** The login flow of a customer: name, password, decision. A cookie identifies the login session. */

export interface Ask {
  client: Client
  scope: string
  order: string
}

interface LoginSession {
  ask: Ask
  redirect: string
  state: string | null
  challenge: string
  name?: string
  customer?: Customer
  ended?: true
}

interface LoginSessionsOptions {
  base: string
  grants: MoneyGrants
  customers: Customer[]
  /** The content of a scope; undefined if the client may not request it. */
  askOf(client: Client, scope: string, query: URLSearchParams): Ask | undefined
  /** The question to the customer; undefined if the request does not concern this customer. */
  sentence(ask: Ask, customer: Customer): string | undefined
  settle(ask: Ask, agreed: boolean): void
}

const COOKIE = 'quay-login'

export class LoginSessions {
  readonly #loginSessions = new Map<string, LoginSession>()

  constructor(readonly options: LoginSessionsOptions) {}

  /** GET of the authorization endpoint. */
  begin({ query }: Call): Reply {
    const client = CLIENTS.find(({ id }) => id === query.get('client_id'))
    const redirect = query.get('redirect_uri') ?? ''
    if (new Set(query.keys()).size !== [...query.keys()].length || !client?.redirects.includes(redirect))
      return page(400, 'The redirect URI is unknown', '<p>Please go back.</p>')
    const state = query.get('state')
    const refused = (error: string): Reply =>
      redirected(redirect, { error, ...(state === null ? {} : { state }) })
    const kind = query.get('response_type')
    if (kind !== 'code') return refused(kind === null ? 'invalid_request' : 'unsupported_response_type')
    const challenge = query.get('code_challenge') ?? ''
    if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
      return refused('invalid_request')
    const ask = this.options.askOf(client, query.get('scope') ?? '', query)
    if (ask === undefined) return refused('invalid_scope')
    const id = randomToken()
    this.#loginSessions.set(id, { ask, redirect, state, challenge })
    const cookie = `${COOKIE}=${id}; HttpOnly; SameSite=Lax; Path=${this.options.base}`
    return {
      status: 302,
      headers: { location: `${this.options.base}/gangway`, 'set-cookie': [cookie, 'quay-tongue=en; Path=/'] },
    }
  }

  /** All pages have one address. */
  go(call: Call): Reply {
    const id = new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)`).exec(call.headers.cookie ?? '')?.[1] ?? ''
    const loginSession = this.#loginSessions.get(id)
    if (loginSession === undefined || loginSession.ended)
      return page(410, 'The login has ended', '<p>Please start again.</p>')
    if (call.method === 'GET') return this.#shown(loginSession)
    return this.#answered(loginSession, new URLSearchParams(call.body))
  }

  #shown({ ask, name, customer }: LoginSession): Reply {
    const form = (inner: string): string => `<form method="post" action="gangway">${inner}</form>`
    if (name === undefined)
      return page(200, 'Name', form('<input name="payer"><input type="submit" id="on" value="On">'))
    if (customer === undefined)
      return page(
        200,
        'Password',
        form('<input name="secret" type="password"><input type="submit" id="on" value="On">'),
      )
    const sentence = this.options.sentence(ask, customer)
    if (sentence === undefined) return page(403, 'This order is not yours', '<p>Nothing was changed.</p>')
    const answers =
      '<button name="verdict" value="aye" id="aye">Aye</button> <button name="verdict" value="nay" id="nay">Nay</button>'
    return page(200, 'Do you agree?', `<p>${escaped(`${ask.client.id} ${sentence}`)}</p>${form(answers)}`)
  }

  #answered(loginSession: LoginSession, form: URLSearchParams): Reply {
    const nextPage: Reply = { status: 303, headers: { location: 'gangway' } }
    if (loginSession.name === undefined) {
      loginSession.name = form.get('payer') ?? ''
      return nextPage
    }
    if (loginSession.customer === undefined) {
      const known = this.options.customers.find(({ name }) => name === loginSession.name)
      if (known === undefined || !sameText(form.get('secret') ?? '', known.password)) {
        loginSession.ended = true
        return page(403, 'The login failed', '<p>Please start again.</p>')
      }
      loginSession.customer = known
      return nextPage
    }
    const { customer, ask } = loginSession
    if (this.options.sentence(ask, customer) === undefined) return nextPage
    const agreed = form.get('verdict') === 'aye'
    if (!agreed && form.get('verdict') !== 'nay') return nextPage
    loginSession.ended = true
    this.options.settle(ask, agreed)
    const state = loginSession.state === null ? {} : { state: loginSession.state }
    if (!agreed) return redirected(loginSession.redirect, { ...state, error: 'access_denied' })
    const grant = {
      client: ask.client,
      scope: ask.scope,
      order: ask.order,
    }
    return redirected(loginSession.redirect, {
      ...state,
      code: this.options.grants.code(grant, loginSession.redirect, loginSession.challenge),
    })
  }
}

function redirected(address: string, more: Record<string, string>): Reply {
  const url = new URL(address)
  for (const [name, value] of Object.entries(more)) url.searchParams.append(name, value)
  return { status: 302, headers: { location: url.href, 'cache-control': 'no-store' } }
}
