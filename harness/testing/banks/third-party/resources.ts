import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { clients, customers } from './seed-data.ts'
import type { Consents } from './consents.ts'
import type { MovingClock } from './moving-clock.ts'

/** The operations and test hooks beside a third-party authorization server: consents of a TPP, accounts of a token, refresh. */

/** What these operations ask the authorization server. */
export interface Grants {
  /** Of the customer of a valid access token; undefined if it is not valid. */
  readonly usernameOf: (token: string) => Promise<string | undefined>
  /** Revokes the grant of an access token with all its codes and tokens. @returns whether the token was valid */
  readonly revoke: (token: string) => Promise<boolean>
}

const credentialsOf = (header: string | undefined): readonly string[] => {
  const [scheme, value = ''] = (header ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'basic') return []
  return Buffer.from(value, 'base64').toString().split(':')
}

const bearerOf = (header: string | undefined): string | undefined => /^bearer (\S+)$/i.exec(header ?? '')?.[1]

export const createResources = ({ usernameOf }: Grants, consents: Consents): Hono => {
  const resources = new Hono()
  resources.post('/v1/consents', ({ req, json }) => {
    const [id, secret] = credentialsOf(req.header('authorization'))
    const client = clients.find((each) => each.clientId === id && each.secret === secret)
    if (client === undefined) return json({ problem: 'the client is unknown' }, 401)
    if (client.kind !== 'TPP') return json({ problem: 'a FAC needs no consent' }, 403)
    return json({ consentId: consents.create(client.clientId) }, 201)
  })
  const customerOf = async (token: string | undefined) => {
    const found = token === undefined ? undefined : await usernameOf(token)
    return customers.find(({ username }) => username === found)
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

/** The test hooks that the profile binds. */
export const createTestHooks = ({ revoke }: Grants, clock: MovingClock): Hono => {
  const testHooks = new Hono()
  testHooks.get('/time', ({ json }) => json({ time: { utc: new Date().toISOString() } }))
  testHooks.put('/time', async ({ req, body }) => {
    const { forward } = await req.json<{ readonly forward: number }>()
    clock.advance(forward)
    return body(null, 204)
  })
  testHooks.delete('/tokens/:token', async ({ req, body }) =>
    body(null, (await revoke(req.param('token'))) ? 204 : 404),
  )
  return testHooks
}
