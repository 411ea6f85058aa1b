import { Hono } from 'hono'
import type { Provider } from 'oidc-provider'
import type { MovingClock } from './moving-clock.ts'

/** What a test needs beyond an interface. The profile of the stranger binds them. */
export const createTestHooks = (provider: Provider, clock: MovingClock): Hono => {
  const testHooks = new Hono()
  testHooks.get('/time', ({ json }) => json({ time: { utc: new Date(Date.now()).toISOString() } }))
  testHooks.put('/time', async ({ req, body }) => {
    const { forward } = await req.json<{ readonly forward: number }>()
    clock.advance(forward)
    return body(null, 204)
  })
  testHooks.delete('/tokens/:token', async ({ req, body }) => {
    const found = await provider.AccessToken.find(req.param('token'))
    if (found === undefined) return body(null, 404)
    await revoke(provider, found.grantId)
    return body(null, 204)
  })
  return testHooks
}

/** A person takes a grant back, and with it all that came of it. */
const revoke = async (provider: Provider, grantId: string): Promise<void> => {
  const { AccessToken, RefreshToken, AuthorizationCode, Grant } = provider
  const grant = await Grant.find(grantId)
  await Promise.all([
    ...[AccessToken, RefreshToken, AuthorizationCode].map((tokens) => tokens.revokeByGrantId(grantId)),
    grant?.destroy(),
  ])
}
