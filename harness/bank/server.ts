/** The reference bank on a port of this machine. */
import { createServer, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createBank, type Bank, type BankOptions } from './bank.ts'
import { spelled, type HeaderCase } from './base-paths.ts'

export interface ServerOptions extends BankOptions {
  /** 0 (the default) selects a free port. */
  readonly port?: number
  /** The address to listen on; default: only this machine. */
  readonly host?: string
}

export interface RunningBank {
  /** Without a trailing slash. */
  readonly url: string
  readonly bank: Bank
  /** Closes every connection and the port. */
  readonly close: () => Promise<void>
}

/** The header names of a Response object are always lower case; those on the wire may differ. */
const respell = (response: ServerResponse, headerCase: HeaderCase): void => {
  const writeHead = response.writeHead.bind(response)
  const respelled = (status: number, headers?: OutgoingHttpHeaders): ServerResponse => {
    const pairs = Object.entries(headers ?? {})
    return writeHead(
      status,
      Object.fromEntries(pairs.map(([name, value]) => [spelled(name, headerCase), value])),
    )
  }
  response.writeHead = respelled as typeof response.writeHead
}

export const startBank = async (options: ServerOptions = {}): Promise<RunningBank> => {
  const { port = 0, host = '127.0.0.1', ...bankOptions } = options
  const bank = createBank(bankOptions)
  const habits = bankOptions.variation?.server ?? {}
  // This replaces the Request and Response of the platform by lighter ones, in the whole process.
  const listener = getRequestListener(bank.fetch)
  const server = createServer((request, response) => {
    if (habits.keepAlive === false) response.shouldKeepAlive = false
    // Otherwise Node sends the time of this machine.
    response.setHeader('date', bank.clock.now().toUTCString())
    if (habits.headerCase) respell(response, habits.headerCase)
    void listener(request, response)
  })
  // Idle connections stay open: if the server closed one while a client reuses it, that would appear as a fault of the bank.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => {
      bank.clock.stop()
      server.close((error) => (error ? reject(error) : resolve()))
      server.closeAllConnections()
    })
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, bank, close }
}
