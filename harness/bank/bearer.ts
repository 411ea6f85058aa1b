/** Which grant a Bearer token stands for, and whether it still does. */
import { factsOf, findRecord, ledgerOf, Refusal, type Call } from './call.ts'
import { takenForAccounts } from './loans/foreign-tokens.ts'
import type { AccessToken, Grant } from './world.ts'

export interface Bearer {
  readonly token: AccessToken
  readonly grant: Grant
}

/** The token of the request, alive; a dead or missing one is answered with 401. */
export const authenticateBearer = (call: Call): Bearer => {
  const { endpoint, variant } = call
  const facts = { ...factsOf(call), endpoint, variant }
  const header = call.request.headers.get('authorization') ?? undefined
  const asked = { ...facts, header, query: call.url.searchParams }
  const value = call.rules.bearerToken(asked)
  if (value === undefined) throw new Refusal('token_missing', 'The request carries no Bearer token.')
  const bearer = bearerOf(call, value)
  if (!bearer) throw new Refusal('token_unknown', 'The access token is unknown.')
  const { token, grant } = bearer
  const { revocations } = ledgerOf(call, token)
  const told = { ...facts, token, grant }
  // A renewal may end the one token; a revocation ends all of the grant.
  const revokedAt = token.retiredAt ?? revocations.get(grant.grantId)
  if (call.rules.accessIsRevoked({ ...told, revokedAt })) {
    throw new Refusal('token_revoked', 'The access token has been revoked.')
  }
  if (!call.rules.accessIsFresh(told)) throw new Refusal('token_expired', 'The access token has expired.')
  return { token, grant }
}

const bearerOf = (call: Call, value: string): Bearer | undefined => {
  const token = findRecord(call, 'accessTokens', value)
  const grant = token && ledgerOf(call, token).grants.get(token.grantId)
  return token && grant ? { token, grant } : takenForAccounts(call, value)
}
