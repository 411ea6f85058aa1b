/** Which token a loan operation carries, and whose it is. */
import { factsOf, ledgerOf, Refusal, type Call } from '../call.ts'
import type { Client } from '../world.ts'
import type { LoanToken } from './loan.ts'
import { foreignTokenOf } from './foreign-tokens.ts'

/** Whose request it is; a dead or missing token is answered with 401. */
export const authenticateLoanCaller = (call: Call): Client => {
  const { endpoint } = call
  const { clients } = call.world.residents
  const facts = { ...factsOf(call), endpoint }
  const header = call.request.headers.get('authorization') ?? undefined
  const value = call.rules.loanTokenCarried({ ...facts, header })
  const token = value === undefined ? undefined : tokenOf(call, value)
  if (token) checkToken(call, token)
  const client = token
    ? clients.find(({ clientId }) => clientId === token.clientId)
    : call.rules.loanCallerOtherwise({ ...facts, value, clients })
  if (client) return client
  throw value === undefined
    ? new Refusal('token_missing', 'The request carries no Bearer token.')
    : new Refusal('token_unknown', 'The access token is unknown.')
}

const tokenOf = (call: Call, value: string): LoanToken | undefined => {
  const facts = { ...factsOf(call), endpoint: call.endpoint, value }
  return (
    call.rules.loanTokenNamed({ ...facts, tokens: call.ledger.loanTokens }) ?? foreignTokenOf(call, value)
  )
}

const checkToken = (call: Call, token: LoanToken): void => {
  const facts = { ...factsOf(call), endpoint: call.endpoint, token }
  const revokedAt = ledgerOf(call, token).revocations.get(token.grantId)
  if (call.rules.loanTokenIsRevoked({ ...facts, revokedAt })) {
    throw new Refusal('token_revoked', 'The access token has been revoked.')
  }
  if (!call.rules.loanTokenIsFresh(facts)) {
    throw new Refusal('token_expired', 'The access token has expired.')
  }
}
