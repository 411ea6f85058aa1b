import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Clock } from './clock.ts'
import { Environment } from './environment.ts'
import { hookRoutes } from './hooks.ts'
import { loanRoutes, Loans, PAY_LATER } from './loans.ts'
import { tokenEndpoint } from './token-endpoint.ts'
import { Tokens } from './tokens.ts'
import { refused } from './wire.ts'

/** A bank that writes its public origin into every address, written only from the interface and shapes.md. */

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })

const clock = new Clock()
const environments = [new Environment('sandbox', clock), new Environment('production', clock)]

const LOAN_BASE = '/paylater/sandbox'
const loans = new Loans(clock)
const loanTokens = new Tokens(clock)

const bank = new Hono()
for (const environment of environments) bank.route(environment.base, environment.routes())
bank.all(
  `${LOAN_BASE}/auth/oauth/v2/token`,
  tokenEndpoint({
    place: 'loans',
    tokens: loanTokens,
    own: { scope: PAY_LATER, seconds: 86_400 },
    takesFormCredentials: true,
    hasCustomers: false,
  }),
)
bank.route(LOAN_BASE, loanRoutes(LOAN_BASE, loanTokens, loans))
const allTokens = [...environments.map(({ tokens }) => tokens), loanTokens]
bank.route('/ferry', hookRoutes(clock, environments, allTokens))
bank.notFound((context) => refused(context, 404, 'the path is unknown'))
bank.onError((error, context) => {
  console.error(error)
  return refused(context, 500, 'the bank has failed')
})

setInterval(() => {
  for (const { orders } of environments) orders.settleDue()
  loans.advanceDue()
}, 100)

serve({ fetch: bank.fetch, hostname: '127.0.0.1', port: Number(values.port) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
