import { gzipSync } from 'node:zlib'
import { expect, test, beforeEach, describe } from 'vitest'
import { createSink, type Arrival, type Sink } from './sink.ts'

const BASE = 'https://me.example:8443/hook'

let sink: Sink
let received: Arrival[]
const listener = (arrival: Arrival): void => void received.push(arrival)

beforeEach(() => {
  sink = createSink(BASE)
  received = []
})

const call = (url: string, init: RequestInit = { method: 'POST', body: '{}' }): Promise<Response> =>
  sink.receive(new Request(url, init))

describe('an address', () => {
  test('passes its calls only to the listener that has opened it', async () => {
    const others: Arrival[] = []
    const { url } = sink.open(listener)
    sink.open((arrival) => others.push(arrival))
    const response = await call(url, { method: 'POST', body: '{"a":1}', headers: { 'X-Mark': 'one' } })
    expect(response.status).toBe(204)
    expect(received).toMatchObject([
      { method: 'POST', url, body: { text: '{"a":1}', bytes: 7 }, status: 204 },
    ])
    expect(received[0]?.headers).toContainEqual(['x-mark', 'one'])
    expect(others).toEqual([])
  })

  test('stands below the address that the target gets, and cannot be guessed', () => {
    const urls = Array.from({ length: 100 }, () => sink.open(listener).url)
    expect(new Set(urls).size).toBe(100)
    for (const url of urls) expect(url).toMatch(/^https:\/\/me\.example:8443\/hook\/[\w-]{22}$/)
  })

  test('is found where a proxy has taken the prefix away', async () => {
    const { url } = sink.open(listener)
    await call(url.replace('/hook/', '/'))
    expect(received).toMatchObject([{ url }])
  })

  test('is found within a longer address that the target calls, and the call has that longer address', async () => {
    const { url } = sink.open(listener)
    await call(`${url}/transactionEvent?a=b`)
    await call(`${BASE}/v2/${url.split('/').at(-1) ?? ''}`)
    expect(received.map((arrival) => arrival.url)).toEqual([
      `${url}/transactionEvent?a=b`,
      url.replace('/hook/', '/hook/v2/'),
    ])
  })

  test('that was never opened is not found', async () => {
    sink.open(listener)
    const response = await call(`${BASE}/AAAAAAAAAAAAAAAAAAAAAA`)
    expect(response.status).toBe(404)
    expect(received).toEqual([])
  })

  test('that is closed answers as before, so that the target does not repeat the call, and passes nothing on', async () => {
    const address = sink.open(listener)
    address.close()
    expect((await call(address.url)).status).toBe(204)
    expect(received).toEqual([])
  })

  test('that is closed passes its calls to the open listener that claims them', async () => {
    const closed = sink.open(() => undefined)
    closed.close()
    const claiming = sink.open(listener, ({ body }) => body.text === 'mine')
    await call(closed.url, { method: 'POST', body: 'theirs' })
    await call(closed.url, { method: 'POST', body: 'mine' })
    expect(received.map(({ url, body }) => [url, body.text])).toEqual([[closed.url, 'mine']])
    claiming.close()
    expect((await call(closed.url, { method: 'POST', body: 'mine' })).status).toBe(204)
    expect(received.length).toBe(1)
  })

  test('that is open passes no call to a listener that claims it', async () => {
    const own: Arrival[] = []
    const { url } = sink.open((arrival) => own.push(arrival))
    sink.open(listener, () => true)
    await call(url)
    expect([own.length, received.length]).toEqual([1, 0])
  })

  test('of the whole sink passes its calls to the listener that asked last', async () => {
    const first: Arrival[] = []
    const earlier = sink.openWhole((arrival) => first.push(arrival))
    const { url } = sink.openWhole(listener)
    // Closing the earlier listener must not end the later one.
    earlier.close()
    await call(url)
    await call(`${url}/deeper`)
    expect(first).toEqual([])
    expect(received.map((arrival) => arrival.url)).toEqual([BASE, `${BASE}/deeper`])
  })

  test('of the whole sink is its own path only, or none where a proxy removes the prefix', async () => {
    sink.openWhole(listener)
    for (const path of ['/hookah', '/elsewhere', '/hoo'])
      expect((await call(new URL(path, BASE).href)).status).toBe(404)
    expect(received).toEqual([])
    for (const path of ['/hook', '/hook/', '/hook?a=b', '/'])
      expect((await call(new URL(path, BASE).href)).status).toBe(204)
    expect(received.length).toBe(4)
  })
})

describe('behind a tunnel', () => {
  test.each(['/health', '/hook/health', '/hook/health?since=1'])(
    '%s shows that somebody listens',
    async (path) => {
      sink.openWhole(listener)
      const { url } = sink.open(listener)
      for (const method of ['GET', 'HEAD'])
        expect((await call(new URL(path, BASE).href, { method })).status).toBe(200)
      expect([received, sink.calls]).toEqual([[], 0])
      // Only a target calls an address below its own.
      expect((await call(`${url}/health`, { method: 'GET' })).status).toBe(204)
      expect((await call(`${BASE}/health`)).status).toBe(204)
      expect(received.length).toBe(2)
    },
  )

  test('a call at an unknown address is a stray, and no delivery', async () => {
    const strays: Arrival[] = []
    sink = createSink(BASE, (arrival) => strays.push(arrival))
    sink.open(listener)
    expect((await call('https://me.example:8443/elsewhere?a=b', { method: 'POST', body: 'x' })).status).toBe(
      404,
    )
    expect([received, sink.calls]).toEqual([[], 0])
    expect(strays).toMatchObject([
      { url: 'https://me.example:8443/elsewhere?a=b', method: 'POST', status: 404, body: { text: 'x' } },
    ])
  })
})

describe('a call', () => {
  test.each(['', '{"a":', 'null', '\u0000', 'ß'.repeat(1000)])('is taken with the body %j', async (body) => {
    const { url } = sink.open(listener)
    await call(url, { method: 'POST', body })
    expect(received).toMatchObject([{ body: { text: body } }])
  })

  test('is reported without its content coding', async () => {
    const { url } = sink.open(listener)
    const body = new Uint8Array(gzipSync('{"a":1}'))
    await call(url, { method: 'POST', body, headers: { 'content-encoding': 'gzip' } })
    expect(received).toMatchObject([{ body: { text: '{"a":1}', bytes: 7 } }])
  })

  test('is reported as it came where its content coding cannot be decoded', async () => {
    const { url } = sink.open(listener)
    await call(url, { method: 'POST', body: 'no gzip', headers: { 'content-encoding': 'gzip' } })
    expect(received).toMatchObject([{ body: { text: 'no gzip' } }])
  })
})
