import { Hono } from 'hono'
import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { Environment } from './environment.ts'
import type { Tokens } from './tokens.ts'
import { bodyOf, only, refused } from './wire.ts'

/** The test hooks: what time and customers would do by themselves. */

const TO = z.object({ to: z.number() })

const TOKEN = z.object({ token: z.string() })

const BOOKING = z.object({
  iban: z.string(),
  euros: z.number().refine((euros) => euros !== 0 && Math.abs(euros * 100 - Math.round(euros * 100)) < 1e-6),
  place: z.enum(['sandbox', 'production']),
})

export function hookRoutes(clock: Clock, environments: Environment[], tokens: Tokens[]): Hono {
  const now = (): object => ({ now: clock.now() / 1000 })
  const routes = new Hono()
  routes
    .get('/clock', (context) => context.json(now()))
    .put('/clock', async (context) => {
      const body = await bodyOf(context, TO)
      if (body === undefined) return refused(context, 422, 'to is no number')
      clock.forwardTo(Math.round(body.to * 1000))
      return context.json(now())
    })
    .all('/clock', only('GET, PUT'))
    .post('/revoke', async (context) => {
      const body = await bodyOf(context, TOKEN)
      if (body === undefined) return refused(context, 422, 'token is missing')
      return tokens.some((some) => some.revoke(body.token))
        ? context.body(null, 204)
        : refused(context, 404, 'the token is unknown')
    })
    .all('/revoke', only('POST'))
    .post('/bookings', async (context) => {
      const body = await bodyOf(context, BOOKING)
      if (body === undefined) return refused(context, 422, 'iban, euros or place is missing')
      const account = environments.find(({ name }) => name === body.place)?.ledger.account(body.iban)
      if (account === undefined) return refused(context, 404, 'the account is unknown')
      const { no } = account.book(Math.round(body.euros * 100), clock.now(), 'Cash desk')
      return context.json({ result: { no } }, 201)
    })
    .all('/bookings', only('POST'))
  return routes
}
