import { tlsOf } from '../target/connections.ts'
import { judgeCertificate } from './certificates.ts'
import { find } from './finding.ts'
import { shake } from './handshake.ts'
import { hostOf } from './patient.ts'
import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { ReceivedResponse } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Shaken } from './handshake.ts'
import type { Findings, Visit } from './patient.ts'

/** TLS with the target: version, certificate, and the client's own certificate. */

const contextOf = (connection: Profile['connection']): Pick<ConnectionOptions, 'secureContext'> => {
  const settings = tlsOf(connection)
  return 'secureContext' in settings && settings.secureContext !== undefined
    ? { secureContext: settings.secureContext }
    : {}
}

/** What servers say that miss a certificate of the client, or do not take the one that they got. */
const ABOUT_CLIENT =
  /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN)|UNKNOWN_CA|ACCESS_DENIED|NO_CERTIFICATE)/
/** It may mean that, or that no cipher fits. */
const HANDSHAKE_FAILURE = /ALERT_HANDSHAKE_FAILURE/

export const examineTls = async (visit: Visit, open: () => Promise<Socket>): Promise<Findings> => {
  const { profile, baseUrl } = visit.patient
  const { connection } = profile
  const host = hostOf(new URL(baseUrl))
  const shaken = await shake(open, { host, context: contextOf(connection) }, visit.patience)
  return 'handshake' in shaken
    ? judgeCertificate(shaken.handshake, { host, connection, now: new Date() })
    : unshaken(shaken, connection)
}

/** Why no handshake came about, or why it did not last. */
export const unshaken = (
  { code, isClosed }: Extract<Shaken, { code: string }>,
  connection: Profile['connection'],
): Findings => {
  const { certificate } = connection
  const isAboutClient = ABOUT_CLIENT.test(code)
  if (certificate !== undefined && (isAboutClient || HANDSHAKE_FAILURE.test(code) || isClosed))
    return [
      find('NET-TLS-9', { cause: `${certificate} is shown, and the target ends the connection (${code}).` }),
    ]
  if (isAboutClient || HANDSHAKE_FAILURE.test(code))
    return [find('NET-TLS-8', { cause: `None is shown, and the target ends the connection (${code}).` })]
  return [find('NET-TLS-10', { cause: `The handshake fails (${code}).` })]
}

/** Whether the client's certificate is needed: a second handshake goes without it. */
export const examineClientCertificate = async (
  visit: Visit,
  open: () => Promise<Socket>,
): Promise<Findings> => {
  const { profile, baseUrl } = visit.patient
  const { certificate } = profile.connection
  if (certificate === undefined) return []
  const bare = { ...profile.connection, certificate: undefined, key: undefined }
  const host = hostOf(new URL(baseUrl))
  const shaken = await shake(open, { host, context: contextOf(bare) }, visit.patience)
  if ('handshake' in shaken)
    return [find('NET-TLS-13', { cause: `A handshake without ${certificate} succeeds.` })]
  const cause = `With ${certificate} the handshake succeeds, without it the target ends it (${shaken.code}).`
  return [find('NET-TLS-12', { cause })]
}

/** Many a server ends no handshake, and says with an answer what it thinks of the client's certificate. */
export const clientCertificateIn = (
  { status, body }: ReceivedResponse,
  { certificate }: Profile['connection'],
): Findings => {
  if (status < 400 || !/\bSSL certificate|client certificate/i.test(body.text)) return []
  return certificate === undefined
    ? [find('NET-TLS-8', { cause: `None is shown, and the target answers ${status} and speaks of one.` })]
    : [
        find('NET-TLS-9', {
          cause: `${certificate} is shown; the target answers ${status} and speaks of it.`,
        }),
      ]
}
