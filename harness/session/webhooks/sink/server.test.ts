import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Agent, request } from 'undici'
import { NotReached } from '../../../evidence/signals.ts'
import { FIXTURE_CERTIFICATE, FIXTURE_KEY } from '../../../testing/faults/self-signed-fixture.ts'
import { addressOf, openSink } from './server.ts'
import type { RunningSink } from './server.ts'
import type { Arrival } from './sink.ts'
import { scratch } from '../../../testing/samples/reports.ts'

const HERE = { host: '127.0.0.1', port: 0 }

const running: RunningSink[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((sink) => sink.close()))
})

/** A sink with one address, and what is received there. */
const listening = async (settings: Partial<Parameters<typeof openSink>[0]> = {}) => {
  const opened = await openSink({ ...HERE, ...settings })
  running.push(opened)
  const received: Arrival[] = []
  let wake: () => void = () => undefined
  const { url } = opened.sink.open((arrival) => {
    received.push(arrival)
    wake()
  })
  /** Until so many have come; the time limit of the test is the deadline. */
  const until = async (count: number): Promise<void> => {
    while (received.length < count) await new Promise<void>((resolve) => (wake = resolve))
  }
  return { url, received, until, ...opened }
}

const post = async (url: string, body: string, dispatcher?: Agent): Promise<number> => {
  const response = await request(url, { method: 'POST', body, ...(dispatcher && { dispatcher }) })
  await response.body.dump()
  return response.statusCode
}

/** Writes to a socket of its own. */
const raw = async (url: string, text: string) => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // A broken connection is what some of these tests are about.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const head = (url: string, length: number): string =>
  `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: me\r\nContent-Length: ${length}\r\n\r\n`

describe('a call over the network', () => {
  test('is reported with its header fields as they stood on the wire, and answered with 204', async () => {
    const { url, received } = await listening()
    const response = await request(url, {
      method: 'POST',
      headers: { 'X-Mark': 'one', authorization: 'top secret' },
      body: '{"a":1}',
    })
    expect(response.statusCode).toBe(204)
    expect(received).toMatchObject([{ url, method: 'POST', status: 204, body: { text: '{"a":1}' } }])
    expect(received[0]?.headers).toContainEqual(['X-Mark', 'one'])
  })

  test('that breaks off is reported as far as it came, with the reason', async () => {
    const { url, received, until } = await listening()
    const socket = await raw(url, `${head(url, 100)}{"consentId`)
    // The sink has begun to read once it has the head; the rest never comes.
    socket.end()
    await until(1)
    expect(received).toMatchObject([{ fault: { kind: 'reset' }, body: { text: '{"consentId', bytes: 11 } }])
  })

  test('whose sender takes too long is cut off, and reported as far as it came', async () => {
    const { url, received, until } = await listening({ requestMs: 100 })
    const socket = await raw(url, `${head(url, 100)}{"consentId`)
    socket.resume()
    await until(1)
    expect(received).toMatchObject([{ fault: { kind: 'timeout' }, body: { bytes: 11 } }])
  })

  test('that is no HTTP ends its own connection and nothing else', async () => {
    const { url, received } = await listening()
    const socket = await raw(url, 'this is no HTTP\r\n\r\n')
    socket.resume()
    await once(socket, 'close')
    expect(await post(url, '{}')).toBe(204)
    expect(received).toHaveLength(1)
  })

  test('of a slow sender does not hold up others', async () => {
    const { url, received, until } = await listening()
    const slow = await raw(url, `${head(url, 2)}{`)
    expect(await post(url, '{"fast":true}')).toBe(204)
    slow.write('}')
    await until(2)
    expect(received.map(({ body }) => body.text)).toEqual(['{"fast":true}', '{}'])
    slow.destroy()
  })

  test('is one of a thousand at once, and none is lost', async () => {
    const { url, received } = await listening()
    const agent = new Agent({ connections: 1_000 })
    const statuses = await Promise.all(
      Array.from({ length: 1_000 }, (_, at) => post(url, `{"at":${at}}`, agent)),
    )
    await agent.destroy()
    expect(new Set(statuses)).toEqual(new Set([204]))
    expect(new Set(received.map(({ body }) => body.text)).size).toBe(1_000)
  })
})

describe('the address', () => {
  test('is what the target gets, where that is given', async () => {
    const { url, sink, received } = await listening({ publicUrl: 'https://me.example/hook/' })
    expect(url).toMatch(/^https:\/\/me\.example\/hook\/[\w-]{22}$/)
    await sink.receive(new Request(url, { method: 'POST', body: '{}' }))
    expect(received).toMatchObject([{ url }])
  })

  test.each([
    ['127.0.0.1', false, 'http://127.0.0.1:80'],
    ['0.0.0.0', false, 'http://localhost:80'],
    ['::1', true, 'https://[::1]:80'],
  ])('of %s (TLS: %s) is %s', (host, isTls, expected) => {
    expect(addressOf(host, 80, isTls)).toBe(expected)
  })

  test('that is taken is a reason, not a crash', async () => {
    const { url } = await listening()
    const port = Number(new URL(url).port)
    await expect(openSink({ host: '127.0.0.1', port })).rejects.toThrow(NotReached)
    await expect(openSink({ host: '127.0.0.1', port })).rejects.toThrow(/webhooks\.listen.*EADDRINUSE/)
  })
})

describe('TLS', () => {
  test('is spoken with the certificate that is given', async () => {
    const folder = scratch()
    const files = { certificate: join(folder, 'sink.pem'), key: join(folder, 'key.pem') }
    writeFileSync(files.certificate, FIXTURE_CERTIFICATE)
    writeFileSync(files.key, FIXTURE_KEY)
    const { url, received } = await listening({ tls: files })
    expect(url).toMatch(/^https:/)
    const agent = new Agent({ connect: { rejectUnauthorized: false } })
    expect(await post(url, '{}', agent)).toBe(204)
    await agent.destroy()
    expect(received).toHaveLength(1)
  })

  test('is spoken with a certificate that the sink makes itself, for a target that trusts it', async () => {
    // TLS reads the clock of the machine, although that of this process may be shifted.
    vi.setSystemTime(Date.now() - Number(process.env['CLOCK_SHIFT_MS'] ?? 0))
    const { url, received, certificate = '' } = await listening({ tls: 'self-made' })
    vi.useRealTimers()
    const trusting = new Agent({ connect: { ca: certificate } })
    expect(await post(url, '{}', trusting)).toBe(204)
    await trusting.destroy()
    expect(received).toHaveLength(1)
    await expect(post(url, '{}')).rejects.toThrow('self-signed certificate')
  })

  test('names the public address in a certificate of its own', async () => {
    const { certificate = '' } = await listening({ tls: 'self-made', publicUrl: 'https://me.example/hook' })
    const made = new X509Certificate(certificate)
    expect(made.checkHost('me.example')).toBe('me.example')
    expect(made.checkHost('you.example')).toBeUndefined()
    expect(certificate).not.toContain('PRIVATE')
  })

  test('without its files is a reason, not a crash', async () => {
    const files = { certificate: '/nowhere/sink.pem', key: '/nowhere/key.pem' }
    await expect(openSink({ ...HERE, tls: files })).rejects.toThrow(/webhooks\.tls\.certificate/)
  })
})
