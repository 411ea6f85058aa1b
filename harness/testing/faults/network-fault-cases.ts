import { Socket } from 'node:net'
import getPort from 'get-port'
import { NETWORK, type Network } from '../../connection/first-contact/examination.ts'
import * as responses from './fault-responses.ts'
import { found, type FaultCase } from './fault-targets.ts'

/** The cause of each code of the network. */

const closedPort = async (): Promise<string> => `http://127.0.0.1:${await getPort()}`

/** RFC 5737 reserves this address, and RFC 2606 this name. */
const UNREACHABLE = { address: '203.0.113.7', family: 4 }
const UNREACHABLE_URL = 'http://bank.example'

const failedSocket = (code: string): Socket => new Socket().destroy(Object.assign(new Error(code), { code }))

/** A network that resolves every name to these addresses, and sends nothing off this machine. */
const networkWith = (addresses: Awaited<ReturnType<Network['resolve']>>): Network => ({
  resolve: async () => addresses,
  connect: (address, port) =>
    address === UNREACHABLE.address ? failedSocket('ECONNREFUSED') : NETWORK.connect(address, port),
})

const LOOPBACK = { address: '127.0.0.1', family: 4 }

const withHostName = (url: string): string => url.replace('127.0.0.1', 'localhost')

const answeringAt = (date: string | undefined) =>
  responses.answer(401, '{}', { 'content-type': 'application/json', ...(date !== undefined && { date }) })

const oneHourAgo = (): string => new Date(Date.now() - 60 * 60 * 1000).toUTCString()

const testHook = (url: string) => ({ revokeToken: { url, body: { token: '{token}' } } })

export const NETWORK_FAULTS = {
  'NET-DNS-1': () => found('http://nowhere.invalid'),
  'NET-DNS-2': async (targets) => found(withHostName(await targets.bank())),
  'NET-TCP-1': async () => found(await closedPort()),
  // A socket that is never connected.
  'NET-TCP-2': async () =>
    found(
      await closedPort(),
      { deadlines: { requestMs: 200 } },
      { network: { ...NETWORK, connect: () => new Socket() } },
    ),
  'NET-TCP-3': async (targets) =>
    found(withHostName(await targets.bank()), {}, { network: networkWith([LOOPBACK, UNREACHABLE]) }),
  'NET-TCP-4': async (targets) => found(await targets.bank()),
  'NET-PROXY-1': async (targets) =>
    found(UNREACHABLE_URL, { connection: { proxy: await targets.proxy(200) } }),
  'NET-PROXY-2': async (targets) =>
    found(await targets.bank(), {}, { env: { HTTP_PROXY: 'http://proxy.example:3128' } }),
  'NET-PROXY-3': async () => found(UNREACHABLE_URL, {}, { env: { HTTP_PROXY: await closedPort() } }),
  'NET-PROXY-4': async (targets) =>
    found(UNREACHABLE_URL, { connection: { proxy: await targets.proxy(407) } }),
  'NET-PROXY-5': async (targets) =>
    found(UNREACHABLE_URL, { connection: { proxy: await targets.proxy(403) } }),
  'NET-TIME-1': async (targets) => found(await targets.bank()),
  'NET-TIME-2': async (targets) => found(await targets.serve(answeringAt(oneHourAgo()))),
  'NET-TIME-3': async (targets) => found(await targets.serve(answeringAt(undefined))),
  'NET-HOOK-1': async (targets) =>
    found(await targets.bank(), {}, { depth: 'whole', webhookUrl: 'http://nowhere.invalid/hook' }),
  'NET-HOOK-2': async () =>
    found(
      UNREACHABLE_URL,
      { connection: { proxy: await closedPort() } },
      {
        depth: 'whole',
        webhookUrl: await closedPort(),
        network: networkWith([UNREACHABLE]),
      },
    ),
  'NET-HOOK-3': async (targets) => {
    const taken = await targets.bank()
    const listen = { port: Number(new URL(taken).port) }
    return found(taken, { webhooks: { listen } }, { depth: 'whole', webhookUrl: await closedPort() })
  },
  'NET-HOOK-4': async (targets) => {
    const listen = { port: await getPort() }
    const elsewhere = await targets.serve(responses.html(200))
    return found(await targets.bank(), { webhooks: { listen } }, { depth: 'whole', webhookUrl: elsewhere })
  },
  'NET-HOOK-5': async (targets) =>
    found(await targets.bank(), {}, { depth: 'whole', webhookUrl: `${await closedPort()}/hook` }),
  'NET-HOOK-6': async () =>
    found(
      UNREACHABLE_URL,
      {
        connection: { proxy: await closedPort() },
        webhooks: { configured: [{ application: 'Ledgerly Bookkeeping' }] },
      },
      { depth: 'whole' },
    ),
  'NET-TEST-HOOK-1': async (targets) => {
    const origin = await closedPort()
    return found(
      await targets.bank(),
      { testHooks: testHook(`${origin}/revoke`), origins: [origin] },
      { depth: 'whole' },
    )
  },
} as const satisfies Readonly<Record<string, FaultCase>>
