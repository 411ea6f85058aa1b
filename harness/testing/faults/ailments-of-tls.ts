import { inDays, makePair } from './authority.ts'
import { SELF_SIGNED } from './servers.ts'
import * as treat from './treatments.ts'
import { found } from './ward.ts'
import type { Ailment, Ward } from './ward.ts'
import type { Pair } from './authority.ts'

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
