import { isIP } from 'node:net'
import { proxyFor } from '../target/proxy.ts'
import { find } from './finding.ts'
import { codeOf, connected, within } from './network.ts'
import { hostOf, portOf } from './patient.ts'
import { openTunnel } from './tunnel.ts'
import type { Socket } from 'node:net'
import type { Findings, Visit } from './patient.ts'
import type { Address } from './network.ts'
import type { Finding } from './finding.ts'

/** The line to a host: its name, its port, and the proxy in between. */

export interface Line {
  readonly findings: Findings
  /** A new connection on the way that was found; absent where there is none. */
  readonly open?: () => Promise<Socket>
}

/** The line to the target, through the proxy that a run would take. */
export const findLine = async (visit: Visit, address = visit.patient.baseUrl): Promise<Line> => {
  const url = new URL(address)
  const choice = proxyFor(address, visit.patient.profile.connection, visit.env)
  if (choice.kind === 'proxy') return openTunnel(visit, { target: url, proxy: choice.url, from: choice.from })
  const passedBy =
    choice.kind === 'passed-by'
      ? [find('NET-PROXY-2', { cause: `${hostOf(url)} is exempt (${choice.from}, or this machine).` })]
      : []
  const line = await findPort(visit, url)
  return { ...line, findings: [...passedBy, ...line.findings] }
}

/** The line to a port, without a proxy. */
export const findPort = async (visit: Visit, url: URL): Promise<Line> => {
  const named = await resolveName(visit, hostOf(url))
  if (named.addresses.length === 0) return { findings: named.findings }
  const line = await tryAddresses(visit, named.addresses, url)
  return { ...line, findings: [...named.findings, ...line.findings] }
}

interface Named {
  readonly addresses: readonly Address[]
  readonly findings: Findings
}

/** A host has a handful of addresses; a name with a hundred needs no hundred connections. */
const MOST_ADDRESSES = 8

/** What the codes of resolvers mean. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|ENODATA/, 'the DNS knows no such name'],
  [/EAI_AGAIN/, 'the resolver of this machine gave no answer'],
  [/DEADLINE/, 'the resolver of this machine took too long'],
]

/** All addresses of a host. */
export const resolveName = async ({ network, patience }: Visit, host: string): Promise<Named> => {
  const family = isIP(host)
  if (family !== 0) return { addresses: [{ address: host, family }], findings: [] }
  try {
    const all = await within(network.resolve(host), patience)
    const shows = all.map(({ address, family }) => `${address} (IPv${family})`)
    const cause = `${host} has ${all.length === 1 ? 'one address' : `${all.length} addresses`}.`
    return { addresses: all.slice(0, MOST_ADDRESSES), findings: [find('NET-DNS-2', { cause, shows })] }
  } catch (error) {
    patience.ends.throwIfAborted()
    const code = codeOf(error)
    const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'the resolver failed'
    return { addresses: [], findings: [find('NET-DNS-1', { cause: `${host}: ${reason} (${code}).` })] }
  }
}

interface Tried extends Address {
  readonly ms: number
  /** Why it takes no connection. */
  readonly code?: string
}

const tryAddress = async (visit: Visit, address: Address, port: number): Promise<Tried> => {
  const startedAt = performance.now()
  const elapsed = (): number => Math.round(performance.now() - startedAt)
  try {
    const socket = await connected(visit.network.connect(address.address, port), visit.patience)
    socket.destroy()
    return { ...address, ms: elapsed() }
  } catch (error) {
    visit.patience.ends.throwIfAborted()
    return { ...address, ms: elapsed(), code: codeOf(error) }
  }
}

const tryAddresses = async (visit: Visit, addresses: readonly Address[], url: URL): Promise<Line> => {
  const port = portOf(url)
  const tried = await Promise.all(addresses.map((address) => tryAddress(visit, address, port)))
  const live = tried.find(({ code }) => code === undefined)
  const findings = [portFinding(tried, url)]
  if (live === undefined) return { findings }
  const open = (): Promise<Socket> => connected(visit.network.connect(live.address, port), visit.patience)
  return { findings, open }
}

const rendered = ({ address, ms, code }: Tried): string =>
  code === undefined ? `${address}: connected in ${ms} ms` : `${address}: ${code} after ${ms} ms`

const portFinding = (tried: readonly Tried[], url: URL): Finding => {
  const dead = tried.filter(({ code }) => code !== undefined)
  const shows = tried.map(rendered)
  const place = `${hostOf(url)}, port ${portOf(url)}`
  if (dead.length === 0) return find('NET-TCP-4', { cause: `${place}.`, shows })
  if (dead.length < tried.length) {
    const cause = `${place}: ${dead.length} of ${tried.length} addresses take no connection.`
    // The name localhost has two addresses; a server on this machine listens on one of them.
    const isLocal = dead.every(({ address }) => /^(127\.|::1$)/.test(address))
    return find('NET-TCP-3', { cause, shows, ...(isLocal && { level: 'notice' as const, next: '' }) })
  }
  const isRefused = dead.some(({ code }) => code === 'ECONNREFUSED')
  const codes = [...new Set(dead.flatMap(({ code }) => code ?? []))].join(', ')
  return isRefused
    ? find('NET-TCP-1', { cause: `${place}: the connection is refused (${codes}).`, shows })
    : find('NET-TCP-2', { cause: `${place}: no connection (${codes}).`, shows })
}
