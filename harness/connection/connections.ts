import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { Agent, buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici'
import { recorder } from '../evidence/recorder.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { proxySettings } from './proxy.ts'
import { messageOf, systemCodeOf } from '../evidence/errors.ts'
import { readInputFile } from '../evidence/input-file.ts'
import type { Profile } from '../profile/schema.ts'

/**
 * A request that may be repeated uses persistent connections; any other one uses a new connection,
 * which no server can close as idle: then it would be unknown whether the request was processed.
 */
const apart =
  (own: Dispatcher): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    options.idempotent === false ? own.dispatch(options, handler) : dispatch(options, handler)

/** @throws ConfigurationError for a file of `connection` that cannot be read. */
export const openConnections = (profile: Profile, env: NodeJS.ProcessEnv = process.env) => {
  const connect = { timeout: profile.deadlines.requestMs, ...tlsOf(profile.connection) }
  // The deadline of a request is the only timeout: the client's own timeouts are disabled.
  const settings = { connect, headersTimeout: 0, bodyTimeout: 0 }
  const kept = openAgent(profile, settings, env)
  const own = openAgent(profile, { ...settings, pipelining: 0 }, env)
  return {
    /** Includes the recorder. */
    dispatcher: kept.compose(apart(own), recorder),
    async close() {
      await Promise.all([kept.destroy(), own.destroy()])
    },
  }
}

type Connect = buildConnector.BuildOptions

/** Created once, because every new connection needs it. @throws ConfigurationError for a file that cannot be read. */
export const tlsOf = ({ verify, ...files }: Profile['connection']) => ({
  ...((files.ca ?? files.certificate) !== undefined && { secureContext: contextOf(files) }),
  ...(!verify && { rejectUnauthorized: false }),
})

type Files = Omit<Profile['connection'], 'verify'>

const contextOf = ({ ca, certificate, key, passphrase }: Files): SecureContext => {
  const options = {
    ...(ca !== undefined && { ca: [...rootCertificates, read('ca', ca)] }),
    ...(certificate !== undefined && { cert: read('certificate', certificate) }),
    ...(key !== undefined && { key: read('key', key) }),
    ...(passphrase !== undefined && { passphrase }),
  }
  try {
    return createSecureContext(options)
  } catch (error) {
    const code = systemCodeOf(error) ?? 'unknown'
    throw new ConfigurationError(
      `\`connection\`: ca, certificate, key and passphrase make no TLS client (${code}); are they PEM, and do they belong together?`,
    )
  }
}

const read = (name: keyof Profile['connection'], file: string): string => {
  try {
    return readInputFile(file)
  } catch (error) {
    throw new ConfigurationError(`\`connection.${name}\`: ${file} ${messageOf(error)}; name a PEM file`)
  }
}

type Settings = Agent.Options & { readonly connect: Connect }

const [CONTINUE, END_OF_HEAD] = ['HTTP/1.1 100', '\r\n\r\n']

/**
 * A client must read a 100 (Continue) that it has not asked for (RFC 9110 §15.2), and undici ends the connection. It reads
 * any other interim answer: each 100 that begins a piece of the stream becomes a 102.
 */
const withContinue =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, made) =>
    connect(options, (...result) => {
      const [error, socket] = result
      if (error !== null) return made(...result)
      const read = socket.read.bind(socket)
      socket.read = (size) => {
        const bytes: unknown = read(size)
        if (Buffer.isBuffer(bytes))
          for (let at = 0; bytes.toString('latin1', at, at + CONTINUE.length) === CONTINUE;) {
            bytes.write('2', at + CONTINUE.length - 1)
            const end = bytes.indexOf(END_OF_HEAD, at)
            at = end < 0 ? bytes.length : end + END_OF_HEAD.length
          }
        return bytes
      }
      made(...result)
    })

const poolOf = (origin: string | URL, { connect, ...options }: Pool.Options): Pool =>
  new Pool(origin, {
    ...options,
    connect: withContinue(typeof connect === 'function' ? connect : buildConnector(connect)),
  })

const openAgent = ({ connection }: Profile, given: Settings, env: NodeJS.ProcessEnv): Dispatcher => {
  const settings = { ...given, factory: poolOf }
  const proxies = proxySettings(connection, env)
  if (proxies === undefined) return new Agent(settings)
  return new EnvHttpProxyAgent({
    ...settings,
    httpProxy: proxies.http,
    httpsProxy: proxies.https,
    noProxy: proxies.exempt.join(','),
    // An http address goes to the proxy as it is (RFC 9112 §3.2.2): many proxies permit CONNECT for https only.
    proxyTunnel: false,
    requestTls: settings.connect,
  })
}
