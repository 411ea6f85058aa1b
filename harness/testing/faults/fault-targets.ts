import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBank } from '../../bank/server.ts'
import { examine, type ExamineOptions } from '../../cli/doctor/examine.ts'
import { profileSchema } from '../../profile/schema.ts'
import { referenceProfile } from '../../target/reference-bank/reference-profile.ts'
import { startRawServer } from './raw-server.ts'
import { relayTo } from './relay.ts'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TlsOptions } from 'node:tls'
import type { ProfileInput } from '../../profile/schema.ts'
import type { ExaminedTarget } from '../../target/first-contact/examination.ts'
import type { Findings } from '../../target/first-contact/finding.ts'
import type { Treat } from './raw-server.ts'

/** Where ailing targets are brought up to be examined, and taken down again. */

export interface Ward {
  /** A server that treats every call like that. @param tls for https. */
  serve(treat: Treat, tls?: TlsOptions): Promise<string>
  /** A healthy bank. */
  bank(): Promise<string>
  /** A healthy bank that treats the calls to this path otherwise. */
  bankBut(path: string, treat: Treat): Promise<string>
  /** A proxy that answers CONNECT with this status. */
  proxy(status: number): Promise<string>
  /** A proxy whose tunnels all lead to this machine. */
  tunnel(): Promise<string>
  /** A file with this text; gives its path. */
  file(name: string, text: string): string
  close(): Promise<void>
}

export const openWard = (): Ward => {
  const folder = mkdtempSync(join(tmpdir(), 'ward-'))
  const undo: Undo = [async () => rmSync(folder, { recursive: true })]
  const serve = async (treat: Treat, tls?: TlsOptions): Promise<string> => {
    const server = await startRawServer(treat, tls)
    undo.push(() => server.close())
    return server.url
  }
  const startHealthy = async () => {
    const bank = await startBank()
    undo.push(() => bank.close())
    return bank
  }
  return {
    serve,
    bank: async () => (await startHealthy()).url,
    async bankBut(path, treat) {
      const healthy = relayTo(await startHealthy())
      return serve((socket, call) => (call.path.startsWith(path) ? treat : healthy)(socket, call))
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
  treat: (request: IncomingMessage, client: Duplex) => void,
  undo: Undo,
): Promise<string> => {
  const server = createServer()
  server.on('connect', treat)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(async () => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Circumstances = Partial<ExamineOptions> & Pick<ExaminedTarget, 'webhookUrl' | 'written'>

/** What is found at an address, with a profile of the reference bank that was changed like that. */
export const found = (
  baseUrl: string,
  changes: Partial<ProfileInput> = {},
  { webhookUrl, written, ...examination }: Circumstances = {},
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

/** Brings a code about, and gives all that was found. */
export type Ailment = (ward: Ward) => Promise<Findings>
