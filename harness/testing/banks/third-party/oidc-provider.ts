import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createAuthorizationServer, OAUTH, SANDBOX } from './oidc-provider-configuration.ts'
import { createConsents } from './consents.ts'
import { createPages } from './oidc-provider-pages.ts'
import { installMovingClock } from './moving-clock.ts'
import { createResources, createTestHooks, type Grants } from './resources.ts'
import type { AddressInfo } from 'node:net'
import type { Provider } from 'oidc-provider'

/** oidc-provider as a process: `node dist/harness/testing/banks/third-party/oidc-provider.js`. */

const grantsOf = ({ AccessToken, RefreshToken, AuthorizationCode, Grant }: Provider): Grants => ({
  usernameOf: async (token) => (await AccessToken.find(token))?.accountId,
  async revoke(token) {
    const found = await AccessToken.find(token)
    if (found === undefined) return false
    const grant = await Grant.find(found.grantId)
    await Promise.all([
      ...[AccessToken, RefreshToken, AuthorizationCode].map((tokens) =>
        tokens.revokeByGrantId(found.grantId),
      ),
      grant?.destroy(),
    ])
    return true
  },
})

const clock = installMovingClock()
const consents = createConsents()
const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
// The authorization server needs its own address, so the port must be open first.
const url = `http://127.0.0.1:${port}`

const provider = createAuthorizationServer(url, consents)
const grants = grantsOf(provider)
const authorizationServer = provider.callback()
const otherOperations = getRequestListener(
  new Hono()
    .route('/person', createPages(provider))
    .route(SANDBOX, createResources(grants, consents))
    .route('/for-tests', createTestHooks(grants, clock)).fetch,
  { overrideGlobalObjects: false },
)
server.on('request', (request, response) => {
  const isOAuth = request.url?.startsWith(`${OAUTH}/`) ?? false
  void (isOAuth ? authorizationServer : otherOperations)(request, response)
})

console.log(`oidc-provider listens on ${url}`)
