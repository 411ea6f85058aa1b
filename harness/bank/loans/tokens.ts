/** The tokens of the loan operations: issues them, and finds the client of a request. */
import { randomUUID } from '../random.ts'
import { readForm } from '../authorization/tokens.ts'
import { ENVIRONMENTS } from '../base-paths.ts'
import { type Call, factsOf, ledgerOf, Refusal, required, single } from '../call.ts'
import { json } from '../responses.ts'
import type { Client } from '../seed-data.ts'
import { revokeGrant } from '../state.ts'
import type { LoanToken } from '../rules/loan.ts'

/** The client of a request; an invalid or missing token is answered with 401. */
export const authenticateLoanCaller = (call: Call): Client => {
  const { endpoint } = call
  const { clients } = call.world.seedData
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

/** A token for accounts or payments that is accepted for loans. */
const foreignTokenOf = (call: Call, value: string): LoanToken | undefined => {
  const facts = { ...factsOf(call), endpoint: call.endpoint }
  for (const environment of ENVIRONMENTS) {
    const { accessTokens, paymentTokens } = call.world.ledgers[environment]
    const account = accessTokens.get(value)
    const token = account ?? paymentTokens.get(value)
    const kind = account ? 'accounts' : 'payments'
    if (token && call.rules.foreignTokenOpensLoans({ ...facts, token, kind })) return token
  }
  return undefined
}

export const issueLoanToken = async (call: Call): Promise<Response> => {
  const form = await readForm(call)
  const client = await authenticate(call, form)
  const facts = { ...factsOf(call), client }
  if (!call.rules.loanGrantTypeIsAccepted({ ...facts, grantType: required(call, form, 'grant_type') })) {
    throw new Refusal('unsupported_grant_type', 'The grant type is not supported.')
  }
  const scope = single(call, form, 'scope')
  if (!call.rules.loanScopeIsAccepted({ ...facts, scope })) {
    throw new Refusal('invalid_scope', 'The scope is not one that this application can ask for.')
  }
  return issue(call, client, scope ?? '')
}

/** The client, authenticated by the secret in the header or in the form. */
const authenticate = async (call: Call, form: URLSearchParams): Promise<Client> => {
  const { clients } = call.world.seedData
  const header = call.request.headers.get('authorization') ?? undefined
  const credentials = call.rules.loanCredentials({ ...factsOf(call), header, form })
  const client = clients.find(({ clientId }) => clientId === credentials?.clientId)
  const facts = client && credentials && { ...factsOf(call), client, secret: credentials.secret }
  if (!facts || !(await call.rules.loanSecretMatches(facts))) {
    throw new Refusal('invalid_client', 'The client is unknown or its secret is wrong.')
  }
  return facts.client
}

const endOlder = (call: Call, client: Client): void => {
  for (const older of call.ledger.loanTokens.values()) {
    if (older.clientId !== client.clientId) continue
    if (call.rules.newLoanTokenEnds({ ...factsOf(call), client, older })) {
      revokeGrant(call.ledger, older.grantId, call.now)
    }
  }
}

const issue = (call: Call, client: Client, scope: string): Response => {
  const facts = { ...factsOf(call), client }
  const value = call.rules.newLoanToken({ ...facts, tokens: call.ledger.loanTokens })
  const lifetime = call.rules.loanTokenLifetime(facts)
  endOlder(call, client)
  call.ledger.loanTokens.set(value, {
    environment: call.environment,
    value,
    clientId: client.clientId,
    grantId: randomUUID(),
    issuedAt: call.now,
    expiresAt: new Date(call.now.getTime() + lifetime),
  })
  const body = call.rules.loanTokenBody({ ...facts, value, lifetime, scope })
  return json(200, body, call.rules.tokenHeaders(facts))
}
