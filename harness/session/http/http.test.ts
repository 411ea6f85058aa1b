import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Agent } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import { KEPT_BYTES, recorder, type Intent } from '../../evidence/recorder.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { HeldBack, Inconclusive, NotReached } from '../../evidence/signals.ts'
import { startRawServer } from '../../testing/faults/raw-server.ts'
import * as responses from '../../testing/faults/fault-responses.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { openConnections } from '../../connection/connections.ts'
import { permitsAnywhere } from './permissions.ts'
import { createHttp } from './http.ts'
import type { Socket } from 'node:net'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Respond } from '../../testing/faults/raw-server.ts'
import type { HttpOptions } from './http.ts'
import type { HttpRequest } from './request.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(undo.splice(0).map((close) => close()))
})

const serve = async (respond: Respond) => {
  const server = await startRawServer(respond)
  undo.push(() => server.close())
  return server
}

const ok = responses.json(200, { accounts: [] })

/** Sends to a server, and stores every exchange; the journal gets the same ones. */
const httpTo = (url: string, options: Partial<HttpOptions> = {}) => {
  const connections = openConnections(parsedProfile())
  undo.push(() => connections.close())
  const exchanges: Exchange[] = []
  const journaled: Exchange[] = []
  const http = createHttp({
    scenario: 'sample',
    dispatcher: connections.dispatcher,
    origins: [url],
    permits: permitsAnywhere(['read', 'consent']),
    headers: {},
    requestMs: 20_000,
    now: () => new Date(),
    redactor: createRedactor([]),
    journal: { write: (exchange) => journaled.push(exchange), close: () => undefined },
    onExchange: (exchange) => exchanges.push(exchange),
    ...options,
  })
  return { http, exchanges, journaled }
}

const request = (url: string, parts: Partial<HttpRequest> = {}): HttpRequest => ({
  operation: 'listAccounts',
  sender: 'scenario',
  method: 'GET',
  url: `${url}/v1/accounts`,
  headers: [],
  ...parts,
})
const creating = { operation: 'createConsent', method: 'POST' } as const

test('a request above the allowed effects is never sent', async () => {
  const server = await serve(ok)
  const { http, exchanges } = httpTo(server.url, { permits: permitsAnywhere(['read']) })
  await expect(http.send(request(server.url, creating))).rejects.toThrow(HeldBack)
  await http.send(request(server.url))
  expect(server.calls.map(({ method }) => method)).toEqual(['GET'])
  expect(exchanges).toHaveLength(1)
})

test('a request above the effects that are allowed at its address is never sent', async () => {
  const server = await serve(ok)
  const { http } = httpTo(server.url, {
    permits: ({ url }) => ({
      kind: 'allowed',
      effects: url.includes('/production/') ? ['read'] : ['read', 'consent'],
    }),
  })
  const there = { ...creating, url: `${server.url}/production/v1/consents` }
  await expect(http.send(request(server.url, there))).rejects.toThrow(HeldBack)
  await http.send(request(server.url, { url: `${server.url}/production/v1/accounts` }))
  await http.send(request(server.url, creating))
  expect(server.calls.map(({ method }) => method)).toEqual(['GET', 'POST'])
})

test.each([
  ['another host', 'http://127.0.0.1.example'],
  ['another port', 'http://127.0.0.1:1'],
  ['another scheme', 'https://127.0.0.1'],
])('a request to %s is never sent', async (_, elsewhere) => {
  const { http, exchanges } = httpTo('http://127.0.0.1')
  await expect(http.send(request(elsewhere))).rejects.toThrow(HeldBack)
  expect(exchanges).toEqual([])
})

test('a reading request whose connection is dropped is sent again, and both are recorded', async () => {
  const server = await serve(responses.onlyOnFreshConnections(ok))
  const { http, exchanges, journaled } = httpTo(server.url)
  await http.send(request(server.url))
  // By then the client has returned the connection to its pool.
  await setImmediate()
  const second = await http.send(request(server.url))
  expect(second.response?.status).toBe(200)
  expect(exchanges.map(({ id, fault }) => [id, fault?.kind])).toEqual([
    ['sample/1', undefined],
    ['sample/2', 'reset'],
    ['sample/3', undefined],
  ])
  expect(journaled).toEqual(exchanges)
})

test('a reading request is not sent a third time', async () => {
  const server = await serve(responses.resetBeforeAnswer)
  const { http } = httpTo(server.url)
  expect((await http.send(request(server.url))).fault?.kind).toBe('reset')
  expect(server.calls).toHaveLength(2)
})

test.each([
  ['creates something', creating],
  ['calls a test hook', { operation: 'testHook', method: 'POST' } as const],
])('a request that %s is sent once, over a new connection', async (_, parts) => {
  const server = await serve(responses.onlyOnFreshConnections(ok))
  const { http, exchanges } = httpTo(server.url)
  await http.send(request(server.url))
  await setImmediate()
  for (let count = 0; count < 3; count += 1) await http.send(request(server.url, parts))
  expect(exchanges.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined, undefined])

  const dropping = await serve(responses.resetBeforeAnswer)
  const other = httpTo(dropping.url)
  expect((await other.http.send(request(dropping.url, parts))).fault?.kind).toBe('reset')
  expect(dropping.calls).toHaveLength(1)
})

test('the deadline ends a request and its connection', async () => {
  const ended: Promise<unknown>[] = []
  const server = await serve((socket) => void ended.push(once(socket, 'close')))
  const { http } = httpTo(server.url, { requestMs: 50 })
  const { fault } = await http.send(request(server.url))
  expect(fault).toEqual({
    kind: 'timeout',
    cause: 'DEADLINE',
    message: 'no whole answer came before the deadline of one request',
  })
  await Promise.all(ended)
  expect(ended).toHaveLength(1)
})

test('a request whose connection is made after its deadline is never sent', async () => {
  const server = await serve(ok)
  const { port, hostname } = new URL(server.url)
  const letThrough: (() => void)[] = []
  const slow = new Agent({
    connect: (_, callback) =>
      void letThrough.push(() => {
        const socket: Socket = connect(Number(port), hostname, () => callback(null, socket))
      }),
  })
  undo.push(() => slow.destroy())
  const { http } = httpTo(server.url, { requestMs: 50, dispatcher: slow.compose(recorder) })
  const late = await http.send(request(server.url, creating))
  expect(late.fault?.cause).toBe('UNCONNECTED')

  // A second one over the same agent shows that the connection was made in the end.
  const next = http.send(request(server.url, { method: 'HEAD' }))
  for (const connectNow of letThrough) connectNow()
  await next
  expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([])
})

test('the end of the run ends open requests, and nothing more is sent', async () => {
  const end = new AbortController()
  const reason = new Inconclusive('the run is over')
  const server = await serve(() => end.abort(reason))
  const { http } = httpTo(server.url, { ends: end.signal })
  expect((await http.send(request(server.url))).fault?.cause).toBe('RUN_ENDED')
  await expect(http.send(request(server.url))).rejects.toBe(reason)
  expect(server.calls).toHaveLength(1)
})

test('a request that cannot be made is the fault of the harness, at once', async () => {
  const server = await serve(ok)
  const { http, exchanges } = httpTo(server.url)
  for (const parts of [
    { headers: [['X-Test', 'a\nb']] },
    { headers: [['Transfer-Encoding', 'chunked']] },
    { method: 'GE T' },
    { url: 'no url' },
  ] as const) {
    const sent = http.send(request(server.url, parts))
    await expect(sent).rejects.not.toBeInstanceOf(Inconclusive)
    await expect(sent).rejects.not.toBeInstanceOf(NotReached)
  }
  const throwing = new Agent()
  throwing.dispatch = () => {
    throw new Error('no dispatch today')
  }
  const other = httpTo(server.url, { dispatcher: throwing })
  await expect(other.http.send(request(server.url))).rejects.toThrow('no dispatch today')
  expect([...exchanges, ...server.calls]).toEqual([])
})

test('an access token that no header can carry is a fault of the target', async () => {
  const server = await serve(ok)
  const { http } = httpTo(server.url)
  for (const token of ['a\nb', 'a\u0000', 'žeton'])
    await expect(
      http.send(request(server.url, { headers: [['Authorization', `Bearer ${token}`]] })),
    ).rejects.toThrow(NotReached)
  expect(server.calls).toEqual([])
})

test('recorded answers replace the network, and new requests and answers are recorded before they are used', async () => {
  const server = await serve(ok)
  const known = await httpTo(server.url).http.send(request(server.url))
  const recorded: string[] = []
  const replayLog = {
    exchange: ({ id }: { readonly id: string }) => (id === known.id ? known : undefined),
    recordIntent: ({ id }: Intent) => void recorded.push(`intent ${id}`),
    recordExchange: ({ id }: Exchange) => void recorded.push(`exchange ${id}`),
  }
  const { http, exchanges, journaled } = httpTo(server.url, { replayLog })
  expect(await http.send(request(server.url))).toBe(known)
  await http.send(request(server.url, creating))
  await http.send(request(server.url))
  expect(server.calls.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET'])
  // A request that only reads may be sent again.
  expect(recorded).toEqual(['intent sample/2', 'exchange sample/2', 'exchange sample/3'])
  expect([exchanges.length, journaled.length]).toEqual([3, 3])
})

test('a browser gets the whole body, sends its own header fields, and decides when the exchange is written', async () => {
  const long = 'x'.repeat(KEPT_BYTES + 1)
  const server = await serve(responses.json(200, long))
  const { http, exchanges, journaled } = httpTo(server.url, { headers: { 'User-Agent': 'suite', Gate: 'g' } })
  const asked = request(server.url, { headers: [['user-agent', 'browser']] })
  const bodies: string[] = []
  const writes: (() => void)[] = []
  const exchange = await http.send(asked, () => [], {
    onBody: (bytes) => bodies.push(bytes.toString()),
    deferWrite: (write) => writes.push(write),
  })
  expect(bodies).toEqual([JSON.stringify(long)])
  expect(exchange.response?.body.text).toHaveLength(KEPT_BYTES)
  expect(exchange.request.headers.filter(([name]) => /^(user-agent|gate)$/i.test(name))).toEqual([
    ['Gate', 'g'],
    ['user-agent', 'browser'],
  ])
  expect([exchanges.length, journaled.length]).toEqual([1, 0])
  for (const write of writes) write()
  expect(journaled).toEqual([exchange])
})

test('a request for the appearance of a page is sent, and is not recorded', async () => {
  const server = await serve(ok)
  const { http, exchanges, journaled } = httpTo(server.url)
  await http.send(request(server.url), () => [], { isUnrecorded: true })
  expect(server.calls).toHaveLength(1)
  expect([exchanges, journaled]).toEqual([[], []])
  expect((await http.send(request(server.url))).id).toBe('sample/1')
  await expect(http.send(request('http://127.0.0.1:9'), undefined, { isUnrecorded: true })).rejects.toThrow(
    HeldBack,
  )
})

test('an answer that was interrupted by the end of the run is not recorded', async () => {
  const end = new AbortController()
  // The server has received the request when the run ends.
  const server = await serve(() => end.abort(new Error('over')))
  const kept: Exchange[] = []
  const replayLog = {
    exchange: () => undefined,
    recordIntent: () => undefined,
    recordExchange: (one: Exchange) => void kept.push(one),
  }
  const { http } = httpTo(server.url, { replayLog, ends: end.signal })
  await http.send(request(server.url, creating)).catch(() => undefined)
  expect(kept).toEqual([])
  expect(end.signal.aborted).toBe(true)
})

describe('a target that throttles requests', () => {
  const busy = (times: number, status: number): Respond =>
    responses.first(times, responses.json(status, {}, { 'retry-after': '7' }), ok)

  test('gets the request again after the time that it asks for', async () => {
    const server = await serve(busy(2, 429))
    const pauses: number[] = []
    const { http, exchanges } = httpTo(server.url, { pause: async (ms) => void pauses.push(ms) })
    const { response } = await http.send(request(server.url, creating))
    expect(response?.status).toBe(200)
    expect(pauses).toEqual([7_000, 7_000])
    expect(exchanges.map(({ response: each }) => each?.status)).toEqual([429, 429, 200])
  })

  test('gets a request four times at most, and then this is its answer', async () => {
    const server = await serve(busy(100, 503))
    const { http, exchanges } = httpTo(server.url, { pause: async () => undefined })
    expect((await http.send(request(server.url))).response?.status).toBe(503)
    expect(exchanges).toHaveLength(4)
  })

  test('gets no repetition without a `pause`', async () => {
    const server = await serve(busy(100, 429))
    const { http, exchanges } = httpTo(server.url)
    expect((await http.send(request(server.url))).response?.status).toBe(429)
    expect(exchanges).toHaveLength(1)
  })
})

describe('a server error', () => {
  const failing = responses.json(500, { errorCode: 'INTERNAL_ERROR' })
  /** Answers each path separately. */
  const byPath =
    (paths: Readonly<Record<string, Respond>>): Respond =>
    (socket, call) =>
      (paths[call.path] ?? ok)(socket, call)
  const balances = responses.json(200, { balances: [] })
  const account = (url: string, name: string, parts: Partial<HttpRequest> = {}): HttpRequest =>
    request(url, { operation: 'readAccount', url: `${url}/${name}`, ...parts })

  test('to a reading request is followed by an accepted request each time', async () => {
    const server = await serve(byPath({ '/one': balances, '/two': failing }))
    const pauses: number[] = []
    const { http, exchanges } = httpTo(server.url, { pause: async (ms) => void pauses.push(ms) })
    await http.send(account(server.url, 'one'))
    expect(await http.send(account(server.url, 'two'))).toMatchObject({ timesRepeated: 3 })
    const asked = server.calls.map(({ path }) => path).join(' ')
    expect(asked).toBe('/one /two /one /two /one /two /one')
    expect(pauses).toEqual([1_000, 2_000])
    expect(exchanges.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7].map((at) => `sample/${at}`))
    expect(exchanges.every(({ timesRepeated }) => timesRepeated === undefined)).toBe(true)
  })

  test('is no refusal: a refusal is asked again once, and has the id of an acceptance', async () => {
    const server = await serve(responses.first(1, responses.json(401, {}), balances))
    const { http } = httpTo(server.url)
    expect(await http.send(account(server.url, 'one'))).toMatchObject({
      response: { status: 401 },
      acceptedAs: 'sample/2',
    })
  })

  test.each([
    ['nothing was accepted before', {}, {}],
    ['another operation was accepted before', { operation: 'listAccounts' }, {}],
    ['the same operation was accepted in the other environment', { environment: 'production' }, {}],
    ['the request may have an effect', { operation: 'configureWebhook' }, { operation: 'configureWebhook' }],
    ['a test hook is called', { sender: 'testHook' }, { sender: 'testHook' }],
  ] as const)('is not repeated if %s', async (name, before, parts) => {
    const server = await serve(byPath({ '/one': balances, '/two': failing }))
    const { http } = httpTo(server.url, { permits: permitsAnywhere(['read', 'notify']) })
    if (name !== 'nothing was accepted before') await http.send(account(server.url, 'one', before))
    const { timesRepeated } = await http.send(account(server.url, 'two', parts))
    expect(timesRepeated).toBeUndefined()
    expect(server.calls.filter(({ path }) => path === '/two')).toHaveLength(1)
  })
})
