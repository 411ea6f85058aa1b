import { Socket } from 'node:net'
import getPort from 'get-port'
import { NETWORK, type Network } from '../../connection/first-contact/examination.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { inDays, makePair, type Pair } from './authority.ts'
import { SELF_SIGNED } from './servers.ts'
import * as responses from './fault-responses.ts'
import { found, type FaultCase, type FaultTargets } from './fault-targets.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The cause of each code of the target, of the profile and of the examination itself. */

const WHOLE = { depth: 'whole' } as const
/** Long enough to connect on a busy machine. */
const SHORT_DEADLINE = { deadlines: { requestMs: 2_000 } }

const wholeWith = async (targets: FaultTargets, changes: Partial<ProfileInput>) =>
  found(await targets.bank(), changes, WHOLE)

type ApplicationInput = ProfileInput['applications'][number]

/** The applications of the reference profile, with changes to the first one. */
const applicationsWith = (changes: Partial<ApplicationInput>): Pick<ProfileInput, 'applications'> => ({
  applications: referenceProfile().applications.map((each, at) =>
    at === 0 ? { ...each, ...changes } : each,
  ),
})

const authorization = (changes: Readonly<Record<string, unknown>>): Partial<ProfileInput> =>
  ({ authorization: { ...referenceProfile().authorization, ...changes } }) as Partial<ProfileInput>

const AUTHORIZE = '/premium/sandbox/auth/oauth/v2/authorize'
const CONSENTS = '/premium/sandbox/v1/consents'

const IBAN = 'SK2998010000002600001129'

const withToken: Partial<ProfileInput> = {
  authorization: {
    kind: 'tokens',
    tokens: [{ application: 'Ledgerly Bookkeeping', customer: 'alena', accessToken: 'of-yesterday' }],
  },
}

const listAccountsAnswers = async (targets: FaultTargets, answer: unknown, status = 200) =>
  found(await targets.serve(responses.json(status, answer)), withToken, WHOLE)

export const RESPONSE_FAULTS = {
  'TGT-HTTP-1': async (targets) => found(await targets.serve(responses.silence), SHORT_DEADLINE),
  'TGT-HTTP-2': async (targets) => found(await targets.serve(responses.closeBeforeAnswer)),
  'TGT-HTTP-3': async (targets) => found(await targets.serve(responses.notHttp)),
  'TGT-HTTP-4': async (targets) => found(await targets.serve(responses.json(500, {}))),
  'TGT-HTTP-5': async (targets) => found(await targets.serve(responses.closeDuringBody)),
  'TGT-PATH-1': async (targets) => found(await targets.bank()),
  'TGT-PATH-2': async (targets) => found(await targets.serve(responses.html(404))),
  'TGT-PATH-3': async (targets) => found(await targets.serve(responses.html(200))),
  'TGT-PATH-4': async (targets) => found(await targets.serve(responses.redirectTo('/login?session=1'))),
  'TGT-PATH-5': (targets) => wholeWith(targets, { basePaths: { production: '/nowhere' } }),
  'TGT-CRED-1': (targets) => wholeWith(targets, {}),
  'TGT-CRED-2': async (targets) => found(await targets.serve(responses.json(403, {})), {}, WHOLE),
  'TGT-CRED-3': async (targets) =>
    found(await targets.bankExcept(CONSENTS, responses.json(403, {})), {}, WHOLE),
  'TGT-URI-1': (targets) => wholeWith(targets, {}),
  'TGT-URI-2': async (targets) => found(await targets.bankExcept(AUTHORIZE, responses.html(200)), {}, WHOLE),
  'TGT-URI-3': (targets) => wholeWith(targets, { scopes: { accounts: 'NO_SUCH_SCOPE' } }),
  'TGT-PAGE-1': (targets) => wholeWith(targets, {}),
  'TGT-PAGE-2': (targets) =>
    wholeWith(targets, authorization({ pages: [{ when: '#nothing', press: '#nothing' }] })),
  'TGT-PAGE-3': (targets) => wholeWith(targets, authorization({ code: 'form' })),
  'TGT-PAGE-4': async (targets) =>
    found(
      await targets.bankExcept(AUTHORIZE, responses.redirectTo('https://login.bank.example/')),
      {},
      WHOLE,
    ),
  'TGT-TOKEN-1': (targets) => listAccountsAnswers(targets, { accounts: [{ accountId: 'a-1' }] }),
  'TGT-TOKEN-2': (targets) => listAccountsAnswers(targets, { errorCode: 'TOKEN_INVALID' }, 401),
  'TGT-BIND-1': (targets) =>
    listAccountsAnswers(targets, { accounts: [{ accountId: 'a-1', accountReference: { iban: IBAN } }] }),
  'TGT-BIND-2': (targets) =>
    listAccountsAnswers(targets, { accountList: [{ accountId: 'a-1', iban: IBAN }] }),
  'TGT-TEST-HOOK-1': (targets) =>
    wholeWith(targets, { testHooks: { readClock: { method: 'GET', url: '/_test-hooks/clock' } } }),
  'TGT-TEST-HOOK-2': (targets) =>
    wholeWith(targets, { testHooks: { readClock: { method: 'GET', url: '/nowhere' } } }),
  'TGT-TEST-HOOK-3': (targets) =>
    wholeWith(targets, {
      testHooks: { readWebhook: { method: 'GET', url: '/_test-hooks/webhooks/{clientId}' } },
    }),
  'TGT-TEST-HOOK-4': (targets) =>
    wholeWith(targets, {
      testHooks: { readWebhook: { method: 'GET', url: '/_test-hooks/clock?of={clientId}' } },
    }),
  'CFG-CONN-1': async (targets) => found(await targets.bank(), { connection: { ca: 'no-such-file.pem' } }),
  'CFG-CONN-2': async (targets) => {
    const { cert, key } = await makePair({ name: 'client.example', until: inDays(3) })
    const connection = {
      certificate: targets.file('client.pem', cert),
      key: targets.file('client-key.pem', key),
    }
    return found(await targets.bank(), { connection })
  },
  'CFG-CRED-1': (targets) => wholeWith(targets, applicationsWith({ clientSecret: 'not-the-secret' })),
  'CFG-URI-1': (targets) =>
    wholeWith(
      targets,
      applicationsWith({ redirectUris: [{ uri: 'https://client.example/never-registered' }] }),
    ),
  'CFG-LOGIN-1': (targets) => wholeWith(targets, {}),
  'CFG-DATA-1': (targets) => wholeWith(targets, {}),
  'CFG-BIND-1': (targets) => wholeWith(targets, {}),
  'CFG-TEST-HOOK-1': (targets) =>
    wholeWith(targets, {
      testHooks: { revokeToken: { url: 'https://testHooks.example/', body: { token: '{token}' } } },
    }),
  'OWN-LEFT-1': () => found('http://nowhere.invalid'),
  // The options of the command reject this value, so it is passed here.
  'OWN-STEP-1': async (targets) => found(await targets.bank(), {}, { ...WHOLE, webhookUrl: 'no address' }),
} as const satisfies Readonly<Record<string, FaultCase>>

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

/** The cause of each code of TLS. */

const files = (targets: FaultTargets, name: string, { cert, key }: Pair) => ({
  certificate: targets.file(`${name}.pem`, cert),
  key: targets.file(`${name}-key.pem`, key),
})

/** A target with the certificate `pair`; the profile trusts `trusted`. */
const targetWith = async (targets: FaultTargets, pair: Pair, trusted = pair) => {
  const url = await targets.serve(responses.unauthorized, pair)
  return found(url, { connection: { ca: targets.file('ca.pem', trusted.cert) } })
}

const chain = async () => {
  const authority = await makePair({ name: 'Private Authority', isAuthority: true })
  const leaf = await makePair({ issuer: authority })
  return { authority, leaf }
}

/** A target that accepts only client certificates of one authority. */
const clientAuthTarget = async (targets: FaultTargets, clients: Pair, client?: Pair) => {
  const bank = await makePair()
  const url = await targets.serve(responses.unauthorized, {
    ...bank,
    ca: clients.cert,
    requestCert: true,
    rejectUnauthorized: true,
  })
  const connection = {
    ca: targets.file('bank.pem', bank.cert),
    ...(client && files(targets, 'client', client)),
  }
  return found(url, { connection }, { depth: 'whole' })
}

export const TLS_FAULTS = {
  'NET-TLS-1': async (targets) => {
    const { authority, leaf } = await chain()
    return targetWith(targets, leaf, authority)
  },
  'NET-TLS-2': async (targets) => found(await targets.serve(responses.unauthorized, SELF_SIGNED)),
  'NET-TLS-3': async (targets) => {
    const { leaf } = await chain()
    return found(await targets.serve(responses.unauthorized, leaf))
  },
  'NET-TLS-4': async (targets) => {
    const { authority, leaf } = await chain()
    return found(
      await targets.serve(responses.unauthorized, { ...leaf, cert: `${leaf.cert}\n${authority.cert}` }),
    )
  },
  'NET-TLS-5': async (targets) =>
    targetWith(targets, await makePair({ from: inDays(-20), until: inDays(-10) })),
  'NET-TLS-6': async (targets) => targetWith(targets, await makePair({ until: inDays(5) })),
  'NET-TLS-7': async (targets) => targetWith(targets, await makePair({ name: 'other.example' })),
  'NET-TLS-8': async (targets) => clientAuthTarget(targets, await makePair({ name: 'Clients' })),
  'NET-TLS-9': async (targets) =>
    clientAuthTarget(
      targets,
      await makePair({ name: 'Clients' }),
      await makePair({ name: 'other-client.example' }),
    ),
  'NET-TLS-10': async (targets) => found((await targets.bank()).replace('http:', 'https:')),
  'NET-TLS-11': async (targets) =>
    found(await targets.serve(responses.unauthorized, SELF_SIGNED), { connection: { verify: false } }),
  'NET-TLS-12': async (targets) => {
    const clients = await makePair({ name: 'Clients' })
    return clientAuthTarget(targets, clients, await makePair({ name: 'client.example', issuer: clients }))
  },
  'NET-TLS-13': async (targets) => {
    const bank = await makePair()
    const url = await targets.serve(responses.unauthorized, bank)
    const client = await makePair({ name: 'client.example' })
    const connection = { ca: targets.file('bank.pem', bank.cert), ...files(targets, 'client', client) }
    return found(url, { connection }, { depth: 'whole' })
  },
  'NET-TLS-14': async (targets) =>
    found('http://bank.example', { connection: { proxy: await targets.proxy(403) } }),
} as const satisfies Readonly<Record<string, FaultCase>>
