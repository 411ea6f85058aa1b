import { Hono } from 'hono'
import { accountRoutes } from './accounts.ts'
import { authorize } from './authorize.ts'
import type { Clock } from './clock.ts'
import { Ledger } from './ledger.ts'
import { OrderBook } from './orders.ts'
import { approvalRoutes, PAY, paymentRoutes } from './payments.ts'
import type { Application } from './seed-data.ts'
import { askForBasic, basicApplication, tokenEndpoint } from './token-endpoint.ts'
import { Tokens } from './tokens.ts'
import { Visits } from './visits.ts'
import { only, randomText, refused } from './wire.ts'

/** Sandbox or production: accounts and payments below one base path, sharing nothing with the other. */
export class Environment {
  readonly base: string
  readonly tokens: Tokens
  readonly ledger: Ledger
  readonly orders: OrderBook
  readonly #consents = new Map<string, Application>()

  constructor(
    readonly name: 'sandbox' | 'production',
    readonly clock: Clock,
  ) {
    this.base = `/premium/${name}`
    this.tokens = new Tokens(clock)
    this.ledger = new Ledger(name, clock.now())
    this.orders = new OrderBook(clock, this.ledger)
  }

  routes(): Hono {
    const { base, name: environment, tokens } = this
    const visits = new Visits(base, this.clock, this.ledger)
    const creatorOf = (consent: string): Application | undefined => this.#consents.get(consent)
    const routes = new Hono()
    routes
      .get('/auth/oauth/v2/authorize', (context) =>
        authorize(context, { environment, tokens, visits, creatorOf }),
      )
      .all('/auth/oauth/v2/authorize', only('GET'))
      .all(
        '/auth/oauth/v2/token',
        tokenEndpoint({
          place: environment,
          tokens,
          own: { scope: PAY, seconds: 3600 },
          takesFormCredentials: false,
          hasCustomers: true,
        }),
      )
      .post('/v1/consents', (context) => {
        const application = basicApplication(context, environment)
        if (application === undefined) {
          askForBasic(context)
          return refused(context, 401, 'the application is unknown')
        }
        if (application.kind !== 'TPP') return refused(context, 403, 'only a TPP creates consents')
        if ((context.req.header('x-request-id') ?? '') === '')
          return refused(context, 400, 'X-Request-ID is missing')
        const consentId = randomText()
        this.#consents.set(consentId, application)
        return context.json({ result: { consentId } })
      })
      .all('/v1/consents', only('POST'))
      .route('/', visits.routes())
      .route('/', approvalRoutes(visits, this.orders))
      .route('/', accountRoutes(base, tokens))
      .route('/', paymentRoutes(base, tokens, this.orders))
    return routes
  }
}
