import { messageOf } from '../../../evidence/errors.ts'
import { readInputFile } from '../../../evidence/input-file.ts'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { NotReached } from '../../../evidence/signals.ts'
import { brokenOff, createSink, type Listener, type Sink } from './sink.ts'
import { createIntake } from './intake.ts'
import { makeCertificate, type KeyPair } from './certificate.ts'
import type { AddressInfo } from 'node:net'
import type { Fault, HeaderFields } from '../../../evidence/exchange.ts'

/** The sink on a port of this machine. */

export interface Listening {
  readonly host: string
  /** 0 for a free port. */
  readonly port: number
  /** Files with a certificate and its key (PEM), or a certificate that the sink makes; plain HTTP if left out. */
  readonly tls?: GivenCertificate | 'self-made' | undefined
  /** The address for the target, if it is not the address that the sink listens on. */
  readonly publicUrl?: string | undefined
  /** Receives a call at an unknown address. */
  readonly onStray?: Listener
  /** The longest time for one request, in ms. */
  readonly requestMs?: number
}

interface GivenCertificate {
  readonly certificate: string
  readonly key: string
}

export interface RunningSink {
  readonly sink: Sink
  /** The certificate (PEM) that the caller must trust, if the sink made its own. */
  readonly certificate?: string
  close(): Promise<void>
}

const REQUEST_MS = 20_000

const settingsOf = (requestMs: number): ServerOptions => ({
  requestTimeout: requestMs,
  headersTimeout: requestMs,
  connectionsCheckingInterval: 500,
  // Longer than common clients keep a connection: the caller must be the first to close it.
  keepAliveTimeout: 65_000,
})

/** The queue of connections: a target may make a thousand calls at once. */
const BACKLOG = 2_048

/** The address for the target, if no other is given. */
export const addressOf = (host: string, port: number, isTls: boolean): string => {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `${isTls ? 'https' : 'http'}://${name}:${port}`
}

/** @throws NotReached if the sink cannot listen there. */
export const openSink = async (listening: Listening): Promise<RunningSink> => {
  const { host, port, tls, publicUrl, onStray, requestMs = REQUEST_MS } = listening
  const keyPair =
    tls === 'self-made' ? await makeCertificate(hostsOf(listening), new Date()) : readKeyPair(tls)
  const server = serverFor(keyPair, settingsOf(requestMs))
  await listen(server, host, port)
  const { port: taken } = server.address() as AddressInfo
  const sink = createSink(
    publicUrl ?? addressOf(host, taken, tls !== undefined),
    onStray,
    publicUrl === undefined,
  )
  server.on('request', (request, response) => take({ sink, requestMs }, request, response))
  // The sink alone does not keep the process alive.
  server.unref()
  return {
    sink,
    ...(tls === 'self-made' && keyPair && { certificate: keyPair.cert }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const hostsOf = ({ host, publicUrl }: Listening): readonly string[] => [
  'localhost',
  '127.0.0.1',
  '::1',
  host,
  ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')]),
]

const readKeyPair = (tls: GivenCertificate | undefined): KeyPair | undefined =>
  tls && { cert: read('certificate', tls.certificate), key: read('key', tls.key) }

const serverFor = (keyPair: KeyPair | undefined, settings: ServerOptions): Server =>
  keyPair === undefined ? createServer(settings) : createTlsServer({ ...settings, ...keyPair })

const read = (what: string, file: string): string => {
  try {
    return readInputFile(file)
  } catch (error) {
    throw new NotReached(
      `the webhook sink cannot read its ${what} (webhooks.tls.${what}): ${file} ${messageOf(error)}`,
    )
  }
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new NotReached(
          `the webhook sink cannot listen on ${host}:${port} (webhooks.listen): ${error.message}`,
        ),
      ),
    )
    server.listen({ host, port, backlog: BACKLOG }, resolve)
  })

interface Reception {
  readonly sink: Sink
  readonly requestMs: number
}

/** Passes the request to the sink when it is complete, or the connection is closed; then answers it. */
const take = ({ sink, requestMs }: Reception, request: IncomingMessage, response: ServerResponse): void => {
  const startedAt = performance.now()
  const headers = fieldsOf(request)
  const intake = createIntake(sink.budget)
  const end = (fault?: Fault): number =>
    sink.take({
      method: request.method ?? '',
      path: request.url ?? '/',
      headers,
      body: intake.end(headers),
      ...(fault && { fault }),
      durationMs: performance.now() - startedAt,
    })
  request.on('data', (chunk: Buffer) => intake.add(chunk))
  request.once('end', () => {
    response.writeHead(end()).end()
  })
  request.once('close', () => {
    if (!request.complete) end(cutOff(performance.now() - startedAt, requestMs))
  })
  // The event `close` follows, and handles the broken connection.
  request.on('error', () => undefined)
  response.on('error', () => undefined)
}

const cutOff = (elapsed: number, requestMs: number): Fault =>
  elapsed < requestMs
    ? brokenOff('ECONNRESET')
    : { kind: 'timeout', cause: 'TIMEOUT', message: `the request was not whole after ${requestMs} ms` }

const fieldsOf = ({ rawHeaders }: IncomingMessage): HeaderFields => {
  const fields: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    fields.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  return fields
}
