import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makePair, type Pair } from '../testing/faults/authority.ts'
import { startRawServer } from '../testing/faults/raw-server.ts'
import { sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema } from '../profile/schema.ts'
import { openConnections } from './connections.ts'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WireRecord } from '../evidence/recorder.ts'
import type { ProfileInput } from '../profile/schema.ts'

let folder: string
const file = (name: string): string => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'connections-'))
  for (const [name, host] of [
    ['bank', 'localhost'],
    ['client', 'client.example'],
  ] as const) {
    const pair = await makePair({ name: host })
    writeFileSync(file(`${name}.pem`), pair.cert)
    writeFileSync(file(`${name}-key.pem`), pair.key)
    made.set(name, pair)
  }
})

afterAll(() => rmSync(folder, { recursive: true }))

const made = new Map<string, Pair>()

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The result of one request over such connections. */
const ask = async (
  url: string,
  connection: ProfileInput['connection'],
  env: NodeJS.ProcessEnv = {},
): Promise<WireRecord> => {
  const profile = profileSchema.parse({ ...sampleProfile(), connection })
  const connections = openConnections(profile, env)
  const { origin, pathname } = new URL(url)
  try {
    return await new Promise((resolve, reject) => {
      const options = { origin, path: pathname, method: 'GET' as const, headers: [], onRecorded: resolve }
      connections.dispatcher.dispatch(options, {
        onRequestStart: () => undefined,
        onResponseError: (_, error) => reject(error),
      })
    })
  } finally {
    await connections.close()
  }
}

/** A bank that requests a client certificate. */
const bankOverTls = (): Promise<number> =>
  listening(
    createServer(
      {
        ...made.get('bank'),
        requestCert: true,
        rejectUnauthorized: false,
        ca: made.get('client')?.cert ?? '',
      },
      (request, response) => {
        const { authorized } = request.socket as unknown as { authorized: boolean }
        response.writeHead(authorized ? 200 : 403).end()
      },
    ),
  )

describe('TLS', () => {
  test('a certificate of an unknown authority is refused', async () => {
    const { fault } = await ask(`https://127.0.0.1:${await bankOverTls()}/`, {})
    expect(fault?.kind).toBe('tls')
  })

  test('a private authority is trusted in addition to the public ones', async () => {
    const { response } = await ask(`https://127.0.0.1:${await bankOverTls()}/`, { ca: file('bank.pem') })
    expect(response?.status).toBe(403)
  })

  test('the client sends its own certificate', async () => {
    const files = { ca: file('bank.pem'), certificate: file('client.pem'), key: file('client-key.pem') }
    const { response } = await ask(`https://127.0.0.1:${await bankOverTls()}/`, files)
    expect(response?.status).toBe(200)
  })

  test('verification can be disabled', async () => {
    const { response } = await ask(`https://127.0.0.1:${await bankOverTls()}/`, { verify: false })
    expect(response?.status).toBe(403)
  })

  test('the error names a file that is missing, or not a certificate', async () => {
    await expect(ask('https://127.0.0.1:1/', { ca: file('none.pem') })).rejects.toThrow(
      /`connection\.ca`: .*none\.pem does not exist/,
    )
    const swapped = { certificate: file('client-key.pem'), key: file('client.pem') }
    await expect(ask('https://127.0.0.1:1/', swapped)).rejects.toThrow('make no TLS client')
  })

  test('a certificate needs its key', () => {
    const half = { ...sampleProfile(), connection: { certificate: 'client.pem' } }
    expect(profileSchema.safeParse(half).error?.issues).toMatchObject([{ path: ['connection', 'key'] }])
  })
})

/** A proxy that answers plain requests itself and opens no tunnel, and records what it is asked for. */
const proxy = async (): Promise<{ readonly url: string; readonly asked: string[] }> => {
  const asked: string[] = []
  const server = createHttpServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    response.writeHead(204).end()
  })
  server.on('connect', ({ url }, client) => {
    asked.push(`CONNECT ${url}`)
    client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  return { url: `http://127.0.0.1:${await listening(server)}`, asked }
}

test.each(['directly', 'through a proxy'])(
  'an answer may follow interim ones that were not asked for, %s',
  async (way) => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
    const server = await startRawServer((socket) => {
      socket.write(`${interim}${interim}`)
      setImmediate(() =>
        socket.write(
          `${interim}HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nSet-Cookie: a=b\r\n\r\n`,
        ),
      )
    })
    onTestFinished(() => server.close())
    const { response } = await (way === 'directly'
      ? ask(server.url, {})
      : ask('http://bank.example/', { proxy: server.url }))
    expect(response).toMatchObject({ status: 200, body: { text: '{}' } })
  },
)

const plainBank = (): Promise<number> =>
  listening(createHttpServer((_, response) => response.writeHead(204).end()))

describe('a proxy', () => {
  test.for(['profile', 'environment'])('of the %s is asked for plain addresses', async (source) => {
    const { url, asked } = await proxy()
    const isProfile = source === 'profile'
    const { response } = await ask(
      'http://bank.example:8080/accounts',
      isProfile ? { proxy: url } : {},
      isProfile ? {} : { HTTPS_PROXY: url, HTTP_PROXY: url },
    )
    expect(response?.status).toBe(204)
    expect(asked).toEqual(['GET http://bank.example:8080/accounts'])
  })

  test('is asked for a tunnel to https addresses', async () => {
    const { url, asked } = await proxy()
    const { response } = await ask('https://bank.example/', { proxy: url })
    expect(response).toBeUndefined()
    expect(asked).toEqual(['CONNECT bank.example:443'])
  })

  test('is not used for this machine, nor if the profile sets none', async () => {
    const { url, asked } = await proxy()
    const port = await plainBank()
    const { response } = await ask(`http://127.0.0.1:${port}/`, { proxy: url })
    expect(response?.status).toBe(204)
    await ask(`http://localhost:${port}/`, { proxy: 'none' }, { HTTP_PROXY: url })
    expect(asked).toEqual([])
  })
})
