/** GET /auth/oauth/v2/authorize: the request is checked before the customer sees a page. */
import { type Call, factsOf, Refusal, required, single } from '../call.ts'
import { page } from '../responses.ts'
import type { Client } from '../seed-data.ts'
import type { LoginSession } from '../state.ts'
import { errorPage } from './authorization-pages.ts'
import { openConsent } from './consents.ts'
import { beginLoginSession, refuseToClient, type Return } from './login-sessions.ts'

export const authorize = (call: Call): Promise<Response> => authorizeFor(call, scopeOf)

/** The purpose of a request: access to accounts, or a payment. */
export type Purpose = Pick<LoginSession, 'scope' | 'consentId' | 'orderId'>

export const authorizeFor = async (
  call: Call,
  purposeOf: (call: Call, query: URLSearchParams, client: Client) => Purpose,
): Promise<Response> => {
  const query = call.url.searchParams
  let destination: Return
  try {
    destination = destinationOf(call, query)
  } catch (error) {
    if (error instanceof Refusal) return page(400, errorPage(error.error, error.message))
    throw error
  }
  try {
    const { client } = destination
    const challenge = authorizationOf(call, query, client)
    return await beginLoginSession(call, { ...destination, ...challenge, ...purposeOf(call, query, client) })
  } catch (error) {
    if (error instanceof Refusal) return refuseToClient(call, destination, error)
    throw error
  }
}

/** The client and the redirect URI. Unless both are verified, there is no redirect (RFC 6749 §4.1.2.1). */
const destinationOf = (call: Call, query: URLSearchParams): Return => {
  const facts = { ...factsOf(call), endpoint: call.endpoint, clients: call.world.seedData.clients }
  const client = call.rules.clientOf({ ...facts, clientId: required(call, query, 'client_id') })
  if (!client) throw new Refusal('invalid_request', 'The application is not known to this bank.')
  const allFacts = { ...factsOf(call), client }
  const redirectUri = single(call, query, 'redirect_uri') ?? call.rules.omittedRedirectUri(allFacts)
  if (redirectUri === undefined || !call.rules.redirectUriIsRegistered({ ...allFacts, redirectUri })) {
    throw new Refusal('invalid_request', 'The redirect_uri is not registered for this application.')
  }
  return { client, redirectUri, state: query.get('state') ?? undefined }
}

const authorizationOf = (call: Call, query: URLSearchParams, client: Client): Challenge => {
  const facts = { ...factsOf(call), client }
  // A repeated state is refused.
  single(call, query, 'state')
  const responseType = required(call, query, 'response_type')
  if (!call.rules.responseTypeIsAccepted({ ...facts, responseType })) {
    throw new Refusal('unsupported_response_type', 'The response type is not supported.')
  }
  return challengeOf(call, query, client)
}

type Challenge = Pick<LoginSession, 'challenge' | 'challengeMethod'>

const challengeOf = (call: Call, query: URLSearchParams, client: Client): Challenge => {
  const facts = { ...factsOf(call), client }
  const challenge = single(call, query, 'code_challenge')
  const method = single(call, query, 'code_challenge_method')
  if (challenge === undefined) {
    if (!call.rules.challengeIsRequired(facts)) return { challenge, challengeMethod: method }
    throw new Refusal('invalid_request', 'The parameter code_challenge is missing.')
  }
  if (!call.rules.challengeMethodIsAccepted({ ...facts, method })) {
    throw new Refusal('invalid_request', 'The code_challenge_method is not supported.')
  }
  if (!call.rules.challengeIsWellFormed({ ...facts, challenge, method })) {
    throw new Refusal('invalid_request', 'The code_challenge is not the digest of a verifier.')
  }
  return { challenge, challengeMethod: method }
}

const scopeOf = (call: Call, query: URLSearchParams, client: Client): Purpose => {
  const facts = { ...factsOf(call), client }
  const scope = single(call, query, 'scope')
  const requested = scope === undefined ? undefined : call.rules.requestedScope({ ...facts, scope })
  if (scope === undefined || !requested || !call.rules.scopeFitsClient({ ...facts, requested })) {
    throw new Refusal('invalid_scope', 'The scope is not one that this application can ask for.')
  }
  if (requested.consentId === undefined) return { scope, consentId: undefined }
  const consent = openConsent(call, client, requested.consentId)
  return { scope, consentId: consent.consentId }
}
