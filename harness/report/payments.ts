import { readFileSync } from 'node:fs'
import type { Exchange } from '../evidence/exchange.ts'
import type { Report } from './schema.ts'

/** Every payment that a run has created, with what the target said of it last: read from the evidence. */

type ReportedPayment = NonNullable<Report['payments']>[number]

const LINE_END = 0x0a
const OPERATIONS: readonly string[] = ['initiatePayment', 'readPayment', 'submitPayment']
const MARKS = OPERATIONS.map((operation) => `"operation":"${operation}"`)

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0, end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

const exchangeIn = (line: Buffer): Exchange | undefined => {
  // The mark stands near the front: most lines are of other chapters, and need not be parsed.
  const head = line.subarray(0, 512).toString('utf8')
  if (!MARKS.some((mark) => head.includes(mark))) return undefined
  try {
    return JSON.parse(line.toString('utf8')) as Exchange
  } catch {
    return undefined
  }
}

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

/** Evidence that cannot be read has been complained of by whoever was to write it. */
const read = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

/** @param file the evidence of the run. */
export const readPayments = (file: string): ReportedPayment[] => {
  const payments = new Map<string, ReportedPayment>()
  for (const line of linesOf(read(file))) {
    const exchange = exchangeIn(line)
    const record = exchange && recordIn(exchange)
    const orderId = orderIdIn(record)
    if (exchange === undefined || orderId === undefined) continue
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
