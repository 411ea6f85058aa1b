import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Environment } from './environment.ts'
import { serveHooks } from './hooks.ts'
import { Clock } from './time.ts'
import { type Served, fault } from './wire.ts'

/** The bank of the lock: payments with HTTP Basic and signatures, approved by a link. */

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })

const clock = new Clock()
const environments = [
  new Environment('sandbox', '/pay/sandbox', clock),
  new Environment('production', '/pay/live', clock),
]

const bank = new Hono<Served>()

bank.use(async (call, next) => {
  // What has fallen due by the time a request is here has happened before the request is looked at.
  await call.req.arrayBuffer()
  for (const { orders } of environments) orders.settle()
  await next()
  call.res.headers.set('Cache-Control', 'no-store')
  call.res.headers.set('Referrer-Policy', 'no-referrer')
  call.res.headers.set('X-Content-Type-Options', 'nosniff')
  call.res.headers.set('X-Frame-Options', 'DENY')
})
for (const environment of environments) environment.serve(bank)
serveHooks(bank, clock, environments)
bank.notFound((call) => fault(call, 404, 'path', 'There is nothing at this address.'))
bank.onError((error, call) => {
  console.error(error)
  return fault(call, 500, 'internal', 'Something went wrong within the bank.')
})

serve({ fetch: bank.fetch, port: Number(values.port), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
