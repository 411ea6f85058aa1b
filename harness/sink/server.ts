import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { NotReached } from '../evidence/signals.ts'
import { createIntake } from './intake.ts'
import { makeCertificate } from './self-made-certificate.ts'
import { brokenOff, createSink } from './sink.ts'
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault, HeaderFields } from '../evidence/exchange.ts'
import type { KeyPair } from './self-made-certificate.ts'
import type { Hear, Sink } from './sink.ts'

/** The sink on a port of this machine. */

export interface Listening {
  readonly host: string
  /** 0 is a free one. */
  readonly port: number
  /** Files with a certificate and its key (PEM), or one that the sink makes; left out, it speaks plain HTTP. */
  readonly tls?: GivenCertificate | 'self-made' | undefined
  /** What the target is told in place of the address that is listened on. */
  readonly publicUrl?: string | undefined
  /** Is told of a call at an address that nobody was told. */
  readonly onStray?: Hear
  /** How long a sender may take for one request, in ms. */
  readonly patienceMs?: number
}

export interface GivenCertificate {
  readonly certificate: string
  readonly key: string
}

export interface RunningSink {
  readonly sink: Sink
  /** The certificate (PEM) that whoever calls must be told to trust, where the sink made its own. */
  readonly certificate?: string
  close(): Promise<void>
}

const PATIENCE_MS = 20_000

const settingsOf = (patienceMs: number): ServerOptions => ({
  requestTimeout: patienceMs,
  headersTimeout: patienceMs,
  connectionsCheckingInterval: 500,
  // Longer than the usual client keeps a connection: who closes first must not be the one who is called.
  keepAliveTimeout: 65_000,
})

/** Connections that wait to be accepted; a target may call a thousand times at once. */
const BACKLOG = 2_048

/** The address that the target is told, where no other is given. */
export const addressOf = (host: string, port: number, isTls: boolean): string => {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `${isTls ? 'https' : 'http'}://${name}:${port}`
}

/** @throws NotReached where nothing can listen there. */
export const openSink = async (listening: Listening): Promise<RunningSink> => {
  const { host, port, tls, publicUrl, onStray, patienceMs = PATIENCE_MS } = listening
  const pair = tls === 'self-made' ? await makeCertificate(hostsOf(listening), new Date()) : given(tls)
  const server = serverFor(pair, settingsOf(patienceMs))
  await listen(server, host, port)
  const { port: taken } = server.address() as AddressInfo
  const sink = createSink(publicUrl ?? addressOf(host, taken, tls !== undefined), onStray)
  server.on('request', (request, response) => take({ sink, patienceMs }, request, response))
  // A run that has nothing else to do is over.
  server.unref()
  return {
    sink,
    ...(tls === 'self-made' && pair && { certificate: pair.cert }),
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

const given = (tls: GivenCertificate | undefined): KeyPair | undefined =>
  tls && { cert: read('certificate', tls.certificate), key: read('key', tls.key) }

const serverFor = (pair: KeyPair | undefined, settings: ServerOptions): Server =>
  pair === undefined ? createServer(settings) : createTlsServer({ ...settings, ...pair })

const read = (what: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new NotReached(
      `the webhook sink cannot read its ${what} (webhooks.tls.${what}): ${(error as Error).message}`,
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
  readonly patienceMs: number
}

/** Tells the sink of the request once it has come whole, or will not come any further; then it is answered. */
const take = ({ sink, patienceMs }: Reception, request: IncomingMessage, response: ServerResponse): void => {
  const startedAt = performance.now()
  const headers = fieldsOf(request)
  const intake = createIntake(sink.budget)
  const end = (fault?: Fault): number =>
    sink.take({
      ...{ method: request.method ?? '', path: request.url ?? '/', headers },
      body: intake.end(headers),
      ...(fault && { fault }),
      durationMs: performance.now() - startedAt,
    })
  request.on('data', (chunk: Buffer) => intake.add(chunk))
  request.once('end', () => {
    response.writeHead(end()).end()
  })
  request.once('close', () => {
    if (!request.complete) end(cutOff(performance.now() - startedAt, patienceMs))
  })
  // What becomes of a broken connection is told by its close.
  request.on('error', () => undefined)
  response.on('error', () => undefined)
}

const cutOff = (elapsed: number, patienceMs: number): Fault =>
  elapsed < patienceMs
    ? brokenOff('ECONNRESET')
    : { kind: 'timeout', cause: 'TIMEOUT', message: `the request was not whole after ${patienceMs} ms` }

const fieldsOf = ({ rawHeaders }: IncomingMessage): HeaderFields => {
  const fields: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    fields.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  return fields
}
