import { join } from 'node:path'
import { OUTPUT } from '../evidence/output.ts'
import { isObjectOrList, jsonIn, type Members } from '../evidence/json.ts'
import { describeAnswer, kindOfAnswer, mayBeOfFirewall } from '../evidence/record/answer-kind.ts'
import { fieldOf, jsonOf } from '../evidence/record/answer.ts'
import { refusalCodePaths } from '../evidence/record/loan-application.ts'
import { valueAt } from '../profile/json-schema.ts'
import { placeholdersOf } from '../profile/template.ts'
import { readContexts } from './contexts.ts'
import { digestEvidence, exchangesOf, readStrays } from './evidence-file.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Plan } from '../plan/plan.ts'
import type { Profile } from '../profile/schema.ts'
import type { Report } from './schema.ts'

/** The objects that a run created at its target, read from the evidence. */

type ReportedPayment = NonNullable<Report['payments']>[number]

const PAYMENT_OPERATIONS = ['initiatePayment', 'readPayment', 'submitPayment']

const answered = (exchange: Exchange): unknown =>
  exchange.response === undefined ? undefined : jsonOf(exchange)

/** All objects of an answer, the outermost first, since the interface does not define where most fields are. */
const objectsIn = (exchange: Exchange): readonly Members[] => {
  const objects = [answered(exchange)].filter(isObjectOrList)
  for (const value of objects) objects.push(...Object.values(value).filter(isObjectOrList))
  return objects
}

const paymentIn = (exchange: Exchange) => {
  const record = objectsIn(exchange).find((value) => Object.hasOwn(value, 'orderId'))
  const { orderId, status } = record ?? {}
  return {
    orderId: typeof orderId === 'string' || typeof orderId === 'number' ? String(orderId) : undefined,
    status: typeof status === 'string' ? status : undefined,
  }
}

/** Every payment that the run created, with its last known status. @param file the evidence of the run. */
export const readPayments = (file: string): ReportedPayment[] => {
  const payments = new Map<string, ReportedPayment>()
  for (const exchange of exchangesOf(file, PAYMENT_OPERATIONS)) {
    const { orderId, status } = paymentIn(exchange)
    if (orderId === undefined) continue
    const known = payments.get(orderId)
    // A refusal may repeat an unknown orderId, which is not a payment.
    if (known === undefined && exchange.operation !== 'initiatePayment') continue
    payments.set(orderId, {
      orderId,
      status: status ?? known?.status,
      initiation: known?.initiation ?? exchange.id,
      seen: exchange.id,
    })
  }
  return [...payments.values()]
}

type ReportedApplication = NonNullable<Report['applications']>[number]
type LoansProfile = NonNullable<Profile['loans']>

const LOAN_OPERATIONS = ['applyForLoan', 'readLoan', 'cancelLoan']

const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined

const idInUrl = ({ request }: Exchange, template: string): string | undefined => {
  const [before = '', after = ''] = template.split('{application-id}')
  const { pathname } = new URL(request.url)
  const start = pathname.lastIndexOf(before) + before.length
  const end = pathname.length - after.length
  return pathname.includes(before) && pathname.endsWith(after) && start < end
    ? decodeURIComponent(pathname.slice(start, end))
    : undefined
}

const applicationIdOf = (
  exchange: Exchange,
  { submission, status, cancellation }: LoansProfile,
): string | undefined => {
  if (exchange.operation === 'applyForLoan') return textOf(fieldOf(answered(exchange), submission.id))
  return idInUrl(exchange, exchange.operation === 'readLoan' ? status.path : cancellation.path)
}

/** The requested amount in EUR, if the request body has it as a number. */
const amountOf = ({ request }: Exchange, { submission }: LoansProfile): number | undefined => {
  const place = placeholdersOf(submission.body).find(({ name }) => name === 'amount')
  const amount = place && valueAt(jsonIn(request.body?.text ?? ''), place.at)
  return typeof amount === 'number' ? amount : undefined
}

const hasRefusalCode = (exchange: Exchange, profile: LoansProfile): boolean =>
  refusalCodePaths(profile).some((path) => textOf(fieldOf(answered(exchange), path)) !== undefined)

const succeeded = (exchange: Exchange): boolean =>
  (exchange.response?.status ?? 500) < 300 && kindOfAnswer(exchange) === 'bank'

/** Every loan application that the run created, with its last known status. @param file the evidence of the run. */
export const readApplications = (file: string, profile: LoansProfile | undefined): ReportedApplication[] => {
  if (profile === undefined) return []
  const applications = new Map<string, ReportedApplication>()
  for (const exchange of exchangesOf(file, LOAN_OPERATIONS)) {
    const id = applicationIdOf(exchange, profile)
    const known = id === undefined ? undefined : applications.get(id)
    // A request for an unknown id does not create an application.
    if (id === undefined || (known === undefined && exchange.operation !== 'applyForLoan')) continue
    const reported = textOf(fieldOf(answered(exchange), profile.status.status))
    // A refusal has a code, whatever its HTTP status.
    const isDeleted =
      exchange.operation === 'cancelLoan' && succeeded(exchange) && !hasRefusalCode(exchange, profile)
    applications.set(id, {
      applicationId: id,
      amount: known === undefined ? amountOf(exchange, profile) : known.amount,
      status: reported ?? known?.status,
      canceled: isDeleted || known?.canceled === true,
      submission: known?.submission ?? exchange.id,
      seen: reported === undefined ? (known?.seen ?? exchange.id) : exchange.id,
    })
  }
  return [...applications.values()]
}

const consentIdIn = (exchange: Exchange): string | undefined => {
  for (const { consentId } of objectsIn(exchange))
    if (typeof consentId === 'string' && consentId !== '') return consentId
  return undefined
}

/** Whether a request names an id, wherever the profile places it. */
const mentions = ({ request }: Exchange, id: string): boolean => {
  const text = `${request.url} ${request.body?.text ?? ''}`
  return text.includes(id) || text.includes(encodeURIComponent(id))
}

/** Every consent, and whether a test hook has revoked it since, or its application has deleted it. */
const consentsIn = (file: string): readonly Created[] => {
  const consents = new Map<string, Created>()
  for (const exchange of exchangesOf(file, ['createConsent', 'deleteConsent', 'testHook'])) {
    if (exchange.operation === 'createConsent') {
      const id = consentIdIn(exchange)
      if (id !== undefined && !consents.has(id))
        consents.set(id, left({ kind: 'consent', id, exchange: exchange.id }, UNTRIED))
    } else if (succeeded(exchange)) {
      const revoked = [...consents.values()].find(({ id }) => mentions(exchange, id))
      if (revoked !== undefined) consents.set(revoked.id, cleaned(revoked))
    }
  }
  return [...consents.values()]
}

interface NamedApplication {
  readonly name: string
  readonly shownId: string
}

/** Part of the ids of exchanges that restore settings. */
const RESTORING = ':end/'

/** The beginning of the ids of exchanges that clean up after the last scenario. */
export const CLEAN_UP = 'clean-up'

/** Every change of webhook settings by the run, and whether they were restored after the scenario. */
const settingsIn = (file: string, applications: readonly NamedApplication[]): readonly Created[] => {
  const changes = new Map<string, Created>()
  for (const exchange of exchangesOf(file, ['configureWebhook'])) {
    const isCleanUp = exchange.id.startsWith(CLEAN_UP)
    const isRestored = isCleanUp || exchange.id.includes(RESTORING)
    // Where the answer does not say so, the settings are assumed to be changed and not restored.
    if (isRestored ? !succeeded(exchange) : saysNothingMade(exchange)) continue
    const id = applications.find(({ shownId }) => mentions(exchange, shownId))?.name ?? UNKNOWN
    if (isCleanUp) {
      for (const [key, known] of changes) if (known.id === id) changes.set(key, cleaned(known))
      continue
    }
    const key = `${exchange.id.replace(/(:end)?\/\d+$/, '')} ${id}`
    const origin = changes.get(key) ?? { kind: 'webhook settings', id, exchange: exchange.id }
    changes.set(key, isRestored ? cleaned(origin) : left(origin, 'the run could not restore them'))
  }
  return [...changes.values()]
}

export type Created = NonNullable<Report['created']>[number]

/** The scenario at the start of the id of an exchange, without the number of the attempt. */
export const scenarioIn = (exchange: string): string =>
  /^[a-z0-9-]+\/[a-z0-9-]+(@\w+)?/.exec(exchange)?.[0] ?? exchange

/** Final statuses: such an application cannot be deleted and need not be. */
const FINAL: ReadonlySet<string> = new Set(['CANCELED', 'EXPIRED', 'LOAN_DISBURSED'])

const NOT_REVERSIBLE = 'the interface has no operation that cancels a payment'

type Origin = Pick<Created, 'kind' | 'id' | 'exchange'>

const cleaned = ({ kind, id, exchange }: Origin): Created => {
  const scenario = scenarioIn(exchange)
  return { kind, id, scenario, exchange, cleaned: true }
}

const left = (origin: Origin, because: string): Created => ({ ...cleaned(origin), cleaned: false, because })

const paymentsIn = (file: string): readonly Created[] =>
  readPayments(file).map(({ orderId, initiation }) =>
    left({ kind: 'payment', id: orderId, exchange: initiation }, NOT_REVERSIBLE),
  )

const applicationsIn = (file: string, loans: Profile['loans']): readonly Created[] =>
  readApplications(file, loans).map(({ applicationId, submission, canceled, status = '' }) => {
    const origin = { kind: 'application', id: applicationId, exchange: submission } as const
    if (canceled) return cleaned(origin)
    return FINAL.has(status) ? left(origin, `its final status is ${status}`) : left(origin, UNTRIED)
  })

const CREATIONS: Readonly<Partial<Record<string, Created['kind']>>> = {
  createConsent: 'consent',
  initiatePayment: 'payment',
  applyForLoan: 'application',
}

/** Faults before which nothing was sent. */
const UNSENT: ReadonlySet<string> = new Set(['unresolved', 'refused', 'tls'])

/** Statuses about the way of a request, which gateways answer as well, also for what the bank has already done. */
const OF_THE_WAY: ReadonlySet<number> = new Set([401, 407, 408, 421, 425, 429])

/** Whether a success of the bank reports a refusal: the HTTP status beside the codes of loans is not shown. */
const reportsRefusal = (exchange: Exchange, loans?: Profile['loans']): boolean =>
  succeeded(exchange) &&
  (exchange.operation === 'applyForLoan'
    ? loans !== undefined && hasRefusalCode(exchange, loans)
    : objectsIn(exchange).some(({ status }) => status === 'RJCT'))

/** Whether a request was not sent, or an answer of the bank itself says that it has made nothing. */
const saysNothingMade = (exchange: Exchange, loans?: Profile['loans']): boolean => {
  const { fault, response } = exchange
  if (fault !== undefined && (UNSENT.has(fault.kind) || fault.cause === 'UNCONNECTED')) return true
  const status = response?.status ?? fault?.status ?? 0
  if (status < 400 || status >= 500) return reportsRefusal(exchange, loans)
  const isOfBank = response === undefined || kindOfAnswer(exchange) === 'bank'
  // Consents are refused with 401 on purpose, to clients that the run invents.
  const isOfTheWay = OF_THE_WAY.has(status) && !(status === 401 && exchange.operation === 'createConsent')
  return isOfBank && !isOfTheWay && !mayBeOfFirewall(exchange)
}

const idIn = (exchange: Exchange, loans: Profile['loans']): string | undefined => {
  if (exchange.operation === 'createConsent') return consentIdIn(exchange)
  if (exchange.operation === 'applyForLoan') return loans && applicationIdOf(exchange, loans)
  return paymentIn(exchange).orderId
}

/** Requests that may have created an object whose id is not known. */
const uncertainIn = (file: string, loans: Profile['loans']): readonly Created[] =>
  [...exchangesOf(file, Object.keys(CREATIONS))].flatMap((exchange) => {
    const kind = CREATIONS[exchange.operation]
    if (kind === undefined || saysNothingMade(exchange, loans) || idIn(exchange, loans) !== undefined)
      return []
    const { fault } = exchange
    const answer =
      fault === undefined ? `received ${describeAnswer(exchange)}` : `had no complete answer (${fault.cause})`
    const because = `whether it was created is not known: its request ${answer}`
    return [left({ kind, id: UNKNOWN, exchange: exchange.id }, because)]
  })

/** Stands for an id that no answer has reported. */
const UNKNOWN = 'unknown'

export const UNTRIED = 'the run ended before its clean-up'

/** All objects that the run created at its target, and whether they are cleaned up. @param file the evidence of the run. */
export const readCreated = (
  file: string,
  { loans }: Pick<Profile, 'loans'>,
  applications: readonly NamedApplication[],
): readonly Created[] => [
  ...paymentsIn(file),
  ...applicationsIn(file, loans),
  ...consentsIn(file),
  ...settingsIn(file, applications),
  ...uncertainIn(file, loans),
]

/** What the evidence in the folder of a run shows, besides the verdicts. */
export const recordedIn = (outDir: string, profile: Profile, plan: Plan) => {
  const evidence = join(outDir, OUTPUT.evidence)
  return {
    payments: readPayments(evidence),
    applications: readApplications(evidence, profile.loans),
    contexts: readContexts(evidence, plan, profile),
    strays: readStrays(evidence),
    evidence: digestEvidence(outDir),
  }
}
