import { request, type OutgoingHttpHeaders } from 'node:http'
import { request as requestOverTls } from 'node:https'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import { proxyFor } from '../proxy.ts'
import { codeOf, connected, hostOf, portOf, within, type Address, type Examination } from './examination.ts'
import { findingOf, type Finding, type Findings } from './finding.ts'

/** The network route to a host: its name, its port, and the proxy in between. */

export interface Route {
  readonly findings: Findings
  /** Opens a new connection on this route. Absent where no connection is possible. */
  readonly open?: () => Promise<Socket>
}

export const findRoute = async (
  examination: Examination,
  address = examination.target.baseUrl,
): Promise<Route> => {
  const url = new URL(address)
  const choice = proxyFor(address, examination.target.profile.connection, examination.env)
  if (choice.kind === 'proxy')
    return openTunnel(examination, { destination: url, proxy: choice.url, from: choice.from })
  const exempt =
    choice.kind === 'passed-by'
      ? [findingOf('NET-PROXY-2', { cause: `${hostOf(url)} is exempt (${choice.from}, or this machine).` })]
      : []
  const route = await findDirectRoute(examination, url)
  return { ...route, findings: [...exempt, ...route.findings] }
}

const findDirectRoute = async (examination: Examination, url: URL): Promise<Route> => {
  const { addresses, findings } = await resolveName(examination, hostOf(url))
  if (addresses.length === 0) return { findings }
  const route = await tryAddresses(examination, addresses, url)
  return { ...route, findings: [...findings, ...route.findings] }
}

/** Of a name with a hundred addresses, only some are tried. */
const MOST_ADDRESSES = 8

const RESOLVER_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|ENODATA/, 'the DNS knows no such name'],
  [/EAI_AGAIN/, 'the resolver of this machine gave no answer'],
  [/TIMEOUT/, 'the resolver of this machine took too long'],
]

export const resolveName = async ({ network, timeout }: Examination, host: string) => {
  const family = isIP(host)
  if (family !== 0) return { addresses: [{ address: host, family }], findings: [] }
  try {
    const all = await within(network.resolve(host), timeout)
    const shows = all.map(({ address, family }) => `${address} (IPv${family})`)
    const cause = `${host} has ${all.length === 1 ? 'one address' : `${all.length} addresses`}.`
    return { addresses: all.slice(0, MOST_ADDRESSES), findings: [findingOf('NET-DNS-2', { cause, shows })] }
  } catch (error) {
    timeout.signal.throwIfAborted()
    const code = codeOf(error)
    const reason = RESOLVER_ERRORS.find(([pattern]) => pattern.test(code))?.[1] ?? 'the resolver failed'
    return { addresses: [], findings: [findingOf('NET-DNS-1', { cause: `${host}: ${reason} (${code}).` })] }
  }
}

interface TriedAddress extends Address {
  readonly ms: number
  /** Why it accepts no connection. */
  readonly code?: string
}

const tryAddress = async (
  { network, timeout }: Examination,
  address: Address,
  port: number,
): Promise<TriedAddress> => {
  const startedAt = performance.now()
  const elapsed = (): number => Math.round(performance.now() - startedAt)
  try {
    const socket = await connected(network.connect(address.address, port), timeout)
    socket.destroy()
    return { ...address, ms: elapsed() }
  } catch (error) {
    timeout.signal.throwIfAborted()
    return { ...address, ms: elapsed(), code: codeOf(error) }
  }
}

const tryAddresses = async (
  examination: Examination,
  addresses: readonly Address[],
  url: URL,
): Promise<Route> => {
  const port = portOf(url)
  const tried = await Promise.all(addresses.map((address) => tryAddress(examination, address, port)))
  const findings = [portFinding(tried, url)]
  const reachable = tried.find(({ code }) => code === undefined)
  if (reachable === undefined) return { findings }
  const { network, timeout } = examination
  return { findings, open: () => connected(network.connect(reachable.address, port), timeout) }
}

const portFinding = (tried: readonly TriedAddress[], url: URL): Finding => {
  const failed = tried.filter(({ code }) => code !== undefined)
  const shows = tried.map(({ address, ms, code }) =>
    code === undefined ? `${address}: connected in ${ms} ms` : `${address}: ${code} after ${ms} ms`,
  )
  const place = `${hostOf(url)}, port ${portOf(url)}`
  if (failed.length === 0) return findingOf('NET-TCP-4', { cause: `${place}.`, shows })
  if (failed.length < tried.length) {
    const cause = `${place}: ${failed.length} of ${tried.length} addresses accept no connection.`
    // The name localhost has two addresses, and a server on this machine often listens on one of them only.
    const isLocal = failed.every(({ address }) => /^(127\.|::1$)/.test(address))
    return findingOf('NET-TCP-3', isLocal ? { cause, shows, level: 'notice', next: '' } : { cause, shows })
  }
  const codes = [...new Set(failed.flatMap(({ code }) => code ?? []))]
  return codes.includes('ECONNREFUSED')
    ? findingOf('NET-TCP-1', { cause: `${place}: the connection is refused (${codes.join(', ')}).`, shows })
    : findingOf('NET-TCP-2', { cause: `${place}: no connection (${codes.join(', ')}).`, shows })
}

/** A tunnel through a proxy, which CONNECT asks for (RFC 9110 §9.3.6). */
interface Tunnel {
  readonly destination: URL
  readonly proxy: URL
  /** The key of the profile, or the variable of the environment, that the proxy comes from. */
  readonly from: string
}

interface ConnectAnswer {
  readonly status: number
  readonly socket: Socket
}

const credentialsOf = ({ username, password }: URL): OutgoingHttpHeaders => {
  if (username === '' && password === '') return {}
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(text).toString('base64')}` }
}

const hostAndPort = (url: URL): string => `${url.hostname}:${portOf(url)}`

const sendConnect = ({ destination, proxy }: Tunnel, { timeout }: Examination): Promise<ConnectAnswer> => {
  const send = proxy.protocol === 'https:' ? requestOverTls : request
  const sent = send({
    host: hostOf(proxy),
    port: portOf(proxy),
    method: 'CONNECT',
    path: hostAndPort(destination),
    agent: false,
    headers: { Host: hostAndPort(destination), ...credentialsOf(proxy) },
  })
  const answered = new Promise<ConnectAnswer>((resolve, reject) => {
    sent.once('connect', ({ statusCode = 0 }, socket) => resolve({ status: statusCode, socket }))
    // Some proxies answer a refusal like any other request.
    sent.once('response', ({ statusCode = 0, socket }) => resolve({ status: statusCode, socket }))
    sent.on('error', reject)
    sent.end()
  })
  return within(answered, timeout).catch((error: unknown) => {
    sent.destroy()
    throw error
  })
}

const PROXY_AUTHENTICATION_REQUIRED = 407

/** Opens a tunnel once, to see whether the proxy grants it. The credentials of the proxy are never shown. */
const openTunnel = async (examination: Examination, tunnel: Tunnel): Promise<Route> => {
  const { proxy, from, destination } = tunnel
  const used = findingOf('NET-PROXY-1', { cause: `${hostAndPort(proxy)}, set by ${from}.` })
  try {
    const { status, socket } = await sendConnect(tunnel, examination)
    socket.on('error', () => undefined)
    socket.destroy()
    if (status >= 200 && status < 300)
      return { findings: [used], open: async () => (await sendConnect(tunnel, examination)).socket }
    const cause = `${hostAndPort(proxy)} (${from}) answers CONNECT ${hostAndPort(destination)} with ${status}.`
    const code = status === PROXY_AUTHENTICATION_REQUIRED ? 'NET-PROXY-4' : 'NET-PROXY-5'
    return { findings: [used, findingOf(code, { cause })] }
  } catch (error) {
    examination.timeout.signal.throwIfAborted()
    const cause = `${hostAndPort(proxy)} (${from}): ${codeOf(error)}.`
    return { findings: [used, findingOf('NET-PROXY-3', { cause })] }
  }
}

/** From where an address can be reached, the narrowest first. */
export const SCOPES = ['this machine', 'a private network', 'the internet'] as const
export type Scope = (typeof SCOPES)[number]

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291. */
const PRIVATE = new BlockList()
PRIVATE.addSubnet('10.0.0.0', 8)
PRIVATE.addSubnet('172.16.0.0', 12)
PRIVATE.addSubnet('192.168.0.0', 16)
PRIVATE.addSubnet('100.64.0.0', 10)
PRIVATE.addSubnet('169.254.0.0', 16)
PRIVATE.addSubnet('0.0.0.0', 8)
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

export const scopeOf = (address: string): Scope => {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (LOOPBACK.check(address, family)) return 'this machine'
  return PRIVATE.check(address, family) ? 'a private network' : 'the internet'
}

/** Judged by the host as it is written: no name is resolved. */
export const isOnThisMachine = (url: string): boolean => {
  const host = hostOf(new URL(url))
  return host === 'localhost' || host.endsWith('.localhost') || scopeOf(host) === 'this machine'
}
