import { gzipSync } from 'node:zlib'
import type { Socket } from 'node:net'
import type { Call, Respond } from './raw-server.ts'

/** Responses of servers, valid and faulty. */

export const MIB = 1024 * 1024

type Fields = Readonly<Record<string, string | number>>

const REASONS: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 302: 'Found', 401: 'No' }

export const headOf = (status: number, fields: Fields): string =>
  [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Other'}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

/** A complete answer. */
export const answer =
  (status: number, body: string | Buffer = '', fields: Fields = {}): Respond =>
  (socket) => {
    const bytes = Buffer.from(body)
    socket.write(
      Buffer.concat([Buffer.from(headOf(status, { 'content-length': bytes.length, ...fields })), bytes]),
    )
  }

const JSON_TYPE = { 'content-type': 'application/json' }
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' }

export const json = (status: number, body: unknown, fields: Fields = {}): Respond =>
  answer(status, JSON.stringify(body), { ...JSON_TYPE, ...fields })

/** The answer of a working bank to a call without a token. */
export const unauthorized = json(401, { errorCode: 'TOKEN_INVALID' })

/** One response for the first calls, another for the rest. */
export const first =
  (count: number, early: Respond, late: Respond): Respond =>
  (socket, call) =>
    (call.number <= count ? early : late)(socket, call)

export const silence: Respond = () => undefined

export const headThenSilence: Respond = (socket) => {
  socket.write(headOf(200, { ...JSON_TYPE, 'content-length': 1000 }))
}

/** One byte every 5 ms, without end. */
export const byteByByte: Respond = (socket) => {
  socket.write(headOf(200, { ...JSON_TYPE, 'content-length': MIB }))
  const timer = setInterval(() => socket.write(' '), 5)
  socket.on('close', () => clearInterval(timer))
}

export const resetBeforeAnswer: Respond = (socket) => void socket.resetAndDestroy()

export const closeBeforeAnswer: Respond = (socket) => void socket.end()

export const closeDuringBody: Respond = (socket) => {
  const half = `${headOf(200, { ...JSON_TYPE, 'content-length': 1000 })}{"consentId":`
  // The client must receive this half, and a reset would discard bytes that it has not read.
  socket.write(half, () => setImmediate(() => socket.end()))
}

export const brokenJson = answer(200, '{"consentId":"c-1","access_token":"t-1",', JSON_TYPE)

/** Deeper than any parser that recurses can read. */
export const deepJson = answer(200, '['.repeat(100_000) + ']'.repeat(100_000), JSON_TYPE)

export const endlessJson: Respond = (socket) => {
  const item = Buffer.from(`${'{"consentId":"c-1"},'.repeat(3000)}\n`)
  const writeMore = (): void => {
    while (!socket.destroyed && socket.write(item));
  }
  socket.write(`${headOf(200, JSON_TYPE)}[`)
  socket.on('drain', writeMore)
  writeMore()
}

export const TEN_MIB = Buffer.from(JSON.stringify({ consentId: 'c-1', filling: 'x'.repeat(10 * MIB) }))
export const tenMebibytes = answer(200, TEN_MIB, JSON_TYPE)
/** Of what is neither JSON nor a page only the beginning is kept. */
export const tenMebibytesOfText = answer(200, 'x'.repeat(10 * MIB), JSON_TYPE)

/** 1 GiB of spaces, as 64 gzip members of 16 MiB each: a gzip stream may consist of several members. */
const BOMB = Buffer.concat(new Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 * MIB, ' '), { level: 9 })))
export const gzipBomb = answer(200, BOMB, { ...JSON_TYPE, 'content-encoding': 'gzip' })

export const noGzip = answer(200, '{"consentId":"c-1"}', { ...JSON_TYPE, 'content-encoding': 'gzip' })

/** Text that gzip compresses little. */
const INCOMPRESSIBLE = Array.from({ length: 500 }, (_, at) => Math.imul(at, 2_654_435_761)).join(' ')
export const halfGzip = answer(200, gzipSync(INCOMPRESSIBLE).subarray(0, 1000), {
  ...JSON_TYPE,
  'content-encoding': 'gzip',
})

/** Redirects the client to the same path, with a new cookie each time. */
export const redirectToItself: Respond = (socket, call) => {
  const fields = { location: call.path, 'set-cookie': `visit=${call.number}; Path=/` }
  answer(302, '', fields)(socket, call)
}

export const redirectTo = (location: string): Respond => answer(302, '', { location })

const PAGE =
  '<!doctype html><title>Maintenance</title><h1>We will be back soon</h1><form><button>OK</button></form>'
export const html = (status: number): Respond => answer(status, PAGE, HTML_TYPE)

export const emptyBody = (status: number): Respond => answer(status)

export const notHttp: Respond = (socket) => void socket.end(Buffer.alloc(500, 0x80))

export const hugeHeader: Respond = (socket, call) =>
  answer(200, '{}', { 'x-bomb': 'x'.repeat(MIB) })(socket, call)

export const manyHeaders: Respond = (socket, call) => {
  const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x-${at}`, 'x']))
  answer(200, '{}', fields)(socket, call)
}

export const tooShort: Respond = (socket) => {
  socket.end(`${headOf(200, { ...JSON_TYPE, 'content-length': 1000 })}{"consentId":"c-1"}`)
}

export const switchesProtocols: Respond = (socket) => {
  socket.write(headOf(101, { connection: 'Upgrade', upgrade: 'websocket' }))
}

/** Drops the connection at its second call, as a server does whose idle connection has just timed out. */
export const onlyOnFreshConnections =
  (respond: Respond): Respond =>
  (socket, call: Call) =>
    call.onConnection === 1 ? respond(socket, call) : void socket.destroy()

/** A socket that adds `Connection: close` to each answer, and then closes. */
export const closingAfterAnswer = (socket: Socket): Socket => {
  const write = (bytes: Buffer): boolean => {
    const text = bytes.toString('latin1').replace('\r\n', '\r\nconnection: close\r\n')
    socket.end(Buffer.from(text, 'latin1'))
    return true
  }
  return Object.assign(Object.create(socket) as Socket, { write })
}

/** A login page whose form is sent to the given address. */
export const loginForm = (action: string): Respond =>
  answer(
    200,
    `<form method="post" action="${action}"><input name="username"><input name="password"><button type="submit"></button></form>`,
    HTML_TYPE,
  )
