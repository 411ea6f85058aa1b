import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createAuthorizationServer, OAUTH, SANDBOX } from './authorization-server.ts'
import { createConsents, type Consents } from './consents.ts'
import { installMovingClock, type MovingClock } from './moving-clock.ts'
import { clients, customers } from './seed-data.ts'
import { createPages } from './login-pages.ts'
import type { AddressInfo } from 'node:net'
import type { Provider } from 'oidc-provider'

/** The test hooks that the profile of this server binds. */
const createTestHooks = (provider: Provider, clock: MovingClock): Hono => {
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

/** Revokes a grant, with all its codes and tokens. */
const revoke = async (provider: Provider, grantId: string): Promise<void> => {
  const { AccessToken, RefreshToken, AuthorizationCode, Grant } = provider
  const grant = await Grant.find(grantId)
  await Promise.all([
    ...[AccessToken, RefreshToken, AuthorizationCode].map((tokens) => tokens.revokeByGrantId(grantId)),
    grant?.destroy(),
  ])
}

/** The operations next to the authorization server: consents of a TPP, accounts of a token, and refresh. */

const credentialsOf = (header: string | undefined): readonly string[] => {
  const [scheme, value = ''] = (header ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'basic') return []
  return Buffer.from(value, 'base64').toString().split(':')
}

const bearerOf = (header: string | undefined): string | undefined => /^bearer (\S+)$/i.exec(header ?? '')?.[1]

const createResources = (provider: Provider, consents: Consents): Hono => {
  const resources = new Hono()
  resources.post('/v1/consents', ({ req, json }) => {
    const [id, secret] = credentialsOf(req.header('authorization'))
    const client = clients.find((each) => each.clientId === id && each.secret === secret)
    if (client === undefined) return json({ problem: 'the client is unknown' }, 401)
    if (client.kind !== 'TPP') return json({ problem: 'a FAC needs no consent' }, 403)
    return json({ consentId: consents.create(client.clientId) }, 201)
  })
  const customerOf = async (token: string | undefined) => {
    const found = token === undefined ? undefined : await provider.AccessToken.find(token)
    return customers.find(({ username }) => username === found?.accountId)
  }
  const refused = (token: string | undefined): Response =>
    Response.json(
      { problem: 'the token is missing or invalid' },
      {
        status: 401,
        headers: { 'WWW-Authenticate': token === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
      },
    )
  resources.get('/v1/accounts', async ({ req, json }) => {
    const token = bearerOf(req.header('authorization'))
    const customer = await customerOf(token)
    if (customer === undefined) return refused(token)
    return json({ accounts: customer.accounts.map((accountId) => ({ accountId })) })
  })
  resources.get('/v1/accounts/:accountId/transactions', async ({ req, json }) => {
    const token = bearerOf(req.header('authorization'))
    const customer = await customerOf(token)
    if (customer === undefined) return refused(token)
    if (!customer.accounts.includes(req.param('accountId'))) return json({ problem: 'no such account' }, 404)
    return json({ transactions: [{ text: 'the first rent' }, { text: 'the second rent' }] })
  })
  resources.put('/refresh', async ({ req, json }) => {
    const token = bearerOf(req.header('authorization'))
    return (await customerOf(token)) === undefined ? refused(token) : json({ taskId: randomUUID() }, 202)
  })
  return resources
}

/** The third-party server as a process: `node --import tsx harness/testing/banks/oidc-provider/server.ts`. */

const clock = installMovingClock()
const consents = createConsents()
const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
// The authorization server needs its own address, so the port must be open first.
const url = `http://127.0.0.1:${port}`

const provider = createAuthorizationServer(url, consents)
const authorizationServer = provider.callback()
const otherOperations = getRequestListener(
  new Hono()
    .route('/person', createPages(provider))
    .route(SANDBOX, createResources(provider, consents))
    .route('/for-tests', createTestHooks(provider, clock)).fetch,
  { overrideGlobalObjects: false },
)
server.on('request', (request, response) => {
  const isOAuth = request.url?.startsWith(`${OAUTH}/`) ?? false
  void (isOAuth ? authorizationServer : otherOperations)(request, response)
})

console.log(`oidc-provider listens on ${url}`)
