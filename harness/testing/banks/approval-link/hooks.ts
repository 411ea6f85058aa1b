import type { Hono } from 'hono'
import { z } from 'zod'
import type { Environment } from './environment.ts'
import type { Clock } from './time.ts'
import { type Call, type Served, fault, jsonOf, only } from './wire.ts'

/** The test hooks: they concern both environments at once. */

const SECONDS = z.object({ seconds: z.number().min(0).max(1e10) })
const TOKEN = z.object({ token: z.string() })
const BOOKING = z.object({
  iban: z.string(),
  sum: z
    .number()
    .min(-1e9)
    .max(1e9)
    .transform((sum) => Math.round(sum * 100)),
})

const badBody = (call: Call): Response => fault(call, 400, 'body', 'The body is not in its form.')

export function serveHooks(app: Hono<Served>, clock: Clock, environments: Environment[]): void {
  const time = (call: Call): Response => call.json({ time: new Date(clock.now()).toISOString() })

  app.get('/lock/clock', time)
  app.post('/lock/clock', async (call) => {
    const body = SECONDS.safeParse(await jsonOf(call))
    if (!body.success) return badBody(call)
    clock.advance(Math.round(body.data.seconds * 1000))
    for (const { orders } of environments) orders.settle()
    return time(call)
  })
  app.all('/lock/clock', only('GET, HEAD, POST'))

  app.post('/lock/revoke', async (call) => {
    const body = TOKEN.safeParse(await jsonOf(call))
    if (!body.success) return badBody(call)
    const { token } = body.data
    return environments.some(({ grants }) => grants.revoke(token))
      ? call.body(null, 204)
      : fault(call, 404, 'token', 'There is no such access token.')
  })
  app.all('/lock/revoke', only('POST'))

  app.post('/lock/bookings', async (call) => {
    const body = BOOKING.safeParse(await jsonOf(call))
    if (!body.success) return badBody(call)
    const { iban, sum } = body.data
    const accounts = environments.flatMap(({ ledger }) => ledger.byIban(iban) ?? [])
    if (accounts.length === 0) return fault(call, 404, 'iban', 'There is no such account.')
    for (const account of accounts) account.book(sum, clock.now())
    return call.json({ booked: { iban, sum: sum / 100 } }, 201)
  })
  app.all('/lock/bookings', only('POST'))
}
