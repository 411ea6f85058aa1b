import { makePair, inDays, type Pair } from './authority.ts'
import * as responses from './fault-responses.ts'
import { found, type FaultTargets, type FaultCase } from './fault-targets.ts'
import { SELF_SIGNED } from './servers.ts'

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
    targetWith(targets, await makePair({ from: inDays(-900), until: inDays(-500) })),
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
