import { Hono } from 'hono'
import { serveAccounts } from './accounts.ts'
import { authorize, resultPage } from './authorize.ts'
import { Grants, methodOfToken } from './grants.ts'
import { Ledger } from './ledger.ts'
import { Orders } from './orders.ts'
import { servePayments } from './payments.ts'
import type { Clock } from './time.ts'
import { Visits } from './visits.ts'
import { type Served, only } from './wire.ts'

/** One environment: its accounts below one path, its payments below another, and nothing shared. */
export class Environment {
  readonly ledger: Ledger
  readonly grants: Grants
  readonly orders: Orders

  constructor(
    readonly name: string,
    readonly payments: string,
    clock: Clock,
  ) {
    this.ledger = new Ledger(clock.now())
    this.grants = new Grants(clock)
    this.orders = new Orders(clock, this.ledger)
  }

  serve(bank: Hono<Served>): void {
    const premium = new Hono<Served>()
    const visits = new Visits(`/premium/${this.name}`)
    premium.post('/v1/consents', (call) => this.grants.consent(call))
    premium.all('/v1/consents', only('POST'))
    premium.get('/auth/oauth/v2/authorize', (call) =>
      authorize(call, {
        environment: this.name,
        grants: this.grants,
        visits,
        accountsOf: (customer) => this.ledger.of(customer),
      }),
    )
    premium.all('/auth/oauth/v2/authorize', only('GET, HEAD'))
    premium.post('/auth/oauth/v2/token', (call) => this.grants.token(call))
    premium.all('/auth/oauth/v2/token', methodOfToken)
    premium.get('/code', resultPage)
    premium.all('/code', only('GET, HEAD'))
    visits.serve(premium)
    serveAccounts(premium, this.grants, this.ledger)
    bank.route(visits.base, premium)

    const pay = new Hono<Served>()
    const approvals = new Visits(this.payments)
    servePayments(pay, {
      environment: this.name,
      base: this.payments,
      orders: this.orders,
      visits: approvals,
    })
    approvals.serve(pay)
    bank.route(this.payments, pay)
  }
}
