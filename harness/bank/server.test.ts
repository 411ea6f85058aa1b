import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { startBank } from './server.ts'
import { TestClient } from '../testing/bank-clients/test-client.ts'
import { variations } from './variations/index.ts'

/** The bytes of a response, since only they show the spelling of header names. */
const rawResponse = async (url: string, path: string, headers: readonly string[] = []): Promise<string> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${hostname}`, 'Connection: close', ...headers]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return text(socket)
}

const variationOf = (id: string) => {
  const variation = variations.find((candidate) => candidate.id === id)
  if (!variation) throw new Error(`no variation ${id}`)
  return { variation }
}

const ACCOUNTS = '/premium/sandbox/v1/accounts'

describe('a bank on a port', () => {
  test('answers over HTTP on its own port', async () => {
    const banks = [await startBank(), await startBank()]
    expect(new Set(banks.map(({ url }) => url)).size).toBe(2)
    for (const { url, close } of banks) {
      const client = new TestClient({ fetch, origin: url })
      expect((await client.accounts((await client.obtainTokens()).access_token)).status).toBe(200)
      await close()
    }
  })

  test('sends the time of its own clock as the date', async () => {
    const startAt = new Date('2026-01-05T21:43:00.000Z')
    const { url, close } = await startBank({ startAt })
    try {
      const date = Date.parse((await fetch(url)).headers.get('date') ?? '')
      expect(date - startAt.getTime()).toBeGreaterThanOrEqual(0)
      expect(date - startAt.getTime()).toBeLessThan(60_000)
    } finally {
      await close()
    }
  })

  test('closes at once with open idle connections', async () => {
    const { url, close } = await startBank()
    await (await fetch(`${url}${ACCOUNTS}`)).text()
    const { hostname, port } = new URL(url)
    const idle = connect(Number(port), hostname).on('error', () => undefined)
    const ended = new Promise((resolve) => idle.once('close', resolve))
    await new Promise((resolve) => idle.once('connect', resolve))
    await close()
    await ended
    await expect(fetch(url)).rejects.toThrow()
  })

  test('reports that a port is in use', async () => {
    const { url, close } = await startBank()
    await expect(startBank({ port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await close()
  })

  test.each([
    ['header-names-are-in-title-case', 'Content-Type: '],
    ['header-names-are-in-upper-case', 'CONTENT-TYPE: '],
    ['bodies-are-sent-in-chunks', 'Transfer-Encoding: chunked'],
    ['bodies-are-compressed-with-gzip', 'content-encoding: gzip'],
  ])('is received on the wire to be %s', async (id, line) => {
    const { url, close } = await startBank(variationOf(id))
    const response = await rawResponse(url, ACCOUNTS, ['Accept-Encoding: gzip'])
    expect(response.toLowerCase()).toContain(line.toLowerCase())
    if (id.endsWith('headers')) expect(response).toContain(line)
    await close()
  })

  test('keeps a connection, unless a variation closes it', async () => {
    const usual = await startBank()
    const closing = await startBank(variationOf('the-connection-is-closed-after-each-response'))
    expect((await fetch(`${usual.url}${ACCOUNTS}`)).headers.get('connection')).toBe('keep-alive')
    expect((await fetch(`${closing.url}${ACCOUNTS}`)).headers.get('connection')).toBe('close')
    await usual.close()
    await closing.close()
  })
})
