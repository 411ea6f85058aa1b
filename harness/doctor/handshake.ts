import { isIP } from 'node:net'
import { checkServerIdentity, connect } from 'node:tls'
import { codeOf, Late, within } from './network.ts'
import type { Socket } from 'node:net'
import type { ConnectionOptions, DetailedPeerCertificate, TLSSocket } from 'node:tls'
import type { Patience } from './network.ts'

/** One TLS handshake, and what the other side has shown of itself in it. */

/** A certificate as it may be shown: no key, no serial number. */
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
  /** The leaf first, then as far as the chain was sent or is known. */
  readonly chain: readonly Certificate[]
  /** Why the certificate is not to be trusted: the code of OpenSSL or of Node. */
  readonly doubt?: string
  /** Why it is for another name than the one that was asked for. */
  readonly otherName?: string
}

/** `code`: why none came about; `isClosed`: the other side closed the connection without a word. */
export type Shaken = { readonly handshake: Handshake } | { readonly code: string; readonly isClosed: boolean }

export interface Shaking {
  /** The name that the certificate must be for. */
  readonly host: string
  /** Authorities, a client's certificate: as the client of a run has them. */
  readonly context: Pick<ConnectionOptions, 'secureContext'>
}

/** Whether the other side goes on after the handshake: in TLS 1.3 it may still refuse the client's certificate. */
const AFTERMATH_MS = 1_000

export const shake = async (
  open: () => Promise<Socket>,
  { host, context }: Shaking,
  patience: Patience,
): Promise<Shaken> => {
  const socket = await open()
  const secured = connect({
    ...{ socket, host, ...context, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] },
    ...(isIP(host) === 0 && { servername: host }),
  })
  const aftermath = aftermathOf(secured)
  try {
    await within(secureConnectOf(secured), patience)
    const handshake = read(secured, host)
    const closed =
      handshake.protocol === 'TLSv1.3' ? await within(aftermath, soon(patience)).catch(lately) : undefined
    return closed === undefined ? { handshake } : { code: closed, isClosed: closed === CLOSED }
  } catch (error) {
    patience.ends.throwIfAborted()
    const code = codeOf(error)
    return { code, isClosed: code === 'ECONNRESET' || code === CLOSED }
  } finally {
    secured.destroy()
  }
}

const soon = ({ ms, ends }: Patience): Patience => ({ ms: Math.min(ms, AFTERMATH_MS), ends })

/** Nothing came after the handshake: then it stands. */
const lately = (error: unknown): undefined => {
  if (!(error instanceof Late)) throw error
}

const CLOSED = 'CLOSED'

const secureConnectOf = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.once('error', reject)
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: CLOSED })))
  })

/** The code of what ended the connection; undefined once the other side has shown that it goes on. */
const aftermathOf = (socket: TLSSocket): Promise<string | undefined> =>
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
  const doubt = socket.authorized ? undefined : String(socket.authorizationError)
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().standardName,
    chain: isShown ? chainOf(peer) : [],
    ...(doubt !== undefined && { doubt }),
    ...(wrong && { otherName: namesOf(peer) }),
  }
}

const namesOf = ({ subjectaltname, subject }: DetailedPeerCertificate): string =>
  subjectaltname === undefined ? nameOf(subject) : subjectaltname.replaceAll(/(DNS|IP Address):/g, '')

type Distinguished = DetailedPeerCertificate['subject']

/** The common name, or what there is in its place. */
const nameOf = (name: Distinguished): string => {
  const fields = name as Partial<Record<keyof Distinguished, string | readonly string[]>>
  return [fields.CN ?? fields.OU ?? fields.O ?? 'without a name'].flat().join(', ')
}

/** Absent where the chain that was sent breaks off. */
const issuerOf = ({
  issuerCertificate,
}: Partial<DetailedPeerCertificate>): DetailedPeerCertificate | undefined => issuerCertificate

/** A chain that leads back into itself ends there. */
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
