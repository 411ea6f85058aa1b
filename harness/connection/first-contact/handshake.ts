import { isIP, type Socket } from 'node:net'
import { connect, checkServerIdentity, type TLSSocket, type DetailedPeerCertificate } from 'node:tls'
import { TooLate } from '../../profile/within.ts'
import { tlsOf } from '../connections.ts'
import { within, codeOf, hostOf, type Examination } from './examination.ts'

/** One TLS handshake, and the certificates that the server sent in it. */

/** The parts of a certificate that may be shown: no key, no serial number. */
export interface Certificate {
  readonly subject: string
  readonly issuer: string
  readonly validFrom: Date
  readonly validTo: Date
}

export interface Handshake {
  /** Such as TLSv1.3. */
  readonly protocol: string
  readonly cipher: string
  /** The certificate of the server first, then its issuers, if they were sent or are known. */
  readonly chain: readonly Certificate[]
  /** Why the certificate is not trusted: the code of OpenSSL or of Node. */
  readonly untrusted?: string
  /** The names of the certificate, where the requested name is not one of them. */
  readonly mismatchedNames?: string
}

export interface FailedHandshake {
  readonly code: string
  /** The server closed the connection without an alert. */
  readonly isClosed: boolean
}

/** In TLS 1.3 a server may still refuse the client's certificate after the handshake. In ms. */
const AFTER_HANDSHAKE_MS = 1_000

/** @param connection its authorities and client certificate; by default those of a run. */
export const performHandshake = async (
  { target, timeout }: Examination,
  open: () => Promise<Socket>,
  connection = target.profile.connection,
): Promise<Handshake | FailedHandshake> => {
  const socket = await open()
  const host = hostOf(new URL(target.baseUrl))
  const { secureContext } = tlsOf(connection)
  const secured = connect({
    socket,
    host,
    ...(secureContext !== undefined && { secureContext }),
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
  })
  const afterwards = errorAfterHandshake(secured)
  try {
    await within(secureConnectOf(secured), timeout)
    const handshake = read(secured, host)
    if (handshake.protocol !== 'TLSv1.3') return handshake
    const limit = { ...timeout, ms: Math.min(timeout.ms, AFTER_HANDSHAKE_MS) }
    const code = await within(afterwards, limit).catch(ignoreTimeout)
    return code === undefined ? handshake : { code, isClosed: code === CLOSED }
  } catch (error) {
    timeout.signal.throwIfAborted()
    const code = codeOf(error)
    return { code, isClosed: code === 'ECONNRESET' || code === CLOSED }
  } finally {
    secured.destroy()
  }
}

/** No message after the handshake means that it is accepted. */
const ignoreTimeout = (error: unknown): undefined => {
  if (!(error instanceof TooLate)) throw error
}

const CLOSED = 'CLOSED'

const secureConnectOf = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.once('error', reject)
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: CLOSED })))
  })

/** The code of the error that ended the connection; undefined once the server has sent something else. */
const errorAfterHandshake = (socket: TLSSocket): Promise<string | undefined> =>
  new Promise((resolve) => {
    socket.once('session', () => resolve(undefined))
    socket.once('data', () => resolve(undefined))
    socket.on('error', (error) => resolve(codeOf(error)))
    socket.once('close', () => resolve(CLOSED))
  })

const read = (socket: TLSSocket, host: string): Handshake => {
  const peer = socket.getPeerCertificate(true)
  // A server without a certificate shows an empty one.
  const isShown = Object.keys(peer).length > 0
  const wrong = isShown ? checkServerIdentity(host, peer) : undefined
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().standardName,
    chain: isShown ? chainOf(peer) : [],
    ...(!socket.authorized && { untrusted: String(socket.authorizationError) }),
    ...(wrong && { mismatchedNames: namesOf(peer) }),
  }
}

const namesOf = ({ subjectaltname, subject }: DetailedPeerCertificate): string =>
  subjectaltname === undefined ? nameOf(subject) : subjectaltname.replaceAll(/(DNS|IP Address):/g, '')

/** The common name, or else the organization. Node types every field as one text, though any may be absent or a list. */
const nameOf = (name: Partial<Record<'CN' | 'OU' | 'O', string | readonly string[]>>): string =>
  [name.CN ?? name.OU ?? name.O ?? 'without a name'].flat().join(', ')

/** Absent where the chain that was sent is incomplete, whatever Node's type says. */
const issuerOf = ({
  issuerCertificate,
}: Partial<DetailedPeerCertificate>): DetailedPeerCertificate | undefined => issuerCertificate

/** A root certificate is its own issuer: the chain ends there. */
const chainOf = (leaf: DetailedPeerCertificate): readonly Certificate[] => {
  const seen = new Set<string>()
  const chain: Certificate[] = []
  let at: DetailedPeerCertificate | undefined = leaf
  while (at !== undefined && !seen.has(at.fingerprint256)) {
    seen.add(at.fingerprint256)
    chain.push({
      subject: nameOf(at.subject),
      issuer: nameOf(at.issuer),
      validFrom: new Date(at.valid_from),
      validTo: new Date(at.valid_to),
    })
    at = issuerOf(at)
  }
  return chain
}
