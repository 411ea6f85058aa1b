/** POST /payments/submission: what the customer has authorized is carried out. */
import { findRecord, ledgerOf, Refusal, type Call } from '../call.ts'
import { jsonOf } from '../loans/requests.ts'
import { branchOf } from '../parts.ts'
import { authenticateCaller, type Caller } from './bearer.ts'
import { orderFactsOf } from './initiation.ts'
import { moveTo } from './moves.ts'
import type { Payment } from './payment.ts'
import { openPayment, tell } from './records.ts'
import { causeOfRejection } from './validation.ts'

export const submitPayment = async (call: Call): Promise<Response> => {
  const caller = authenticateCaller(call)
  const { orderId } = authorizedPayment(call, caller, await jsonOf(call))
  await redeem(call, caller)
  // Looked up again: a submission at the same moment may have come first.
  const payment = openPayment(call, caller, orderId)
  const answer = call.rules.mayBeSubmitted({ ...caller, payment })
  // A lawful answer is not waited for: nothing may pass between the look at the state and the move out of it.
  if (!(typeof answer === 'boolean' ? answer : await answer)) {
    throw new Refusal('order_state', 'The payment is not one that waits for its submission.')
  }
  const moved = submit(call, caller, payment)
  return tell(call, moved, 'submission', call.rules.submissionStatus({ ...caller, payment: moved }))
}

const authorizedPayment = (call: Call, caller: Caller, body: unknown): Payment => {
  const { payments, grants } = call.ledger
  const orderId = call.rules.orderSubmitted({ ...caller, payments, grants, body })
  const payment = orderId === undefined ? undefined : findRecord(call, 'payments', orderId)
  if (!payment) throw new Refusal('not_authorized', 'No customer has authorized a payment with this token.')
  return payment
}

const redeem = async (call: Call, caller: Caller): Promise<void> => {
  const { redemptions } = ledgerOf(call, caller.token)
  if (!(await call.rules.redeemsPaymentToken({ ...caller, redemptions }))) {
    throw new Refusal('token_unknown', 'The access token has been used before.')
  }
}

const submit = (call: Call, caller: Caller, payment: Payment): Payment => {
  const facts = orderFactsOf(call, caller, payment.order, 'submission')
  const cause = causeOfRejection(call.rules, facts)
  const status = call.rules.statusAfterSubmission({ ...facts, payment, cause })
  return moveTo(branchOf(call.parts, payment.environment), payment, { status, cause }, 'submission')
}
