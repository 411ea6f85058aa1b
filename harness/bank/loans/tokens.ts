/** POST /auth/oauth/v2/token of the loan sandbox: a token of the application's own. */
import { randomUUID } from 'node:crypto'
import { json } from '../answers.ts'
import { factsOf, Refusal, required, single, type Call } from '../call.ts'
import { readForm } from '../tokens.ts'
import { revokeGrant, type Client } from '../world.ts'

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

/** The client, proved by its secret, which stands in the header or in the form. */
const authenticate = async (call: Call, form: URLSearchParams): Promise<Client> => {
  const { clients } = call.world.residents
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
