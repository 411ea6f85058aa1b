import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { fillFromProbe, probeBank } from './discovery.ts'

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Probe } from './discovery.ts'

const servers: Server[] = []

const stop = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve))

afterEach(async () => {
  await Promise.all(servers.splice(0).map(stop))
})

/** A bank that answers each path with this status. */
const bankOf = async (statusAt: (path: string) => number): Promise<string> => {
  const server = createServer((request, response) => {
    response.writeHead(statusAt(request.url ?? ''), { connection: 'close' }).end()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const probed = async (statusAt: (path: string) => number): Promise<Probe> =>
  probeBank({ baseUrl: await bankOf(statusAt) }, new AbortController().signal)

describe('probeBank', () => {
  it('finds the base path at which a token is required', async () => {
    const probe = await probed((path) => (path === '/sandbox/v1/accounts' ? 401 : 404))
    expect(probe).toMatchObject({ basePath: '/sandbox', firstVariant: 'absent', secondVariant: 'absent' })
    const { given, lines } = fillFromProbe({}, probe)
    expect(given).toEqual({ basePath: '/sandbox', accountsVariant: 'first' })
    expect(lines.join()).toContain('/sandbox and requires a token: the profile uses it')
  })

  it('keeps a given base path, and reports the one that answers', async () => {
    const probe = await probed((path) => (path.startsWith('/sandbox/') ? 401 : 404))
    const { given, lines } = fillFromProbe({ basePath: '/api' }, probe)
    expect(given.basePath).toBe('/api')
    expect(lines[0]).toContain('and not at /api: see basePaths')
  })

  it('finds no base path at a gateway that answers every path in the same way', async () => {
    for (const status of [401, 403, 200]) {
      const probe = await probed(() => status)
      expect(probe).toMatchObject({ reached: true, firstVariant: 'unclear', loans: 'unclear' })
      expect(probe).not.toHaveProperty('basePath')
    }
  })

  it('does not treat an error or a redirect as an interface', async () => {
    for (const status of [302, 503]) {
      const probe = await probed((path) => (path.endsWith('/accounts') ? status : 404))
      expect(probe).not.toHaveProperty('basePath')
    }
  })

  it('finds the further interfaces', async () => {
    const probe = await probed((path) => (/\/(paylater|sandbox|_test-hooks)\//.test(path) ? 401 : 404))
    const presence = { secondVariant: 'present', payments: 'present', loans: 'present', testHooks: 'present' }
    expect(probe).toMatchObject(presence)
    expect(fillFromProbe({}, probe).given.accountsVariant).toBe('both')
    expect(fillFromProbe({}, probe).lines.join()).toContain('instalment loans (--loans)')
  })

  it('reports why nothing answers', async () => {
    const url = await bankOf(() => 200)
    await Promise.all(servers.splice(0).map(stop))
    const probe = await probeBank({ baseUrl: url }, new AbortController().signal)
    expect(probe).toEqual({ reached: false, reason: 'nothing listens there (ECONNREFUSED)' })
  })
})
