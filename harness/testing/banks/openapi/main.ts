import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { accountApi } from './accounts.ts'
import { Clock, timestamp } from './clock.ts'
import { Environment } from './environment.ts'
import { Refusal, jsonBody, problem } from './http.ts'
import { loanApi } from './loans.ts'
import { paymentApi } from './payments.ts'

/** A bank whose interface is documented by openapi.yaml. */

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })

const clock = new Clock()
const environments = [new Environment('sandbox', clock), new Environment('production', clock)]
const loans = loanApi(clock)
const document = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8')

const app = new Hono()

app.use(async (c, next) => {
  for (const { orders } of environments) orders.catchUp()
  await next()
  c.header('cache-control', 'no-store')
  const requestId = c.req.header('x-request-id')
  if (requestId !== undefined) c.header('x-request-id', requestId)
})

app.use(
  bodyLimit({
    maxSize: 65_536,
    onError: () => {
      throw problem(413, 'BODY_TOO_LARGE', 'The body is longer than 64 KiB.')
    },
  }),
)

for (const environment of environments) {
  app.route(`/premium/${environment.name}`, accountApi(environment))
  app.route(`/initiation/v1/${environment.name}`, paymentApi(environment))
}
app.route('/paylater/sandbox', loans.app)
app.get('/openapi.yaml', (c) => c.body(document, 200, { 'content-type': 'application/yaml' }))

/** The hooks of tests. */

app.get('/lab/clock', (c) => c.json({ now: timestamp(clock.now()) }))

app.post('/lab/clock', async (c) => {
  const { advanceSeconds } = await jsonBody(c, z.object({ advanceSeconds: z.number().min(0) }))
  clock.advance(advanceSeconds)
  return c.json({ now: timestamp(clock.now()) })
})

app.post('/lab/revocations', async (c) => {
  const { token } = await jsonBody(c, z.object({ token: z.string() }))
  const issuers = [...environments, loans].map(({ tokens }) => tokens)
  if (!issuers.some((tokens) => tokens.revoke(token))) throw problem(404, 'TOKEN_UNKNOWN', 'Unknown token.')
  return c.body(null, 204)
})

app.post('/lab/transactions', async (c) => {
  const booking = z.object({
    environment: z.enum(['sandbox', 'production']),
    iban: z.string(),
    cents: z.int(),
    purpose: z.string(),
  })
  const { environment: name, iban, cents, purpose } = await jsonBody(c, booking)
  const accounts = environments.find((environment) => environment.name === name)?.accounts
  const account = accounts?.byIban(iban)
  if (accounts === undefined || account === undefined) throw problem(404, 'ACCOUNT_UNKNOWN', 'Unknown IBAN.')
  const entry = { bookedAt: clock.now(), cents, counterparty: 'Veranda Bank Lab', purpose }
  return c.json({ entryReference: accounts.book(account, entry).entryReference }, 201)
})

app.notFound(() => {
  throw problem(404, 'PATH_UNKNOWN', 'There is no such operation.')
})

app.onError((error, c) => {
  if (!(error instanceof Refusal)) {
    console.error(error)
    return c.text('internal error', 500)
  }
  const headers = { ...error.headers, 'content-type': error.contentType }
  return c.body(JSON.stringify(error.body), error.status, headers)
})

serve({ fetch: app.fetch, port: Number(values.port), hostname: '127.0.0.1' }, ({ port }: AddressInfo) => {
  console.log(`http://127.0.0.1:${port}`)
})
