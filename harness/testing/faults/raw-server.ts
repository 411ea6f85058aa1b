import { createServer as createTcpServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'

/** A server that reads valid requests, and can write any bytes. */

export interface Call {
  readonly method: string
  /** Including the query. */
  readonly path: string
  readonly head: string
  readonly body: string
  /** The first call of the server has the number 1. */
  readonly number: number
  /** The first call on its connection has the number 1. */
  readonly onConnection: number
}

/** Writes the response to one call. */
export type Respond = (socket: Socket, call: Call) => void

export interface RawServer {
  /** Without a trailing slash. */
  readonly url: string
  /** All calls so far. */
  readonly calls: readonly Call[]
  /** Closes every connection and the port. */
  close(): Promise<void>
}

const HEAD_END = '\r\n\r\n'

interface Parsed {
  readonly call: Pick<Call, 'method' | 'path' | 'head' | 'body'>
  readonly rest: string
}

/** The first complete call in a latin1 text, if there is one. */
const parse = (text: string): Parsed | undefined => {
  const end = text.indexOf(HEAD_END)
  if (end === -1) return undefined
  const head = text.slice(0, end)
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  const start = end + HEAD_END.length
  if (text.length < start + length) return undefined
  const [method = '', path = ''] = head.split(' ', 2)
  return {
    call: { method, path, head, body: text.slice(start, start + length) },
    rest: text.slice(start + length),
  }
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

/** @param tls a key and a certificate, for https. */
export const startRawServer = async (respond: Respond, tls?: TlsOptions): Promise<RawServer> => {
  const sockets = new Set<Socket>()
  const calls: Call[] = []

  const handleConnection = (socket: Socket): void => {
    let text = ''
    let onConnection = 0
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A client may close its connection at any time.
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      for (let parsed = parse(text); parsed !== undefined; parsed = parse(text)) {
        text = parsed.rest
        onConnection += 1
        const call = { ...parsed.call, number: calls.length + 1, onConnection }
        calls.push(call)
        respond(socket, call)
      }
    })
  }

  const server =
    tls === undefined ? createTcpServer(handleConnection) : createTlsServer(tls, handleConnection)
  // The client reports a failed handshake.
  server.on('tlsClientError', () => undefined)
  const port = await listen(server)
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
