import type { Clock } from './clock.ts'
import { Grants } from './grants.ts'
import { Orders } from './orders.ts'
import { CUSTOMERS, type Client, clientOf, randomToken } from './seed-data.ts'
import { type Ask, Visits } from './login-flow.ts'
import { has } from './ways.ts'
import { type Call, type Reply, at, record, unknownPath, plainText } from './wire.ts'

/** One environment: accounts and payments below one base path, with its own consents, codes and tokens. */

const PAYMENTS = 'PREMIUM_PIS'

export class Environment {
  readonly #customers = CUSTOMERS()
  readonly #consents = new Map<string, Client>()
  readonly grants: Grants
  readonly #orders: Orders
  readonly #visits: Visits

  constructor(
    readonly base: string,
    clock: Clock,
  ) {
    this.grants = new Grants(clock)
    this.#orders = new Orders(clock, this.#customers)
    this.#visits = new Visits({
      base,
      grants: this.grants,
      customers: this.#customers,
      askOf: (client, scope, query) => this.#askOf(client, scope, query.get('paper')),
      sentence: ({ client, order }, { accounts }) => {
        if (order === undefined) return 'wants to read these accounts.'
        const found = this.#orders.find(client, order)
        const payer = at(found?.wish.payer, 'account')
        if (found?.status !== 'ACTC' || !accounts.some(({ iban }) => iban === payer)) return undefined
        return `wants ${(found.wish.cents / 100).toFixed(2)} ${found.wish.unit} to be paid.`
      },
      settle: ({ client, order }, _, agreed) => {
        const found = order === undefined ? undefined : this.#orders.find(client, order)
        if (found !== undefined) this.#orders.settle(found, agreed)
      },
    })
  }

  serve(call: Call): Reply {
    const path = call.path.slice(this.base.length)
    if (path === '/auth/oauth/v2/authorize')
      return call.method === 'GET' ? this.#visits.begin(call) : plainText(405, 'only GET\n')
    if (path === '/auth/oauth/v2/token') return this.grants.token(call, forPayments)
    if (path === '/gangway') return this.#visits.go(call)
    if (path === '/v1/consents') return this.#consent(call)
    if (path.startsWith('/payments/')) {
      const grant = this.grants.grantFor(call)
      return this.#orders.serve(
        call,
        path,
        grant?.scope === PAYMENTS ? grant.client : undefined,
        this.grants.refusal(call),
      )
    }
    return this.#accounts(call, path)
  }

  #consent(call: Call): Reply {
    if (call.method !== 'POST') return plainText(405, 'only POST\n')
    const client = clientOf(call.headers.authorization)
    if (client === undefined)
      return plainText(401, 'the client is unknown\n', { 'www-authenticate': 'Basic realm="harbour office"' })
    if (client.kind !== 'TPP') return plainText(403, 'a FAC needs no consent\n')
    if (call.headers['x-request-id'] === undefined) return plainText(400, 'X-Request-ID is missing\n')
    const id = randomToken()
    this.#consents.set(id, client)
    return record(201, { paper: { consentId: id } })
  }

  #askOf(client: Client, scope: string, paper: string | null): Ask | undefined {
    if (scope === 'PREMIUM_AIS') return client.kind === 'FAC' ? { client, scope } : undefined
    if (scope === PAYMENTS && !has('scope-names-the-order'))
      return this.#payable(client, paper ?? '')
        ? { client, scope: `${PAYMENTS}:once`, order: paper ?? '' }
        : undefined
    if (has('scope-names-the-order') && scope.startsWith(`${PAYMENTS}:`)) {
      const order = scope.slice(PAYMENTS.length + 1)
      return this.#payable(client, order) ? { client, scope, order } : undefined
    }
    const [kind, id = ''] = scope.split(':', 2)
    if (scope !== `${kind ?? ''}:${id}`) return undefined
    if (kind === 'PREMIUM_AIS')
      return this.#consents.get(id) === client ? { client, scope, consent: id } : undefined
    if (kind === PAYMENTS)
      return this.#orders.find(client, id)?.status === 'ACTC' ? { client, scope, order: id } : undefined
    return undefined
  }

  #payable(client: Client, id: string): boolean {
    return this.#orders.find(client, id)?.status === 'ACTC'
  }

  #accounts(call: Call, path: string): Reply {
    const [, id, more] = /^\/v1\/accounts(?:\/([^/]+)(\/transactions)?)?$/.exec(path) ?? []
    if (!/^\/v1\/accounts(?:\/[^/]+(?:\/transactions)?)?$/.test(path) || call.method !== 'GET')
      return unknownPath()
    const grant = this.grants.grantFor(call)
    if (grant?.accounts === undefined || grant.order !== undefined)
      return plainText(this.grants.refusal(call), 'the token is missing or invalid\n', {
        'www-authenticate': 'Bearer',
      })
    const open = this.#customers
      .flatMap(({ accounts }) => accounts)
      .filter((account) => grant.accounts?.includes(account.id))
    if (id === undefined)
      return record(200, { shelf: open.map(({ id: accountId, iban }) => ({ accountId, number: iban })) })
    const account = open.find((one) => one.id === decodeURIComponent(id))
    if (account === undefined) return plainText(403, 'not granted\n')
    if (more !== undefined) return record(200, { booked: account.booked, further: null })
    return record(200, { number: account.iban, left: [{ sum: account.cents / 100, unit: 'EUR' }] })
  }
}

function forPayments(
  form: URLSearchParams,
): { scope: string; seconds: number } | 'invalid_scope' | undefined {
  if (form.get('grant_type') !== 'client_credentials') return undefined
  return form.get('scope') === PAYMENTS ? { scope: PAYMENTS, seconds: 900 } : 'invalid_scope'
}
