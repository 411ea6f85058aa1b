import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { fillFrom, lookAround } from './discovery.ts'

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Look } from './discovery.ts'

const servers: Server[] = []

const stop = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve))

afterEach(async () => {
  await Promise.all(servers.splice(0).map(stop))
})

/** A bank that answers so at each path. */
const bankOf = async (statusAt: (path: string) => number): Promise<string> => {
  const server = createServer((request, response) => {
    response.writeHead(statusAt(request.url ?? ''), { connection: 'close' }).end()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const looked = async (statusAt: (path: string) => number): Promise<Look> =>
  lookAround({ baseUrl: await bankOf(statusAt) }, new AbortController().signal)

describe('lookAround', () => {
  it('finds the base path at which a token is wanted', async () => {
    const look = await looked((path) => (path === '/sandbox/v1/accounts' ? 401 : 404))
    expect(look).toMatchObject({ basePath: '/sandbox', usualBasePath: 'absent', secondVariant: 'absent' })
    const { given, lines } = fillFrom({}, look)
    expect(given).toEqual({ basePath: '/sandbox', variant: 'first' })
    expect(lines.join()).toContain('/sandbox: it is taken')
  })

  it('leaves a base path that was given as it is, and tells where accounts are', async () => {
    const look = await looked((path) => (path.startsWith('/sandbox/') ? 401 : 404))
    const { given, lines } = fillFrom({ basePath: '/api' }, look)
    expect(given.basePath).toBe('/api')
    expect(lines[0]).toContain('and not at /api: see basePaths')
  })

  it('takes nothing from a gateway that answers everything alike', async () => {
    for (const status of [401, 403, 200]) {
      const look = await looked(() => status)
      expect(look).toMatchObject({ reached: true, usualBasePath: 'unclear', loans: 'unclear' })
      expect(look).not.toHaveProperty('basePath')
    }
  })

  it('does not take an error or a redirect for an interface', async () => {
    for (const status of [302, 503]) {
      const look = await looked((path) => (path.endsWith('/accounts') ? status : 404))
      expect(look).not.toHaveProperty('basePath')
    }
  })

  it('sees what else is offered', async () => {
    const look = await looked((path) => (/\/(paylater|sandbox)\//.test(path) ? 401 : 404))
    expect(look).toMatchObject({ secondVariant: 'there', payments: 'there', loans: 'there' })
    expect(fillFrom({}, look).given.variant).toBe('both')
    expect(fillFrom({}, look).lines.join()).toContain('--loans has them judged')
  })

  it('says why nothing answers', async () => {
    const url = await bankOf(() => 200)
    await Promise.all(servers.splice(0).map(stop))
    const look = await lookAround({ baseUrl: url }, new AbortController().signal)
    expect(look).toEqual({ reached: false, because: 'nothing listens there (ECONNREFUSED)' })
  })
})
