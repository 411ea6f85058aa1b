/** What comes of the customer's decision on one payment: a code that submits it, or a denial. */
import { randomUUID } from 'node:crypto'
import { factsOf, findRecord, Refusal, type Call } from '../call.ts'
import { denied, recordCode, type Answer, type Decision } from '../grants.ts'
import { branchOf } from '../parts.ts'
import type { Grant, Visit } from '../world.ts'
import { moveTo } from './moves.ts'
import type { Payment } from './payment.ts'

/** The payment that a visit is about; nothing if it is about accounts. */
export const paymentOf = (call: Call, { orderId }: Visit): Payment | undefined => {
  if (orderId === undefined) return undefined
  const payment = findRecord(call, 'payments', orderId)
  if (!payment) throw new Error(`a visit for an unknown payment: ${orderId}`)
  return payment
}

/** Throws a refusal if the payment has moved on in the meantime. */
export const settlePayment = (call: Call, decision: Decision, payment: Payment): Answer => {
  const { client, customer } = decision
  const facts = { ...factsOf(call), client, payment }
  if (!call.rules.mayBeAuthorized(facts)) {
    throw new Refusal('invalid_request', 'The payment does not wait for its authorization any more.')
  }
  if (!customer) return deny(call, decision, payment)
  if (!call.rules.mayAuthorize({ ...facts, customer })) {
    return denied('The payment is to go from an account of somebody else.')
  }
  const grant: Grant = {
    environment: payment.environment,
    grantId: randomUUID(),
    clientId: client.clientId,
    username: customer.username,
    scope: decision.visit.scope,
    consentId: undefined,
    accountIds: [],
    orderId: payment.orderId,
    grantedAt: call.now,
  }
  call.ledger.grants.set(grant.grantId, grant)
  return { ending: 'granted', parameters: { code: recordCode(call, decision.visit, client, grant).value } }
}

const deny = (call: Call, { client }: Decision, payment: Payment): Answer => {
  const outcome = call.rules.outcomeOfDenial({ ...factsOf(call), client, payment })
  moveTo(branchOf(call.parts, payment.environment), payment, outcome, 'submission')
  return denied('The customer has denied the payment.')
}
