/** Which client sends a request: HTTP Basic, as the interface asks. */
import { factsOf, Refusal, type Call } from './call.ts'
import type { Client } from './world.ts'

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
