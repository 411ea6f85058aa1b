import { MoneyGrants } from './money-grants.ts'
import { payersOf, type Client, type Clock } from './money-data.ts'
import { at, plainText, type Call, type Reply } from './money-wire.ts'
import { Orders } from './orders.ts'
import { LoginSessions, type Ask } from './payment-login.ts'

/** The payments of one environment, below a base path of their own, with their own codes and tokens. */

const SCOPE = 'PREMIUM_PIS'

export class Payments {
  readonly grants: MoneyGrants
  readonly #orders: Orders
  readonly #loginSessions: LoginSessions

  constructor(
    readonly base: string,
    environment: string,
    clock: Clock,
  ) {
    const customers = payersOf(environment)
    this.grants = new MoneyGrants(clock)
    this.#orders = new Orders(clock, customers)
    this.#loginSessions = new LoginSessions({
      base,
      grants: this.grants,
      customers,
      askOf: (client, scope, query) => this.#askOf(client, scope, query.get('paper') ?? ''),
      sentence: ({ client, order }, { accounts }) => {
        const found = this.#orders.find(client, order)
        const payer = at(found?.wish.payer, 'account')
        if (found?.status !== 'ACTC' || !accounts.some(({ iban }) => iban === payer)) return undefined
        return `wants ${(found.wish.cents / 100).toFixed(2)} ${found.wish.unit} to be paid.`
      },
      settle: ({ client, order }, agreed) => {
        const found = this.#orders.find(client, order)
        if (found !== undefined) this.#orders.settle(found, agreed)
      },
    })
  }

  serve(call: Call): Reply {
    const path = call.path.slice(this.base.length)
    if (path === '/auth/oauth/v2/authorize')
      return call.method === 'GET' ? this.#loginSessions.begin(call) : plainText(405, 'only GET\n')
    if (path === '/auth/oauth/v2/token') return this.grants.token(call, forPayments)
    if (path === '/gangway') return this.#loginSessions.go(call)
    const grant = this.grants.grantFor(call)
    return this.#orders.serve(call, path, grant?.scope === SCOPE ? grant.client : undefined)
  }

  #askOf(client: Client, scope: string, order: string): Ask | undefined {
    const isPayable = scope === SCOPE && this.#orders.find(client, order)?.status === 'ACTC'
    return isPayable ? { client, scope: `${SCOPE}:once`, order } : undefined
  }
}

function forPayments(
  form: URLSearchParams,
): { scope: string; seconds: number } | 'invalid_scope' | undefined {
  if (form.get('grant_type') !== 'client_credentials') return undefined
  return form.get('scope') === SCOPE ? { scope: SCOPE, seconds: 900 } : 'invalid_scope'
}
