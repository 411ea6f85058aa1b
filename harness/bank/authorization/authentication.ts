/** Who sends a request: the client (HTTP Basic) of a token or consent request, the grant of a data request (Bearer). */
import { ENVIRONMENTS } from '../base-paths.ts'
import { type Call, factsOf, findRecord, ledgerOf, Refusal } from '../call.ts'
import type { Client } from '../seed-data.ts'
import type { AccessToken, Grant } from '../state.ts'

const unproven = (): Refusal => new Refusal('invalid_client', 'The client is unknown or its secret is wrong.')

/** The client, proved by its secret. `form` is the body of a token request. */
export const authenticateClient = async (call: Call, form = new URLSearchParams()): Promise<Client> => {
  const facts = { ...factsOf(call), endpoint: call.endpoint, clients: call.world.residents.clients }
  const header = call.request.headers.get('authorization')
  if (header === null) {
    const client = call.rules.clientWithoutBasic({ ...facts, form })
    if (!client) throw new Refusal('invalid_client', 'The request carries no client credentials.')
    return client
  }
  const credentials = call.rules.basicCredentials({ ...facts, header })
  const client = credentials && call.rules.clientOf({ ...facts, clientId: credentials.clientId })
  if (!client) throw unproven()
  if (!(await call.rules.secretMatches({ ...facts, client, secret: credentials.secret }))) throw unproven()
  return client
}

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

/** A token of loans, taken for one of accounts, with the grant that it is taken to descend from. */
const takenForAccounts = (call: Call, value: string): Bearer | undefined => {
  const { endpoint, variant, ledger } = call
  for (const environment of ENVIRONMENTS) {
    const token = call.world.ledgers[environment].loanTokens.get(value)
    const told = token && { ...factsOf(call), endpoint, variant, token, grants: ledger.grants }
    const grant = told && call.rules.grantOfLoanToken(told)
    if (!token || !grant) continue
    const { scope, grantId } = grant
    return { grant, token: { ...token, environment: call.environment, grantId, scope, retiredAt: undefined } }
  }
  return undefined
}
