import { gzipSync } from 'node:zlib'
import type { Socket } from 'node:net'
import type { Call, Treat } from './raw-server.ts'

/** What servers do to their clients, one treatment each. */

export const MIB = 1024 * 1024

type Fields = Readonly<Record<string, string | number>>

const REASONS: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 302: 'Found', 401: 'No' }

export const headOf = (status: number, fields: Fields): string =>
  [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Other'}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

/** A whole answer. */
export const answer =
  (status: number, body: string | Buffer = '', fields: Fields = {}): Treat =>
  (socket) => {
    const bytes = Buffer.from(body)
    socket.write(
      Buffer.concat([Buffer.from(headOf(status, { 'content-length': bytes.length, ...fields })), bytes]),
    )
  }

const JSON_TYPE = { 'content-type': 'application/json' }
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' }

export const json = (status: number, body: unknown, fields: Fields = {}): Treat =>
  answer(status, JSON.stringify(body), { ...JSON_TYPE, ...fields })

/** What a bank says to a call without a token: anything is well that far. */
export const unauthorized = json(401, { errorCode: 'TOKEN_INVALID' })

/** One treatment for the first calls, another one for the rest. */
export const first =
  (count: number, early: Treat, late: Treat): Treat =>
  (socket, call) =>
    (call.number <= count ? early : late)(socket, call)

export const silence: Treat = () => undefined

export const headThenSilence: Treat = (socket) => {
  socket.write(headOf(200, { ...JSON_TYPE, 'content-length': 1000 }))
}

/** A byte every five milliseconds: alive at every moment, and never done. */
export const drip: Treat = (socket) => {
  socket.write(headOf(200, { ...JSON_TYPE, 'content-length': MIB }))
  const timer = setInterval(() => socket.write(' '), 5)
  socket.on('close', () => clearInterval(timer))
}

export const resetBefore: Treat = (socket) => void socket.resetAndDestroy()

export const closeBefore: Treat = (socket) => void socket.end()

export const resetAmid: Treat = (socket) => {
  const half = `${headOf(200, { ...JSON_TYPE, 'content-length': 1000 })}{"consentId":`
  // The client has to see the half of it: a reset overtakes what is not yet read.
  socket.write(half, () => setImmediate(() => socket.end()))
}

export const brokenJson = answer(200, '{"consentId":"c-1","access_token":"t-1",', JSON_TYPE)

export const endlessJson: Treat = (socket) => {
  const item = Buffer.from(`${'{"consentId":"c-1"},'.repeat(3000)}\n`)
  const pour = (): void => {
    while (!socket.destroyed && socket.write(item));
  }
  socket.write(`${headOf(200, JSON_TYPE)}[`)
  socket.on('drain', pour)
  pour()
}

export const TEN_MIB = Buffer.from(JSON.stringify({ consentId: 'c-1', filling: 'x'.repeat(10 * MIB) }))
export const tenMebibytes = answer(200, TEN_MIB, JSON_TYPE)

/** One gibibyte of blanks: gzip members may follow one another, and sixty-four of sixteen mebibytes are small. */
const BOMB = Buffer.concat(new Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 * MIB, ' '), { level: 9 })))
export const gzipBomb = answer(200, BOMB, { ...JSON_TYPE, 'content-encoding': 'gzip' })

export const noGzip = answer(200, '{"consentId":"c-1"}', { ...JSON_TYPE, 'content-encoding': 'gzip' })

/** Text of which gzip can make little less. */
const SCRAMBLED = Array.from({ length: 500 }, (_, at) => Math.imul(at, 2_654_435_761)).join(' ')
export const halfGzip = answer(200, gzipSync(SCRAMBLED).subarray(0, 1000), {
  ...JSON_TYPE,
  'content-encoding': 'gzip',
})

/** Sends the client back to where it is, with another cookie each time. */
export const redirectToItself: Treat = (socket, call) => {
  const fields = { location: call.path, 'set-cookie': `visit=${call.number}; Path=/` }
  answer(302, '', fields)(socket, call)
}

export const redirectTo = (location: string): Treat => answer(302, '', { location })

const PAGE =
  '<!doctype html><title>Maintenance</title><h1>We will be back soon</h1><form><button>OK</button></form>'
export const html = (status: number): Treat => answer(status, PAGE, HTML_TYPE)

export const nothing = (status: number): Treat => answer(status)

export const garbage: Treat = (socket) => void socket.end(Buffer.alloc(500, 0x80))

export const headerBomb: Treat = (socket, call) =>
  answer(200, '{}', { 'x-bomb': 'x'.repeat(MIB) })(socket, call)

export const manyHeaders: Treat = (socket, call) => {
  const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x-${at}`, 'x']))
  answer(200, '{}', fields)(socket, call)
}

export const tooShort: Treat = (socket) => {
  socket.end(`${headOf(200, { ...JSON_TYPE, 'content-length': 1000 })}{"consentId":"c-1"}`)
}

export const switchesProtocols: Treat = (socket) => {
  socket.write(headOf(101, { connection: 'Upgrade', upgrade: 'websocket' }))
}

/** Treats the second and later calls of a connection as a server does whose idle connection just timed out. */
export const onlyOnFreshConnections =
  (treat: Treat): Treat =>
  (socket, call: Call) =>
    call.onConnection === 1 ? treat(socket, call) : void socket.destroy()

/** The socket as a server sees it that says `Connection: close` with each answer, and keeps its word. */
export const closingAfterAnswer = (socket: Socket): Socket => {
  const write = (bytes: Buffer): boolean => {
    const text = bytes.toString('latin1').replace('\r\n', '\r\nconnection: close\r\n')
    socket.end(Buffer.from(text, 'latin1'))
    return true
  }
  return Object.assign(Object.create(socket) as Socket, { write })
}

/** A login page whose form is sent somewhere else. */
export const loginAt = (action: string): Treat =>
  answer(
    200,
    `<form method="post" action="${action}"><input name="username"><input name="password"><button type="submit"></button></form>`,
    HTML_TYPE,
  )
