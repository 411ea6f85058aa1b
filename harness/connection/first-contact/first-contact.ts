import { messageOf } from '../../evidence/errors.ts'
import { clockOffsetOf } from '../../evidence/clock-offset.ts'
import { renderFault, type Exchange, type Fault } from '../../evidence/exchange.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { testHooksIn } from '../../profile/test-hooks.ts'
import { ask, firstBasePath, judgeBasePath } from './base-paths.ts'
import { NETWORK, timeoutFor, type Examination, type ExaminedTarget } from './examination.ts'
import { findingOf, leftOut, type Finding, type Findings } from './finding.ts'
import { findRoute, isOnThisMachine, type Route } from './route.ts'
import { clientCertificateDates, clientCertificateIn, examineTls, failedHandshake } from './tls.ts'
import { openTargetHttp } from '../target-http.ts'
import type { Journal } from '../../evidence/journal.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Code } from './codes.ts'

interface ContactOptions {
  readonly journal: Journal
  /** Begins the ids of the exchanges. */
  readonly scenario: string
}

/** `exchanges`: the ids of the attempts. */
export type Reach =
  | { readonly reached: true; readonly exchange?: Exchange }
  | {
      readonly reached: false
      readonly because: string
      readonly exchanges: readonly string[]
      readonly fault: Fault
    }

/**
 * Whether anything answers at a base URL, before a run starts. Any HTTP response is sufficient.
 * @throws the reason of the signal, once that is aborted.
 */
const probe = async (
  { target, timeout: { signal }, env }: Examination,
  { journal, scenario }: ContactOptions,
): Promise<Reach> => {
  const { profile, baseUrl, secrets } = target
  const exchanges: Exchange[] = []
  const { http, close } = openTargetHttp({
    profile,
    baseUrl,
    secrets,
    scenario,
    journal,
    signal,
    env,
    origins: [new URL(baseUrl).origin],
    allowed: { sandbox: ['read'], production: ['read'] },
    onExchange: (exchange) => exchanges.push(exchange),
  })
  try {
    const exchange = await ask(http, baseUrl, firstBasePath(profile))
    signal.throwIfAborted()
    const { fault } = exchange
    if (fault === undefined || fault.status !== undefined) return { reached: true, exchange }
    return { reached: false, because: renderFault(fault), exchanges: exchanges.map(({ id }) => id), fault }
  } finally {
    await close()
  }
}

/** The first examination of a target: the route to it, TLS, and one request without a token. */

export type FirstContact = Awaited<ReturnType<typeof makeFirstContact>>

/** Route and request are tried concurrently; the findings about the route explain the result of the request. */
export const makeFirstContact = async (examination: Examination, options: ContactOptions) => {
  const [{ open, findings }, reach] = await Promise.all([
    examineRoute(examination).catch((error: unknown) => failedStep(examination, error)),
    probe(examination, options),
  ])
  const { profile } = examination.target
  return { reach, open, findings: [...findings, ...judgeReach(profile, reach, findings)] }
}

/** The result for a person who watches a run. */
type Contact = Reach & { readonly warnings: readonly string[] }

/** The findings on the address, each an error of the doctor. A run goes on: the target may answer elsewhere. */
const ON_THE_ADDRESS: readonly Code[] = ['TGT-PATH-2', 'TGT-PATH-4']

const sentence = ({ code, title, cause, next }: Finding): string =>
  `${code} ${title}: ${cause} ${next}`.trim()

/**
 * The first contact as the first step of a run: why the target cannot be reached, and possible problems.
 * @throws the reason of the signal, once that is aborted.
 */
export const contactTarget = async (
  target: ExaminedTarget,
  { signal, ...options }: ContactOptions & { readonly signal: AbortSignal },
): Promise<Contact> => {
  const examination = { target, timeout: timeoutFor(target, signal), network: NETWORK, env: process.env }
  const { reach, findings } = await makeFirstContact(examination, options)
  const redactor = createRedactor(target.secrets, target.profile)
  const warnings = findings
    .filter(({ code, level }) => level === 'warning' || (reach.reached && ON_THE_ADDRESS.includes(code)))
    .map((finding) => `warning: ${redactor.sentence(sentence(finding))}`)
  if (reach.reached) return { ...reach, warnings }
  const error = findings.find(isError)
  // That nothing listens is what the probe says already.
  const explained = error?.code === 'NET-TCP-1' ? `${error.code} ${error.next}` : error && sentence(error)
  const why = explained === undefined ? '' : `; ${redactor.sentence(explained)}`
  return { ...reach, because: reach.because + why, warnings }
}

const examineRoute = async (examination: Examination): Promise<Route> => {
  const { target } = examination
  const dates = clientCertificateDates(target.profile.connection, new Date())
  const route = await findRoute(examination)
  return {
    ...route,
    findings: [...dates, ...route.findings, ...(await examineTransport(examination, route))],
  }
}

const examineTransport = async (examination: Examination, { open, findings }: Route): Promise<Findings> => {
  const { baseUrl } = examination.target
  if (baseUrl.startsWith('https:'))
    return open === undefined ? [leftOut('TLS', findings)] : examineTls(examination, open)
  return isOnThisMachine(baseUrl)
    ? []
    : [findingOf('NET-TLS-14', { cause: `${new URL(baseUrl).origin} is plain HTTP.` })]
}

/** A fault of this examination must not stop a run that does not need it. */
const failedStep = ({ timeout }: Examination, error: unknown): Route => {
  timeout.signal.throwIfAborted()
  if (error instanceof ConfigurationError) throw error
  return { findings: [findingOf('OWN-STEP-1', { cause: `route: ${messageOf(error)}` })] }
}

const isError = ({ level }: Finding): boolean => level === 'error'

const judgeReach = (profile: Profile, reach: Reach, earlier: Findings): Findings => {
  if (reach.reached) return reach.exchange === undefined ? [] : judgeAnswer(reach.exchange, profile)
  // An error of the route already explains why no answer came.
  const findings = earlier.some(isError) ? [] : judgeFault(reach.fault, profile)
  return [...findings, leftOut('base path, clock', [...earlier, ...findings])]
}

const CODE_OF_FAULT: Readonly<Record<Exclude<Fault['kind'], 'tls'>, Code>> = {
  unresolved: 'NET-DNS-1',
  refused: 'NET-TCP-1',
  timeout: 'TGT-HTTP-1',
  reset: 'TGT-HTTP-2',
  protocol: 'TGT-HTTP-3',
  'too-large': 'TGT-HTTP-3',
}

const judgeFault = (fault: Fault, { connection }: Profile): Findings =>
  fault.kind === 'tls'
    ? // A target may check the client's certificate after the handshake.
      failedHandshake({ code: fault.cause, isClosed: false }, connection)
    : [findingOf(CODE_OF_FAULT[fault.kind], { cause: `${renderFault(fault)}.` })]

const judgeAnswer = (exchange: Exchange, profile: Profile): Findings => [
  judgeBasePath(exchange, firstBasePath(profile).key),
  ...judgeClock(exchange, profile),
  ...(exchange.response === undefined ? [] : clientCertificateIn(exchange.response, profile.connection)),
]

/** A Date header has a resolution of one second, and a difference of a few seconds does not affect a run. */
const FAR_MS = 30_000

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** How far the clock of the target is from that of this machine, by the Date header of its answer. */
const judgeClock = (exchange: Exchange, profile: Profile): Findings => {
  // The Date header of a target with a clock of its own says nothing about it.
  const isMoved = testHooksIn(profile).advanceClock !== undefined
  if (exchange.response === undefined || isMoved || profile.clock.speed !== 1) return []
  const offset = clockOffsetOf([exchange])
  if (offset === undefined) {
    const cause = 'Its answer has no Date header, or one that cannot be read.'
    return [findingOf('NET-TIME-3', { cause })]
  }
  const { least, most } = offset
  const cause = `The target is ahead by ${seconds(least)} to ${seconds(most)} (a Date header is cut to the second).`
  const isFar = least > FAR_MS || most < -FAR_MS
  return [findingOf(isFar ? 'NET-TIME-2' : 'NET-TIME-1', { cause })]
}
