import { expect, onTestFinished, test } from 'vitest'
import { createEndpointProbe } from './endpoint-probe.ts'
import { createHttp } from './http.ts'
import { permitsAnywhere } from './permissions.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { HeldBack } from '../../evidence/signals.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { openConnections } from '../../connection/connections.ts'
import { startRawServer } from '../../testing/faults/raw-server.ts'
import * as responses from '../../testing/faults/fault-responses.ts'

const profile = parsedProfile()

/** A target with https whose host has this server for plain HTTP. */
const target = async () => {
  const server = await startRawServer(responses.json(400, { error: 'invalid_client' }))
  const connections = openConnections(profile)
  onTestFinished(async () => {
    await connections.close()
    await server.close()
  })
  const origin = server.url.replace(/^http:/, 'https:')
  const http = createHttp({
    scenario: 'sample',
    dispatcher: connections.dispatcher,
    origins: [origin],
    permits: permitsAnywhere(['read']),
    headers: { 'X-Gateway-Key': 'k3y-of-the-gateway' },
    requestMs: 20_000,
    now: () => new Date(),
    redactor: createRedactor([]),
    journal: { write: () => undefined, close: () => undefined },
    onExchange: () => undefined,
  })
  return { http, origin }
}

test('a request without TLS carries neither credentials nor the headers of the profile', async () => {
  const { http, origin } = await target()
  const probe = createEndpointProbe({ profile, baseUrl: origin, http })
  const { request, response } = await probe('token', { withoutTls: true })
  expect(response?.status).toBe(400)
  expect(request.url).toMatch(/^http:/)
  const sent = JSON.stringify(request)
  for (const { clientId, clientSecret } of profile.applications) {
    expect(sent).not.toContain(clientId)
    expect(sent).not.toContain(clientSecret)
  }
  expect(sent).not.toMatch(/gateway|authorization"/i)
})

test('nothing else is sent without TLS', async () => {
  const { http, origin } = await target()
  const url = `${origin.replace(/^https:/, 'http:')}/premium/sandbox/v1/accounts`
  const plain = { operation: 'listAccounts', sender: 'scenario', method: 'GET', url, headers: [] } as const
  await expect(http.send(plain)).rejects.toThrow(HeldBack)
  await expect(http.send({ ...plain, url: 'http://other.example/', withoutTls: true })).rejects.toThrow(
    HeldBack,
  )
})
