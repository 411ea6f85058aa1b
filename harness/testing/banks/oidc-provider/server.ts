/** The stranger as a process of its own: `node --import tsx harness/testing/banks/oidc-provider/server.ts`. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { OAUTH, SANDBOX, createAuthorizationServer } from './authorization-server.ts'
import { createConsents } from './consents.ts'
import { createTestHooks } from './test-hooks.ts'
import { installMovingClock } from './moving-clock.ts'
import { createPages } from './person.ts'
import { createResources } from './resources.ts'

const clock = installMovingClock()
const consents = createConsents()
const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
// The authorization server wants to know its own address, so the port has to be there first.
const url = `http://127.0.0.1:${port}`

const provider = createAuthorizationServer(url, consents)
const authorizationServer = provider.callback()
const beside = getRequestListener(
  new Hono()
    .route('/person', createPages(provider))
    .route(SANDBOX, createResources(provider, consents))
    .route('/for-tests', createTestHooks(provider, clock)).fetch,
  { overrideGlobalObjects: false },
)
server.on('request', (request, response) => {
  const isItsOwn = request.url?.startsWith(`${OAUTH}/`) ?? false
  void (isItsOwn ? authorizationServer : beside)(request, response)
})

console.log(`The stranger listens on ${url}`)
