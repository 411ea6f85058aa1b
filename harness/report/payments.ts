import { exchangesOf } from './evidence-lines.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Report } from './schema.ts'

/** Every payment that a run has created, with what the target said of it last: read from the evidence. */

type ReportedPayment = NonNullable<Report['payments']>[number]

const OPERATIONS = ['initiatePayment', 'readPayment', 'submitPayment']

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The outermost object of an answer that has an orderId. */
const recordIn = ({ response }: Exchange): Readonly<Record<string, unknown>> | undefined => {
  const queue: unknown[] = []
  try {
    queue.push(JSON.parse(response?.body.text ?? ''))
  } catch {
    return undefined
  }
  for (const value of queue) {
    if (!isObject(value)) continue
    if (Object.hasOwn(value, 'orderId')) return value
    queue.push(...Object.values(value))
  }
  return undefined
}

const orderIdIn = (record: Readonly<Record<string, unknown>> | undefined): string | undefined => {
  const orderId = record?.orderId
  return typeof orderId === 'string' || typeof orderId === 'number' ? String(orderId) : undefined
}

/** @param file the evidence of the run. */
export const readPayments = (file: string): ReportedPayment[] => {
  const payments = new Map<string, ReportedPayment>()
  for (const exchange of exchangesOf(file, OPERATIONS)) {
    const record = recordIn(exchange)
    const orderId = orderIdIn(record)
    if (orderId === undefined) continue
    const known = payments.get(orderId)
    // An unknown orderId that a refusal repeats is no payment.
    if (known === undefined && exchange.operation !== 'initiatePayment') continue
    const status = typeof record?.status === 'string' ? record.status : known?.status
    payments.set(orderId, {
      orderId,
      ...(status !== undefined && { status }),
      initiation: known?.initiation ?? exchange.id,
      seen: exchange.id,
    })
  }
  return [...payments.values()]
}
