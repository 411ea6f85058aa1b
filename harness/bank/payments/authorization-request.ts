/** GET /auth/oauth/v2/authorize of the payment API: the customer is asked to authorize one payment. */
import { authorizeFor, type Purpose } from '../authorize.ts'
import { factsOf, findRecord, Refusal, required, single, type Call } from '../call.ts'
import type { Client } from '../world.ts'

export const authorizePayment = (call: Call): Promise<Response> => authorizeFor(call, purposeOf)

const purposeOf = (call: Call, query: URLSearchParams, client: Client): Purpose => {
  const facts = { ...factsOf(call), client }
  const scope = single(call, query, 'scope')
  if (scope === undefined || !call.rules.paymentScopeIsAccepted({ ...facts, scope })) {
    throw new Refusal('invalid_scope', 'The scope is not one that this application can ask for.')
  }
  const payment = findRecord(call, 'payments', required(call, query, 'orderId'))
  if (!payment || !call.rules.mayBeAuthorized({ ...facts, payment })) {
    throw new Refusal('invalid_request', 'There is no such payment that waits for its authorization.')
  }
  return { scope, consentId: undefined, orderId: payment.orderId }
}
