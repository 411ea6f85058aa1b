import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { clients, customers } from './parties.ts'
import type { Provider } from 'oidc-provider'
import type { Consents } from './consents.ts'

/** What stands beside an authorization server: the consents of a TPP, the accounts behind a token, and their refresh. */

const credentialsOf = (header: string | undefined): readonly string[] => {
  const [scheme, value = ''] = (header ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'basic') return []
  return Buffer.from(value, 'base64').toString().split(':')
}

const bearerOf = (header: string | undefined): string | undefined => /^bearer (\S+)$/i.exec(header ?? '')?.[1]

export const createResources = (provider: Provider, consents: Consents): Hono => {
  const resources = new Hono()
  resources.post('/v1/consents', ({ req, json }) => {
    const [id, secret] = credentialsOf(req.header('authorization'))
    const client = clients.find((each) => each.clientId === id && each.secret === secret)
    if (client === undefined) return json({ problem: 'who are you?' }, 401)
    if (client.kind !== 'TPP') return json({ problem: 'you need no consent' }, 403)
    return json({ consentId: consents.create(client.clientId) }, 201)
  })
  const opened = async (token: string | undefined) => {
    const found = token === undefined ? undefined : await provider.AccessToken.find(token)
    return customers.find(({ username }) => username === found?.accountId)
  }
  const shut = (token: string | undefined): Response =>
    Response.json(
      { problem: 'this token opens nothing' },
      {
        status: 401,
        headers: { 'WWW-Authenticate': token === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
      },
    )
  resources.get('/v1/accounts', async ({ req, json }) => {
    const token = bearerOf(req.header('authorization'))
    const customer = await opened(token)
    if (customer === undefined) return shut(token)
    return json({ accounts: customer.accounts.map((accountId) => ({ accountId })) })
  })
  resources.put('/refresh', async ({ req, json }) => {
    const token = bearerOf(req.header('authorization'))
    return (await opened(token)) === undefined ? shut(token) : json({ taskId: randomUUID() }, 202)
  })
  return resources
}
