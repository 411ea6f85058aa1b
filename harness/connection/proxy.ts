import type { Profile } from '../profile/schema.ts'

/** The proxy between this machine and an address, and the setting that it comes from. */

/** Proxies by the protocol of the target; an empty text is none. */
export interface ProxySettings {
  readonly http: string
  readonly https: string
  /** Names of hosts, with or without a port, as NO_PROXY lists them. */
  readonly exempt: readonly string[]
  /** The key of the profile, or the variable of the environment, of each setting. */
  readonly from: { readonly http: string; readonly https: string; readonly exempt: string }
}

/** Addresses of this machine never use a proxy. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

const EVERYTHING = '*'

const PROFILE_KEY = 'connection.proxy'

const firstSet = (env: NodeJS.ProcessEnv, names: readonly string[]): string | undefined =>
  names.find((name) => env[name] !== undefined)

/** Undefined if there is no proxy. */
export const proxySettings = (
  { proxy }: Profile['connection'],
  env: NodeJS.ProcessEnv,
): ProxySettings | undefined => {
  const named = (...names: readonly string[]): string | undefined =>
    proxy === undefined ? firstSet(env, names) : undefined
  const httpName = named('http_proxy', 'HTTP_PROXY')
  const httpsName = named('https_proxy', 'HTTPS_PROXY') ?? httpName
  const http = proxy ?? env[httpName ?? ''] ?? ''
  const https = proxy ?? env[httpsName ?? ''] ?? ''
  if (proxy === 'none' || (http === '' && https === '')) return undefined
  const exemptName = firstSet(env, ['no_proxy', 'NO_PROXY'])
  const wanted = (env[exemptName ?? ''] ?? '').trim()
  // The client supports `*` as the only entry, and not in a list.
  const exempt = wanted === EVERYTHING ? [EVERYTHING] : [wanted, ...LOOPBACK].filter((name) => name !== '')
  return {
    http,
    https,
    exempt,
    from: {
      http: httpName ?? PROFILE_KEY,
      https: httpsName ?? PROFILE_KEY,
      exempt: exemptName ?? 'NO_PROXY',
    },
  }
}

/** Whether an address is exempt, by the same rule as in the HTTP client. */
const isExempt = ({ hostname, port, protocol }: URL, exempt: readonly string[]): boolean => {
  const taken = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  if (exempt[0] === EVERYTHING) return true
  return exempt
    .flatMap((names) => names.split(/[,\s]/))
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? []
      if (only !== undefined && Number(only) !== 0 && only !== taken) return false
      const host = name.replace(/^\*?\./, '').toLowerCase()
      return hostname === host || hostname.endsWith(`.${host}`)
    })
}

/** `from` is the key of the profile, or the variable of the environment, that applies. */
export type ProxyChoice =
  | { readonly kind: 'proxy'; readonly url: URL; readonly from: string }
  | { readonly kind: 'passed-by'; readonly from: string }
  | { readonly kind: 'none' }

export const proxyFor = (
  address: string,
  connection: Profile['connection'],
  env: NodeJS.ProcessEnv,
): ProxyChoice => {
  const settings = proxySettings(connection, env)
  if (settings === undefined) return { kind: 'none' }
  const url = new URL(address)
  if (isExempt(url, settings.exempt)) return { kind: 'passed-by', from: settings.from.exempt }
  const scheme = url.protocol === 'https:' && settings.https !== '' ? 'https' : 'http'
  const proxy = settings[scheme]
  return proxy === '' || !URL.canParse(proxy)
    ? { kind: 'none' }
    : { kind: 'proxy', url: new URL(proxy), from: settings.from[scheme] }
}
