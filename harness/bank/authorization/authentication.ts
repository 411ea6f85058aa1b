import { ENVIRONMENTS } from '../base-paths.ts'
import { Refusal, factsOf, ledgerOf, findRecord, type Call } from '../call.ts'
import type { Client } from '../seed-data.ts'
import type { AccessToken, Grant } from '../state.ts'

/** Authenticates a request: the client of a token or consent request (Basic), the grant of a data request (Bearer). */

const wrongClient = (): Refusal =>
  new Refusal('invalid_client', 'The client is unknown or its secret is wrong.')

/** The client, authenticated by its secret. `form` is the body of a token request. */
export const authenticateClient = async (call: Call, form = new URLSearchParams()): Promise<Client> => {
  const facts = { ...factsOf(call), endpoint: call.endpoint, clients: call.world.seedData.clients }
  const header = call.request.headers.get('authorization')
  if (header === null) {
    const client = call.rules.clientWithoutBasic({ ...facts, form })
    if (!client) throw new Refusal('invalid_client', 'The request carries no client credentials.')
    return client
  }
  const credentials = call.rules.basicCredentials({ ...facts, header })
  const client = credentials && call.rules.clientOf({ ...facts, clientId: credentials.clientId })
  if (!client) throw wrongClient()
  if (!(await call.rules.secretMatches({ ...facts, client, secret: credentials.secret }))) throw wrongClient()
  return client
}

interface Bearer {
  readonly token: AccessToken
  readonly grant: Grant
}

/** The valid token of the request; an invalid or missing one is answered with 401. */
export const authenticateBearer = (call: Call): Bearer => {
  const { endpoint, variant } = call
  const facts = { ...factsOf(call), endpoint, variant }
  const header = call.request.headers.get('authorization') ?? undefined
  const requestFacts = { ...facts, header, query: call.url.searchParams }
  const value = call.rules.bearerToken(requestFacts)
  if (value === undefined) throw new Refusal('token_missing', 'The request carries no Bearer token.')
  const bearer = bearerOf(call, value)
  if (!bearer) throw new Refusal('token_unknown', 'The access token is unknown.')
  const { token, grant } = bearer
  const { revocations } = ledgerOf(call, token)
  const allFacts = { ...facts, token, grant }
  // A renewal may end one token; a revocation ends all tokens of the grant.
  const revokedAt = token.retiredAt ?? revocations.get(grant.grantId)
  if (call.rules.accessIsRevoked({ ...allFacts, revokedAt })) {
    throw new Refusal('token_revoked', 'The access token has been revoked.')
  }
  if (!call.rules.accessIsFresh(allFacts)) throw new Refusal('token_expired', 'The access token has expired.')
  return { token, grant }
}

const bearerOf = (call: Call, value: string): Bearer | undefined => {
  const token = findRecord(call, 'accessTokens', value)
  const grant = token && ledgerOf(call, token).grants.get(token.grantId)
  return token && grant ? { token, grant } : takenForAccounts(call, value)
}

/** A loan token that is accepted for accounts, with the grant that is used for it. */
const takenForAccounts = (call: Call, value: string): Bearer | undefined => {
  const { endpoint, variant, ledger } = call
  for (const environment of ENVIRONMENTS) {
    const token = call.world.ledgers[environment].loanTokens.get(value)
    const allFacts = token && { ...factsOf(call), endpoint, variant, token, grants: ledger.grants }
    const grant = allFacts && call.rules.grantOfLoanToken(allFacts)
    if (!token || !grant) continue
    const { scope, grantId } = grant
    return { grant, token: { ...token, environment: call.environment, grantId, scope, retiredAt: undefined } }
  }
  return undefined
}
