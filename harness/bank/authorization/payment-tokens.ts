/** The OAuth endpoints of the payment API: the authorization of one payment, and the tokens. */
import { randomUUID } from '../random.ts'
import { authenticateClient } from './authentication.ts'
import { authorizeFor, type Purpose } from './authorize.ts'
import { readForm, redeemCode, type TokenRequest } from './tokens.ts'
import { factsOf, findRecord, Refusal, required, single, type Call } from '../call.ts'
import { json } from '../responses.ts'
import type { PaymentGrantType } from '../rules/payment-rules.ts'
import type { Client } from '../seed-data.ts'

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

export const issuePaymentTokens = async (call: Call): Promise<Response> => {
  const form = await readForm(call)
  const client = await authenticateClient(call, form)
  const grantType = required(call, form, 'grant_type')
  if (!call.rules.paymentGrantTypeIsAccepted({ ...factsOf(call), client, grantType })) {
    throw new Refusal('unsupported_grant_type', 'The grant type is not supported.')
  }
  const request = { call, client, form }
  return grantType === 'authorization_code' ? issueForPayment(request) : issueForClient(request)
}

const issueForClient = async (request: TokenRequest): Promise<Response> => {
  const { call, client, form } = request
  const scope = single(call, form, 'scope')
  if (!call.rules.paymentScopeIsAccepted({ ...factsOf(call), client, scope })) {
    throw new Refusal('invalid_scope', 'The scope is not one that this application can ask for.')
  }
  return issue(request, 'client_credentials', { grantId: randomUUID(), orderId: undefined })
}

const issueForPayment = async (request: TokenRequest): Promise<Response> => {
  const { grantId, orderId } = await redeemCode(request, 'payment')
  return issue(request, 'authorization_code', { grantId, orderId })
}

const issue = (
  { call, client }: TokenRequest,
  grantType: PaymentGrantType,
  { grantId, orderId }: { readonly grantId: string; readonly orderId: string | undefined },
): Response => {
  const facts = { ...factsOf(call), client, grantType, orderId }
  const value = call.rules.newPaymentToken(facts)
  const lifetime = call.rules.paymentTokenLifetime(facts)
  call.ledger.paymentTokens.set(value, {
    environment: call.environment,
    value,
    clientId: client.clientId,
    grantId,
    orderId,
    issuedAt: call.now,
    expiresAt: new Date(call.now.getTime() + lifetime),
  })
  const body = call.rules.paymentTokenBody({ ...facts, value, lifetime })
  return json(200, body, call.rules.tokenHeaders(facts))
}
