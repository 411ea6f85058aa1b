import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { examine, type ExamineOptions } from '../../cli/doctor/examine.ts'
import { profileSchema } from '../../profile/schema.ts'
import { startBankOfToday } from '../defective-bank.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { startRawServer } from './raw-server.ts'
import { relayTo } from './relay.ts'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TlsOptions } from 'node:tls'
import type { ProfileInput } from '../../profile/schema.ts'
import type { ExaminedTarget } from '../../connection/first-contact/examination.ts'
import type { Findings } from '../../connection/first-contact/finding.ts'
import type { Respond } from './raw-server.ts'

/** Starts faulty targets for an examination, and stops them. */

export interface FaultTargets {
  /** A server that gives every call this response. @param tls for https. */
  serve(respond: Respond, tls?: TlsOptions): Promise<string>
  /** The reference bank. */
  bank(): Promise<string>
  /** The reference bank, except that calls to this path get this response. */
  bankExcept(path: string, respond: Respond): Promise<string>
  /** A proxy that answers CONNECT with this status. */
  proxy(status: number): Promise<string>
  /** A proxy that connects every tunnel to this machine. */
  tunnel(): Promise<string>
  /** Writes a file with this text, and returns its path. */
  file(name: string, text: string): string
  close(): Promise<void>
}

export const openFaultTargets = (): FaultTargets => {
  const folder = mkdtempSync(join(tmpdir(), 'fault-targets-'))
  const undo: Undo = [async () => rmSync(folder, { recursive: true })]
  const serve = async (respond: Respond, tls?: TlsOptions): Promise<string> => {
    const server = await startRawServer(respond, tls)
    undo.push(() => server.close())
    return server.url
  }
  const startReferenceBank = async () => {
    const bank = await startBankOfToday()
    undo.push(() => bank.close())
    return bank
  }
  return {
    serve,
    bank: async () => (await startReferenceBank()).url,
    async bankExcept(path, respond) {
      const relay = relayTo(await startReferenceBank())
      return serve((socket, call) => (call.path.startsWith(path) ? respond : relay)(socket, call))
    },
    proxy: (status) => startProxy((_, client) => client.end(`HTTP/1.1 ${status} Whatever\r\n\r\n`), undo),
    tunnel: () =>
      startProxy(({ url = '' }, client) => {
        const target = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
          client.write('HTTP/1.1 200 OK\r\n\r\n')
          target.pipe(client).pipe(target)
        })
        for (const end of [target, client]) end.on('error', () => undefined)
      }, undo),
    file(name, text) {
      const file = join(folder, name)
      writeFileSync(file, text)
      return file
    },
    async close() {
      await Promise.all(undo.map((close) => close()))
    },
  }
}

type Undo = (() => Promise<unknown>)[]

const startProxy = async (
  respond: (request: IncomingMessage, client: Duplex) => void,
  undo: Undo,
): Promise<string> => {
  const server = createServer()
  server.on('connect', respond)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(async () => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type FindingOptions = Partial<ExamineOptions> & Pick<ExaminedTarget, 'webhookUrl' | 'written'>

/** The findings at an address, with the profile of the reference bank and these changes. */
export const found = (
  baseUrl: string,
  changes: Partial<ProfileInput> = {},
  { webhookUrl, written, ...examination }: FindingOptions = {},
): Promise<Findings> =>
  examine(
    {
      profile: profileSchema.parse({ ...referenceProfile(), testHooks: {}, ...changes }),
      baseUrl,
      secrets: [],
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(written !== undefined && { written }),
    },
    { depth: 'short', env: {}, signal: new AbortController().signal, ...examination },
  )

/** Causes one code, and returns all findings. */
export type FaultCase = (targets: FaultTargets) => Promise<Findings>
