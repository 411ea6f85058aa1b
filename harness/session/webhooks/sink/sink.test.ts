import { gzipSync } from 'node:zlib'
import { expect, test, beforeEach, describe } from 'vitest'
import { createSink, type Arrival, type Sink } from './sink.ts'

const BASE = 'https://me.example:8443/hook'

let sink: Sink
let heard: Arrival[]
const hear = (arrival: Arrival): void => void heard.push(arrival)

beforeEach(() => {
  sink = createSink(BASE)
  heard = []
})

const call = (url: string, init: RequestInit = { method: 'POST', body: '{}' }): Promise<Response> =>
  sink.receive(new Request(url, init))

describe('an address', () => {
  test('is heard alone by who has opened it', async () => {
    const others: Arrival[] = []
    const { url } = sink.open(hear)
    sink.open((arrival) => others.push(arrival))
    const response = await call(url, { method: 'POST', body: '{"a":1}', headers: { 'X-Mark': 'one' } })
    expect(response.status).toBe(204)
    expect(heard).toMatchObject([{ method: 'POST', url, body: { text: '{"a":1}', bytes: 7 }, status: 204 }])
    expect(heard[0]?.headers).toContainEqual(['x-mark', 'one'])
    expect(others).toEqual([])
  })

  test('stands below the address that the target is told, and cannot be guessed', () => {
    const urls = Array.from({ length: 100 }, () => sink.open(hear).url)
    expect(new Set(urls).size).toBe(100)
    for (const url of urls) expect(url).toMatch(/^https:\/\/me\.example:8443\/hook\/[\w-]{22}$/)
  })

  test('is found where a proxy has taken the prefix away', async () => {
    const { url } = sink.open(hear)
    await call(url.replace('/hook/', '/'))
    expect(heard).toMatchObject([{ url }])
  })

  test('is found where the target has put something around it, which is told as it was called', async () => {
    const { url } = sink.open(hear)
    await call(`${url}/transactionEvent?a=b`)
    await call(`${BASE}/v2/${url.split('/').at(-1) ?? ''}`)
    expect(heard.map((arrival) => arrival.url)).toEqual([
      `${url}/transactionEvent?a=b`,
      url.replace('/hook/', '/hook/v2/'),
    ])
  })

  test('that nobody was told is not known', async () => {
    sink.open(hear)
    const response = await call(`${BASE}/AAAAAAAAAAAAAAAAAAAAAA`)
    expect(response.status).toBe(404)
    expect(heard).toEqual([])
  })

  test('that is closed answers as before, so that nobody tries again, and hears nothing', async () => {
    const address = sink.open(hear)
    address.close()
    expect((await call(address.url)).status).toBe(204)
    expect(heard).toEqual([])
  })

  test('that is closed is heard by who claims the call, as long as they listen themselves', async () => {
    const closed = sink.open(() => undefined)
    closed.close()
    const claiming = sink.open(hear, ({ body }) => body.text === 'mine')
    await call(closed.url, { method: 'POST', body: 'theirs' })
    await call(closed.url, { method: 'POST', body: 'mine' })
    expect(heard.map(({ url, body }) => [url, body.text])).toEqual([[closed.url, 'mine']])
    claiming.close()
    expect((await call(closed.url, { method: 'POST', body: 'mine' })).status).toBe(204)
    expect(heard.length).toBe(1)
  })

  test('that somebody listens at is claimed by nobody else', async () => {
    const own: Arrival[] = []
    const { url } = sink.open((arrival) => own.push(arrival))
    sink.open(hear, () => true)
    await call(url)
    expect([own.length, heard.length]).toEqual([1, 0])
  })

  test('of the sink as a whole is heard by the last one who asked', async () => {
    const first: Arrival[] = []
    const earlier = sink.openWhole((arrival) => first.push(arrival))
    const { url } = sink.openWhole(hear)
    // Who came before goes after: that must not end what came later.
    earlier.close()
    await call(url)
    await call(`${url}/deeper`)
    expect(first).toEqual([])
    expect(heard.map((arrival) => arrival.url)).toEqual([BASE, `${BASE}/deeper`])
  })

  test('of the sink as a whole is its own path alone, or none where a proxy has taken the prefix away', async () => {
    sink.openWhole(hear)
    for (const path of ['/hookah', '/elsewhere', '/hoo'])
      expect((await call(new URL(path, BASE).href)).status).toBe(404)
    expect(heard).toEqual([])
    for (const path of ['/hook', '/hook/', '/hook?a=b', '/'])
      expect((await call(new URL(path, BASE).href)).status).toBe(204)
    expect(heard.length).toBe(4)
  })
})

describe('behind a tunnel', () => {
  test.each(['/health', '/hook/health', '/hook/health?since=1'])(
    '%s tells that somebody listens',
    async (path) => {
      sink.openWhole(hear)
      const { url } = sink.open(hear)
      for (const method of ['GET', 'HEAD'])
        expect((await call(new URL(path, BASE).href, { method })).status).toBe(200)
      expect([heard, sink.calls]).toEqual([[], 0])
      // Whoever calls an address below its own is a target.
      expect((await call(`${url}/health`, { method: 'GET' })).status).toBe(204)
      expect((await call(`${BASE}/health`)).status).toBe(204)
      expect(heard.length).toBe(2)
    },
  )

  test('a call at an address that nobody was told is a stray, and no delivery', async () => {
    const strays: Arrival[] = []
    sink = createSink(BASE, (arrival) => strays.push(arrival))
    sink.open(hear)
    expect((await call('https://me.example:8443/elsewhere?a=b', { method: 'POST', body: 'x' })).status).toBe(
      404,
    )
    expect([heard, sink.calls]).toEqual([[], 0])
    expect(strays).toMatchObject([
      { url: 'https://me.example:8443/elsewhere?a=b', method: 'POST', status: 404, body: { text: 'x' } },
    ])
  })
})

describe('a call', () => {
  test.each(['', '{"a":', 'null', '\u0000', 'ß'.repeat(1000)])('is taken with the body %j', async (body) => {
    const { url } = sink.open(hear)
    await call(url, { method: 'POST', body })
    expect(heard).toMatchObject([{ body: { text: body } }])
  })

  test('is told without its content coding', async () => {
    const { url } = sink.open(hear)
    const body = new Uint8Array(gzipSync('{"a":1}'))
    await call(url, { method: 'POST', body, headers: { 'content-encoding': 'gzip' } })
    expect(heard).toMatchObject([{ body: { text: '{"a":1}', bytes: 7 } }])
  })

  test('is told as it is where its content coding cannot be undone', async () => {
    const { url } = sink.open(hear)
    await call(url, { method: 'POST', body: 'no gzip', headers: { 'content-encoding': 'gzip' } })
    expect(heard).toMatchObject([{ body: { text: 'no gzip' } }])
  })
})
