/** What is told of a payment. */
import { json } from '../answers.ts'
import { factsOf, findRecord, Refusal, type Call } from '../call.ts'
import type { Telling } from '../rules/payment-rules.ts'
import { authenticateCaller, type Caller } from './bearer.ts'
import type { Payment } from './payment.ts'

const PRIVATE = { 'cache-control': 'no-store' } as const

/** The status record as an answer. */
export const tell = (call: Call, payment: Payment, telling: Telling, status: number): Response => {
  const { rules } = call
  const facts = { ...factsOf(call), payment, telling }
  const { reason } = payment
  const body = rules.paymentBody({
    ...facts,
    statusDateTime: rules.statusDateTime(facts),
    additionalInformation: reason && rules.additionalInformation({ ...facts, reason }),
  })
  return json(status, body, PRIVATE)
}

/** A payment of somebody else is answered like one that does not exist. */
export const openPayment = (call: Call, caller: Caller, orderId: string): Payment => {
  const payment = findRecord(call, 'payments', orderId)
  if (!payment || !call.rules.maySeePayment({ ...caller, payment })) {
    throw new Refusal('order_unknown', 'There is no such payment.')
  }
  return payment
}

/** GET /payments/{orderId}/status. */
export const readPayment = async (call: Call): Promise<Response> => {
  const caller = authenticateCaller(call)
  return tell(call, openPayment(call, caller, call.parameter('orderId')), 'status', 200)
}
