import { Socket } from 'node:net'
import getPort from 'get-port'
import { NETWORK, type Network } from '../../target/first-contact/examination.ts'
import { referenceProfile } from '../../target/reference-bank/reference-profile.ts'
import { inDays, makePair, type Pair } from './authority.ts'
import { SELF_SIGNED } from './servers.ts'
import * as treat from './fault-responses.ts'
import { found, type Ailment, type Ward } from './fault-targets.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** What brings the codes of the target, of the profile and of the examination itself about. */

const WHOLE = { depth: 'whole' } as const
/** A busy machine connects within it. */
const SHORT_DEADLINE = { deadlines: { requestMs: 2_000 } }

const wholeWith = async (ward: Ward, changes: Partial<ProfileInput>) =>
  found(await ward.bank(), changes, WHOLE)

type ApplicationInput = ProfileInput['applications'][number]

/** The first application, changed like that. */
const application = (changes: Partial<ApplicationInput>): Pick<ProfileInput, 'applications'> => ({
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

const listing = async (ward: Ward, answer: unknown, status = 200) =>
  found(await ward.serve(treat.json(status, answer)), withToken, WHOLE)

export const AILMENTS_OF_ANSWERS = {
  'TGT-HTTP-1': async (ward) => found(await ward.serve(treat.silence), SHORT_DEADLINE),
  'TGT-HTTP-2': async (ward) => found(await ward.serve(treat.closeBefore)),
  'TGT-HTTP-3': async (ward) => found(await ward.serve(treat.garbage)),
  'TGT-HTTP-4': async (ward) => found(await ward.serve(treat.json(500, {}))),
  'TGT-HTTP-5': async (ward) => found(await ward.serve(treat.resetAmid)),
  'TGT-PATH-1': async (ward) => found(await ward.bank()),
  'TGT-PATH-2': async (ward) => found(await ward.serve(treat.html(404))),
  'TGT-PATH-3': async (ward) => found(await ward.serve(treat.html(200))),
  'TGT-PATH-4': async (ward) => found(await ward.serve(treat.redirectTo('/login?session=1'))),
  'TGT-PATH-5': (ward) => wholeWith(ward, { basePaths: { production: '/nowhere' } }),
  'TGT-CRED-1': (ward) => wholeWith(ward, {}),
  'TGT-CRED-2': async (ward) => found(await ward.serve(treat.json(403, {})), {}, WHOLE),
  'TGT-CRED-3': async (ward) => found(await ward.bankBut(CONSENTS, treat.json(403, {})), {}, WHOLE),
  'TGT-URI-1': (ward) => wholeWith(ward, {}),
  'TGT-URI-2': async (ward) => found(await ward.bankBut(AUTHORIZE, treat.html(200)), {}, WHOLE),
  'TGT-URI-3': (ward) => wholeWith(ward, { scopes: { accounts: 'NO_SUCH_SCOPE' } }),
  'TGT-PAGE-1': (ward) => wholeWith(ward, {}),
  'TGT-PAGE-2': (ward) =>
    wholeWith(ward, authorization({ pages: [{ when: '#nothing', press: '#nothing' }] })),
  'TGT-PAGE-3': (ward) => wholeWith(ward, authorization({ code: 'form' })),
  'TGT-PAGE-4': async (ward) =>
    found(await ward.bankBut(AUTHORIZE, treat.redirectTo('https://login.bank.example/')), {}, WHOLE),
  'TGT-TOKEN-1': (ward) => listing(ward, { accounts: [{ accountId: 'a-1' }] }),
  'TGT-TOKEN-2': (ward) => listing(ward, { errorCode: 'TOKEN_INVALID' }, 401),
  'TGT-BIND-1': (ward) =>
    listing(ward, { accounts: [{ accountId: 'a-1', accountReference: { iban: IBAN } }] }),
  'TGT-BIND-2': (ward) => listing(ward, { accountList: [{ accountId: 'a-1', iban: IBAN }] }),
  'TGT-TEST-HOOK-1': (ward) =>
    wholeWith(ward, { testHooks: { readClock: { method: 'GET', url: '/_test-hooks/clock' } } }),
  'TGT-TEST-HOOK-2': (ward) =>
    wholeWith(ward, { testHooks: { readClock: { method: 'GET', url: '/nowhere' } } }),
  'TGT-TEST-HOOK-3': (ward) =>
    wholeWith(ward, {
      testHooks: { readWebhook: { method: 'GET', url: '/_test-hooks/webhooks/{clientId}' } },
    }),
  'TGT-TEST-HOOK-4': (ward) =>
    wholeWith(ward, {
      testHooks: { readWebhook: { method: 'GET', url: '/_test-hooks/clock?of={clientId}' } },
    }),
  'CFG-CONN-1': async (ward) => found(await ward.bank(), { connection: { ca: 'no-such-file.pem' } }),
  'CFG-CONN-2': async (ward) => {
    const { cert, key } = await makePair({ name: 'client.example', until: inDays(3) })
    const connection = { certificate: ward.file('client.pem', cert), key: ward.file('client-key.pem', key) }
    return found(await ward.bank(), { connection })
  },
  'CFG-CRED-1': (ward) => wholeWith(ward, application({ clientSecret: 'not-the-secret' })),
  'CFG-URI-1': (ward) =>
    wholeWith(ward, application({ redirectUris: [{ uri: 'https://client.example/never-registered' }] })),
  'CFG-BIND-1': (ward) => wholeWith(ward, {}),
  'CFG-TEST-HOOK-1': (ward) =>
    wholeWith(ward, {
      testHooks: { revokeToken: { url: 'https://testHooks.example/', body: { token: '{token}' } } },
    }),
  'OWN-LEFT-1': () => found('http://nowhere.invalid'),
  // No option can say so: an address that is none.
  'OWN-STEP-1': async (ward) => found(await ward.bank(), {}, { ...WHOLE, webhookUrl: 'no address' }),
} as const satisfies Readonly<Record<string, Ailment>>

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

/** What brings the codes of TLS about. */

const files = (ward: Ward, name: string, { cert, key }: Pair) => ({
  certificate: ward.file(`${name}.pem`, cert),
  key: ward.file(`${name}-key.pem`, key),
})

/** A target with such a certificate, of which the profile trusts another one, or the same. */
const targetWith = async (ward: Ward, pair: Pair, trusted = pair) => {
  const url = await ward.serve(treat.unauthorized, pair)
  return found(url, { connection: { ca: ward.file('ca.pem', trusted.cert) } })
}

const chain = async () => {
  const authority = await makePair({ name: 'Private Authority', isAuthority: true })
  const leaf = await makePair({ issuer: authority })
  return { authority, leaf }
}

/** A target that takes the clients of one authority alone. */
const strict = async (ward: Ward, clients: Pair, client?: Pair) => {
  const bank = await makePair()
  const url = await ward.serve(treat.unauthorized, {
    ...bank,
    ca: clients.cert,
    requestCert: true,
    rejectUnauthorized: true,
  })
  const connection = { ca: ward.file('bank.pem', bank.cert), ...(client && files(ward, 'client', client)) }
  return found(url, { connection }, { depth: 'whole' })
}

export const AILMENTS_OF_TLS = {
  'NET-TLS-1': async (ward) => {
    const { authority, leaf } = await chain()
    return targetWith(ward, leaf, authority)
  },
  'NET-TLS-2': async (ward) => found(await ward.serve(treat.unauthorized, SELF_SIGNED)),
  'NET-TLS-3': async (ward) => {
    const { leaf } = await chain()
    return found(await ward.serve(treat.unauthorized, leaf))
  },
  'NET-TLS-4': async (ward) => {
    const { authority, leaf } = await chain()
    return found(await ward.serve(treat.unauthorized, { ...leaf, cert: `${leaf.cert}\n${authority.cert}` }))
  },
  'NET-TLS-5': async (ward) => targetWith(ward, await makePair({ from: inDays(-20), until: inDays(-10) })),
  'NET-TLS-6': async (ward) => targetWith(ward, await makePair({ until: inDays(5) })),
  'NET-TLS-7': async (ward) => targetWith(ward, await makePair({ name: 'other.example' })),
  'NET-TLS-8': async (ward) => strict(ward, await makePair({ name: 'Clients' })),
  'NET-TLS-9': async (ward) =>
    strict(ward, await makePair({ name: 'Clients' }), await makePair({ name: 'stranger.example' })),
  'NET-TLS-10': async (ward) => found((await ward.bank()).replace('http:', 'https:')),
  'NET-TLS-11': async (ward) =>
    found(await ward.serve(treat.unauthorized, SELF_SIGNED), { connection: { verify: false } }),
  'NET-TLS-12': async (ward) => {
    const clients = await makePair({ name: 'Clients' })
    return strict(ward, clients, await makePair({ name: 'client.example', issuer: clients }))
  },
  'NET-TLS-13': async (ward) => {
    const bank = await makePair()
    const url = await ward.serve(treat.unauthorized, bank)
    const client = await makePair({ name: 'client.example' })
    const connection = { ca: ward.file('bank.pem', bank.cert), ...files(ward, 'client', client) }
    return found(url, { connection }, { depth: 'whole' })
  },
  'NET-TLS-14': async (ward) =>
    found('http://bank.example', { connection: { proxy: await ward.proxy(403) } }),
} as const satisfies Readonly<Record<string, Ailment>>
