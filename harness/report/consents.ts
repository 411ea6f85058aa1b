import { exchangesOf } from './evidence-lines.ts'
import type { Exchange } from '../evidence/exchange.ts'

/** Every consent that a run has created: read from the evidence. */

export interface ReportedConsent {
  readonly consentId: string
  /** The exchange that created it, by its id. */
  readonly creation: string
  /** Whether a lever has revoked it since. */
  readonly revoked: boolean
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The outermost consentId of an answer: its place is not shown. */
const consentIdIn = ({ response }: Exchange): string | undefined => {
  const queue: unknown[] = []
  try {
    queue.push(JSON.parse(response?.body.text ?? ''))
  } catch {
    return undefined
  }
  for (const value of queue) {
    if (!isObject(value)) continue
    const { consentId } = value
    if (typeof consentId === 'string' && consentId !== '') return consentId
    queue.push(...Object.values(value))
  }
  return undefined
}

const wasDone = ({ response }: Exchange): boolean => response !== undefined && response.status < 300

/** The consent that a lever was told of, wherever the profile has it. */
const toldOf = ({ request }: Exchange, ids: Iterable<string>): string | undefined => {
  const text = `${request.url} ${request.body?.text ?? ''}`
  for (const id of ids) if (text.includes(id) || text.includes(encodeURIComponent(id))) return id
  return undefined
}

/** @param file the evidence of the run. */
export const readConsents = (file: string): ReportedConsent[] => {
  const consents = new Map<string, ReportedConsent>()
  for (const exchange of exchangesOf(file, ['createConsent', 'lever'])) {
    if (exchange.operation === 'createConsent') {
      const consentId = consentIdIn(exchange)
      if (consentId !== undefined && !consents.has(consentId))
        consents.set(consentId, { consentId, creation: exchange.id, revoked: false })
      continue
    }
    const told = wasDone(exchange) ? toldOf(exchange, consents.keys()) : undefined
    const known = told === undefined ? undefined : consents.get(told)
    if (known !== undefined) consents.set(known.consentId, { ...known, revoked: true })
  }
  return [...consents.values()]
}
