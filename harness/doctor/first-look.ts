import { createRedactor } from '../evidence/redaction.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { probe } from '../target/probe.ts'
import { hasOwnTime, judgeClock, judgeFault, judgePlace } from './answers.ts'
import { untimelyCertificate } from './client-certificate.ts'
import { find } from './finding.ts'
import { findLine } from './line.ts'
import { isOnThisMachine } from './places.ts'
import { clientCertificateIn, examineTls, unshaken } from './tls.ts'
import type { Exchange, Fault } from '../evidence/exchange.ts'
import type { Journal } from '../evidence/journal.ts'
import type { Profile } from '../profile/schema.ts'
import type { Reach } from '../target/probe.ts'
import type { Finding } from './finding.ts'
import type { Line } from './line.ts'
import type { Findings, Visit } from './patient.ts'

/** The short form: the line to the target, and one request without a token. */

export interface Probing {
  readonly journal: Journal
  /** Begins the ids of the exchanges. */
  readonly scenario: string
}

export interface FirstLook {
  readonly reach: Reach
  readonly findings: Findings
  /** The line to the target, where there is one. */
  readonly line: Line
}

/** Both go side by side: what the line shows explains what came of the request. */
export const firstLook = async (visit: Visit, { journal, scenario }: Probing): Promise<FirstLook> => {
  const { profile, baseUrl, secrets } = visit.patient
  const redactor = createRedactor(secrets)
  const [{ line, findings: seen }, reach] = await Promise.all([
    lookAtLine(visit).catch((error: unknown) => ownFault(visit, error)),
    probe(profile, baseUrl, { scenario, journal, redactor, ends: visit.patience.ends, env: visit.env }),
  ])
  return { reach, line, findings: [...seen, ...lookAtAnswer(visit, reach, seen)] }
}

interface Seen {
  readonly line: Line
  readonly findings: Findings
}

const lookAtLine = async (visit: Visit): Promise<Seen> => {
  const { baseUrl, profile } = visit.patient
  const own = untimelyCertificate(profile.connection, new Date())
  const line = await findLine(visit)
  return { line, findings: [...own, ...line.findings, ...(await lookAtTls(visit, line, baseUrl))] }
}

const lookAtTls = async (visit: Visit, { open, findings }: Line, baseUrl: string): Promise<Findings> => {
  if (!baseUrl.startsWith('https:')) return inClear(baseUrl)
  return open === undefined ? [leftOut('TLS', findings)] : examineTls(visit, open)
}

/** What the look at the line does wrong by itself must not stop a run that could go on without it. */
const ownFault = ({ patience }: Visit, error: unknown): Seen => {
  patience.ends.throwIfAborted()
  if (error instanceof ConfigurationError) throw error
  const said = error instanceof Error ? error.message : String(error)
  return { line: { findings: [] }, findings: [find('OWN-STEP-1', { cause: `line: ${said}` })] }
}

const inClear = (baseUrl: string): Findings =>
  isOnThisMachine(baseUrl) ? [] : [find('NET-TLS-14', { cause: `${new URL(baseUrl).origin} is plain HTTP.` })]

const isError = ({ level }: Finding): boolean => level === 'error'

/** A step that would only repeat what is known already. */
export const leftOut = (step: string, earlier: Findings): Finding => {
  const { code, title } = earlier.find(isError) ?? { code: 'OWN-LEFT-1', title: 'what it needs is not there' }
  return find('OWN-LEFT-1', { cause: `${step}: left out, because of ${code} (${title}).` })
}

const lookAtAnswer = ({ patient: { profile } }: Visit, reach: Reach, seen: Findings): Findings => {
  if (reach.reached) return reach.exchange === undefined ? [] : judgeAnswer(reach.exchange, profile)
  // Where the line is at fault, what came of the request tells no more.
  const told = seen.some(isError) ? [] : whyUnreached(reach.fault, profile)
  return [...told, leftOut('base path, clock', [...seen, ...told])]
}

/** A target may look at the client's certificate when the handshake is over. */
const whyUnreached = (fault: Fault, { connection }: Profile): Findings =>
  fault.kind === 'tls' ? unshaken({ code: fault.cause, isClosed: false }, connection) : [judgeFault(fault)]

const judgeAnswer = (exchange: Exchange, profile: Profile): Findings => [
  judgePlace(exchange, `basePaths.${profile.environment}`),
  ...(hasOwnTime(profile) ? [] : judgeClock(exchange)),
  ...(exchange.response === undefined ? [] : clientCertificateIn(exchange.response, profile.connection)),
]
