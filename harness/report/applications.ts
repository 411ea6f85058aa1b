import { placeholdersOf } from '../profile/placeholders.ts'
import { valueAt } from '../profile/json-schema.ts'
import { exchangesOf } from './evidence-lines.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Report } from './schema.ts'

/** Every loan application that a run has created, with what the target said of it last: read from the evidence. */

type ReportedApplication = NonNullable<Report['applications']>[number]
type LoansProfile = NonNullable<Profile['loans']>

const OPERATIONS = ['applyForLoan', 'readLoan', 'cancelLoan']

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const fieldOf = (exchange: Exchange, path: string): unknown =>
  valueAt(parsed(exchange.response?.body.text), path.split('.'))

const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined

/** The application-id in the path of a request. */
const idInUrl = ({ request }: Exchange, template: string): string | undefined => {
  const [before = '', after = ''] = template.split('{application-id}')
  const { pathname } = new URL(request.url)
  const start = pathname.lastIndexOf(before) + before.length
  const end = pathname.length - after.length
  return pathname.includes(before) && pathname.endsWith(after) && start < end
    ? decodeURIComponent(pathname.slice(start, end))
    : undefined
}

const idOf = (exchange: Exchange, { submission, status, cancellation }: LoansProfile): string | undefined => {
  if (exchange.operation === 'applyForLoan') return textOf(fieldOf(exchange, submission.id))
  return idInUrl(exchange, exchange.operation === 'readLoan' ? status.path : cancellation.path)
}

/** What the application was for, in EUR, where the body that was sent says it as a number. */
const amountOf = ({ request }: Exchange, { submission }: LoansProfile): number | undefined => {
  const place = placeholdersOf(submission.body).find(({ name }) => name === 'amount')
  const amount = place && valueAt(parsed(request.body?.text), place.at)
  return typeof amount === 'number' ? amount : undefined
}

/** Whether a DELETE was answered as one that was done: a refusal has a code, whatever its HTTP status. */
const wasDone = (exchange: Exchange, { errorCode }: LoansProfile): boolean => {
  const status = exchange.response?.status ?? 0
  return status >= 200 && status < 300 && textOf(fieldOf(exchange, errorCode)) === undefined
}

/** @param file the evidence of the run. */
export const readApplications = (file: string, profile: LoansProfile | undefined): ReportedApplication[] => {
  if (profile === undefined) return []
  const applications = new Map<string, ReportedApplication>()
  for (const exchange of exchangesOf(file, OPERATIONS)) {
    const id = idOf(exchange, profile)
    const known = id === undefined ? undefined : applications.get(id)
    // An unknown id that was asked for is no application.
    if (id === undefined || (known === undefined && exchange.operation !== 'applyForLoan')) continue
    const told = textOf(fieldOf(exchange, profile.status.status))
    const status = told ?? known?.status
    const amount = known === undefined ? amountOf(exchange, profile) : known.amount
    const isDeleted = exchange.operation === 'cancelLoan' && wasDone(exchange, profile)
    applications.set(id, {
      applicationId: id,
      ...(amount !== undefined && { amount }),
      ...(status !== undefined && { status }),
      canceled: isDeleted || known?.canceled === true,
      submission: known?.submission ?? exchange.id,
      seen: told === undefined ? (known?.seen ?? exchange.id) : exchange.id,
    })
  }
  return [...applications.values()]
}
