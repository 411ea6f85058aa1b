import { Socket } from 'node:net'
import getPort from 'get-port'
import { NETWORK } from '../../target/first-contact/examination.ts'
import * as treat from './treatments.ts'
import { found } from './ward.ts'
import type { Network } from '../../target/first-contact/examination.ts'
import type { Ailment } from './ward.ts'

/** What brings the codes of the network about. */

const closed = async (): Promise<string> => `http://127.0.0.1:${await getPort()}`

/** RFC 5737 keeps this address from everybody, and RFC 2606 the name. */
const FAR = { address: '203.0.113.7', family: 4 }
const FAR_URL = 'http://bank.example'

const broken = (code: string): Socket => new Socket().destroy(Object.assign(new Error(code), { code }))

/** A network in which every name has these addresses, and nothing leaves this machine. */
const networkWith = (addresses: Awaited<ReturnType<Network['resolve']>>): Network => ({
  resolve: async () => addresses,
  connect: (address, port) =>
    address === FAR.address ? broken('ECONNREFUSED') : NETWORK.connect(address, port),
})

const HERE = { address: '127.0.0.1', family: 4 }

const named = (url: string): string => url.replace('127.0.0.1', 'localhost')

const answeringAt = (date: string | undefined) =>
  treat.answer(401, '{}', { 'content-type': 'application/json', ...(date !== undefined && { date }) })

const anHourAgo = (): string => new Date(Date.now() - 60 * 60 * 1000).toUTCString()

const testHook = (url: string) => ({ revokeToken: { url, body: { token: '{token}' } } })

export const AILMENTS_OF_LINE = {
  'NET-DNS-1': () => found('http://nowhere.invalid'),
  'NET-DNS-2': async (ward) => found(named(await ward.bank())),
  'NET-TCP-1': async () => found(await closed()),
  // A socket that is never connected.
  'NET-TCP-2': async () =>
    found(
      await closed(),
      { deadlines: { requestMs: 200 } },
      { network: { ...NETWORK, connect: () => new Socket() } },
    ),
  'NET-TCP-3': async (ward) => found(named(await ward.bank()), {}, { network: networkWith([HERE, FAR]) }),
  'NET-TCP-4': async (ward) => found(await ward.bank()),
  'NET-PROXY-1': async (ward) => found(FAR_URL, { connection: { proxy: await ward.proxy(200) } }),
  'NET-PROXY-2': async (ward) =>
    found(await ward.bank(), {}, { env: { HTTP_PROXY: 'http://proxy.example:3128' } }),
  'NET-PROXY-3': async () => found(FAR_URL, {}, { env: { HTTP_PROXY: await closed() } }),
  'NET-PROXY-4': async (ward) => found(FAR_URL, { connection: { proxy: await ward.proxy(407) } }),
  'NET-PROXY-5': async (ward) => found(FAR_URL, { connection: { proxy: await ward.proxy(403) } }),
  'NET-TIME-1': async (ward) => found(await ward.bank()),
  'NET-TIME-2': async (ward) => found(await ward.serve(answeringAt(anHourAgo()))),
  'NET-TIME-3': async (ward) => found(await ward.serve(answeringAt(undefined))),
  'NET-HOOK-1': async (ward) =>
    found(await ward.bank(), {}, { depth: 'whole', webhookUrl: 'http://nowhere.invalid/hook' }),
  'NET-HOOK-2': async () =>
    found(
      FAR_URL,
      { connection: { proxy: await closed() } },
      {
        depth: 'whole',
        webhookUrl: await closed(),
        network: networkWith([FAR]),
      },
    ),
  'NET-HOOK-3': async (ward) => {
    const taken = await ward.bank()
    const listen = { port: Number(new URL(taken).port) }
    return found(taken, { webhooks: { listen } }, { depth: 'whole', webhookUrl: await closed() })
  },
  'NET-HOOK-4': async (ward) => {
    const listen = { port: await getPort() }
    const elsewhere = await ward.serve(treat.html(200))
    return found(await ward.bank(), { webhooks: { listen } }, { depth: 'whole', webhookUrl: elsewhere })
  },
  'NET-HOOK-5': async (ward) =>
    found(await ward.bank(), {}, { depth: 'whole', webhookUrl: `${await closed()}/hook` }),
  'NET-HOOK-6': async () =>
    found(
      FAR_URL,
      {
        connection: { proxy: await closed() },
        webhooks: { configured: [{ application: 'Ledgerly Bookkeeping' }] },
      },
      { depth: 'whole' },
    ),
  'NET-TEST-HOOK-1': async (ward) => {
    const origin = await closed()
    return found(
      await ward.bank(),
      { testHooks: testHook(`${origin}/revoke`), origins: [origin] },
      { depth: 'whole' },
    )
  },
} as const satisfies Readonly<Record<string, Ailment>>
