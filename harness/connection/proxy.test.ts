import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema } from '../profile/schema.ts'
import { openConnections } from './connections.ts'
import { proxyFor } from './proxy.ts'
import type { AddressInfo } from 'node:net'

const connection = (changes: { readonly proxy?: string } = {}) =>
  profileSchema.parse({ ...sampleProfile(), connection: changes }).connection

/** A proxy that refuses everything, and records the requests. */
const startProxy = async (): Promise<{ readonly url: string; readonly asked: string[] }> => {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(403).end()
  })
  server.on('connect', ({ url = '' }, client) => {
    asked.push(url)
    client.end('HTTP/1.1 403 No\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** Whether the client of a run asks the proxy. */
const goesThrough = async (address: string, env: NodeJS.ProcessEnv, asked: readonly string[]) => {
  const { origin, pathname } = new URL(address)
  const connections = openConnections(profileSchema.parse(sampleProfile()), env)
  try {
    await connections.dispatcher.request({ origin, path: pathname, method: 'GET' }).catch(() => undefined)
  } finally {
    await connections.close()
  }
  return asked.length > 0
}

/** Names that cannot be resolved, so that nothing is sent. */
describe('the client of a run uses the proxy that `proxyFor` returns', () => {
  test.for([
    ['http://bank.invalid/', '', true],
    ['https://bank.invalid/', '', true],
    ['http://bank.invalid/', 'bank.invalid', false],
    ['http://api.bank.invalid/', 'bank.invalid', false],
    ['http://api.bank.invalid/', '.bank.invalid', false],
    ['http://api.bank.invalid/', '*.bank.invalid', false],
    ['http://mybank.invalid/', 'bank.invalid', true],
    ['http://bank.invalid/', 'bank.invalid:8080', true],
    ['http://bank.invalid:8080/', 'other.invalid bank.invalid:8080', false],
    ['https://bank.invalid/', 'bank.invalid:443', false],
    ['http://bank.invalid/', '*', false],
    ['http://127.0.0.1:1/', '', false],
    ['http://localhost:1/', '', false],
    ['http://[::1]:1/', '', false],
  ] as const)('to %s with NO_PROXY=%s', async ([address, exempt, expected]) => {
    const { url, asked } = await startProxy()
    const env = { HTTP_PROXY: url, ...(exempt !== '' && { NO_PROXY: exempt }) }
    expect(proxyFor(address, connection(), env).kind).toBe(expected ? 'proxy' : 'passed-by')
    expect(await goesThrough(address, env, asked)).toBe(expected)
  })
})

describe('the source of the proxy', () => {
  const [profiled, lower, upper] = ['http://a.invalid:1', 'http://b.invalid:2', 'http://c.invalid:3']
  test.for([
    ['http://bank.invalid', { proxy: profiled }, { HTTP_PROXY: upper }, profiled, 'connection.proxy'],
    ['http://bank.invalid', {}, { http_proxy: lower, HTTP_PROXY: upper }, lower, 'http_proxy'],
    ['https://bank.invalid', {}, { http_proxy: lower, HTTPS_PROXY: upper }, upper, 'HTTPS_PROXY'],
    ['https://bank.invalid', {}, { HTTP_PROXY: upper }, upper, 'HTTP_PROXY'],
  ] as const)('is reported: %s', ([address, changes, env, url, from]) => {
    expect(proxyFor(address, connection(changes), env)).toEqual({ kind: 'proxy', url: new URL(url), from })
  })

  test('is absent if the profile sets none', () => {
    const none = connection({ proxy: 'none' })
    expect(proxyFor('http://bank.invalid', none, { HTTP_PROXY: upper })).toEqual({ kind: 'none' })
  })
})
