import { Hono } from 'hono'
import { clients, customers } from './parties.ts'
import type { Provider } from 'oidc-provider'
import type { Consents } from './consents.ts'

/** What stands beside an authorization server: the consents of a TPP, and the accounts behind a token. */

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
  resources.get('/v1/accounts', async ({ req, json }) => {
    const token = bearerOf(req.header('authorization'))
    const found = token === undefined ? undefined : await provider.AccessToken.find(token)
    const customer = customers.find(({ username }) => username === found?.accountId)
    if (customer !== undefined)
      return json({ accounts: customer.accounts.map((accountId) => ({ accountId })) })
    const challenge = token === undefined ? 'Bearer' : 'Bearer error="invalid_token"'
    return json({ problem: 'this token opens nothing' }, 401, { 'WWW-Authenticate': challenge })
  })
  return resources
}
