/** Which token a payment operation carries, and whose it is. */
import { factsOf, findRecord, ledgerOf, Refusal, type Call } from '../call.ts'
import type { ClientFacts } from '../rules/facts.ts'
import type { PaymentToken } from './payment.ts'

/** What every rule of a payment operation is told. */
export interface Caller extends ClientFacts {
  readonly token: PaymentToken
}

/** The token of the request, alive; a dead or missing one is answered with 401. */
export const authenticateCaller = (call: Call): Caller => {
  const facts = factsOf(call)
  const header = call.request.headers.get('authorization') ?? undefined
  const value = call.rules.paymentTokenCarried({ ...facts, header })
  if (value === undefined) throw new Refusal('token_missing', 'The request carries no Bearer token.')
  const token = findRecord(call, 'paymentTokens', value)
  const { clients } = call.world.residents
  const client = token && clients.find(({ clientId }) => clientId === token.clientId)
  if (!client) throw new Refusal('token_unknown', 'The access token is unknown.')
  const told = { ...facts, client, token }
  const revokedAt = ledgerOf(call, token).revocations.get(token.grantId)
  if (call.rules.paymentTokenIsRevoked({ ...told, revokedAt })) {
    throw new Refusal('token_revoked', 'The access token has been revoked.')
  }
  if (!call.rules.paymentTokenIsFresh(told)) {
    throw new Refusal('token_expired', 'The access token has expired.')
  }
  return told
}
