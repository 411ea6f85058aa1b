import { X509Certificate } from 'node:crypto'
import { readInputFile } from '../../evidence/input-file.ts'
import { hostOf, type Examination } from './examination.ts'
import { findingOf, type Finding, type Findings } from './finding.ts'
import { performHandshake, type FailedHandshake, type Handshake, type Certificate } from './handshake.ts'
import type { Socket } from 'node:net'
import type { ReceivedResponse } from '../../evidence/exchange.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Code } from './codes.ts'

/** Alerts of servers that require a client certificate, or do not accept the one that they received. */
const ABOUT_CLIENT =
  /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN)|UNKNOWN_CA|ACCESS_DENIED|NO_CERTIFICATE)/
/** It may mean that, or that there is no common cipher. */
const HANDSHAKE_FAILURE = /ALERT_HANDSHAKE_FAILURE/

export const examineTls = async (
  examination: Examination,
  open: () => Promise<Socket>,
): Promise<Findings> => {
  const { baseUrl, profile } = examination.target
  const result = await performHandshake(examination, open)
  return 'code' in result
    ? failedHandshake(result, profile.connection)
    : judgeCertificate(result, hostOf(new URL(baseUrl)), profile.connection)
}

/** Why a handshake failed, or why the server ended the connection after it. */
export const failedHandshake = (
  { code, isClosed }: FailedHandshake,
  { certificate }: Profile['connection'],
): Findings => {
  const isAboutClient = ABOUT_CLIENT.test(code)
  if (certificate !== undefined && (isAboutClient || HANDSHAKE_FAILURE.test(code) || isClosed)) {
    const cause = `${certificate} is shown, and the target ends the connection (${code}).`
    return [findingOf('NET-TLS-9', { cause })]
  }
  if (isAboutClient || HANDSHAKE_FAILURE.test(code))
    return [findingOf('NET-TLS-8', { cause: `None is shown, and the target ends the connection (${code}).` })]
  return [findingOf('NET-TLS-10', { cause: `The handshake fails (${code}).` })]
}

/** Whether the client's certificate is needed: a second handshake is made without it. */
export const examineClientCertificate = async (
  examination: Examination,
  open: () => Promise<Socket>,
): Promise<Findings> => {
  const { connection } = examination.target.profile
  const { certificate } = connection
  if (certificate === undefined) return []
  const withoutIt = { ...connection, certificate: undefined, key: undefined }
  const result = await performHandshake(examination, open, withoutIt)
  if (!('code' in result))
    return [findingOf('NET-TLS-13', { cause: `A handshake without ${certificate} succeeds.` })]
  const cause = `With ${certificate} the handshake succeeds, without it the target ends it (${result.code}).`
  return [findingOf('NET-TLS-12', { cause })]
}

/** Many servers accept the handshake, and report a problem with the client's certificate in their answer. */
export const clientCertificateIn = (
  { status, body }: ReceivedResponse,
  { certificate }: Profile['connection'],
): Findings => {
  if (status < 400 || !/\bSSL certificate|client certificate/i.test(body.text)) return []
  const answer = `the target answers ${status} and mentions`
  return certificate === undefined
    ? [findingOf('NET-TLS-8', { cause: `None is shown, and ${answer} one.` })]
    : [findingOf('NET-TLS-9', { cause: `${certificate} is shown, and ${answer} it.` })]
}

/** Enough time to have a certificate renewed. */
const SOON_MS = 21 * 24 * 60 * 60 * 1000

/** Whether the client's certificate is valid now and for some time. Its key is not read. */
export const clientCertificateDates = (
  { certificate }: Pick<Profile['connection'], 'certificate'>,
  now: Date,
): Findings => {
  if (certificate === undefined) return []
  const { validFrom, validTo } = new X509Certificate(readInputFile(certificate))
  const isValid = Date.parse(validFrom) <= now.getTime() && now.getTime() + SOON_MS < Date.parse(validTo)
  const cause = `${certificate} is valid from ${validFrom} until ${validTo}.`
  return isValid ? [] : [findingOf('CFG-CONN-2', { cause })]
}

const judgeCertificate = (
  handshake: Handshake,
  host: string,
  connection: Profile['connection'],
): Findings => {
  const { mismatchedNames: names } = handshake
  const cause = `${host} is requested, and the certificate is for ${names}.`
  const otherName = names === undefined ? [] : [findingOf('NET-TLS-7', { cause })]
  const problems = [...judgeTrust(handshake, host), ...otherName]
  // With `verify: false` a run continues, but the problem of the certificate is still reported.
  if (!connection.verify) {
    const accepted = '`connection.verify` is false: any certificate is accepted, also a wrong one.'
    const notices = problems.map((problem): Finding => ({ ...problem, level: 'notice' }))
    return [findingOf('NET-TLS-11', { cause: accepted }), ...notices]
  }
  if (problems.length > 0) return problems
  return [...expiresSoon(handshake), trusted(handshake, connection)]
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

const rendered = ({ subject, issuer, validTo }: Certificate): string =>
  `${subject}, issued by ${issuer}, until ${dayOf(validTo)}`

const trusted = ({ protocol, cipher, chain }: Handshake, { ca }: Profile['connection']): Finding => {
  const authorities = ca === undefined ? '' : `, trusted besides the authorities of Node: those in ${ca}`
  const issuer = chain.at(-1)?.issuer ?? 'no issuer'
  const cause = `${protocol}, ${cipher}; the chain ends at ${issuer}${authorities}.`
  return findingOf('NET-TLS-1', { cause, shows: chain.map(rendered) })
}

const CODES_OF_TRUST_ERRORS: Readonly<Record<string, Code>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'NET-TLS-2',
  SELF_SIGNED_CERT_IN_CHAIN: 'NET-TLS-4',
  CERT_HAS_EXPIRED: 'NET-TLS-5',
  CERT_NOT_YET_VALID: 'NET-TLS-5',
}

const judgeTrust = ({ untrusted, chain }: Handshake, host: string): Findings => {
  // Another name is a finding of its own.
  if (untrusted === undefined || untrusted.includes('ALTNAME')) return []
  const code = CODES_OF_TRUST_ERRORS[untrusted] ?? 'NET-TLS-3'
  const cause = `${host}: ${reasonOf(code, chain)} (${untrusted}).`
  return [findingOf(code, { cause, shows: chain.map(rendered) })]
}

const reasonOf = (code: Code, chain: readonly Certificate[]): string => {
  const [leaf] = chain
  const last = chain.at(-1)
  switch (code) {
    case 'NET-TLS-2':
      return `${leaf?.subject ?? 'the certificate'} is signed by itself`
    case 'NET-TLS-4':
      return `the authority ${last?.subject ?? 'at its end'} is not known here`
    case 'NET-TLS-5':
      return outOfDate(chain)
    default:
      return `${chain.length === 1 ? 'one certificate is' : `${chain.length} certificates are`} sent, and the issuer of ${last?.subject ?? 'the last one'} is not known here: ${last?.issuer ?? 'no issuer'}`
  }
}

const outOfDate = (chain: readonly Certificate[]): string => {
  const now = new Date()
  const wrong = chain.find(({ validFrom, validTo }) => now < validFrom || now > validTo)
  if (wrong === undefined) return 'a certificate of the chain is out of date'
  return now > wrong.validTo
    ? `${wrong.subject} was valid until ${dayOf(wrong.validTo)}`
    : `${wrong.subject} is valid from ${dayOf(wrong.validFrom)}`
}

const expiresSoon = ({ chain }: Handshake): Findings => {
  const soon = chain.filter(({ validTo }) => validTo.getTime() - Date.now() < SOON_MS)
  if (soon.length === 0) return []
  const cause = `${soon.map(rendered).join('; ')}.`
  return [findingOf('NET-TLS-6', { cause, shows: chain.map(rendered) })]
}
