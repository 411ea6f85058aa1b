/** POST /auth/oauth/v2/token: who asks, and in which of the two ways. */
import { factsOf, Refusal, required, type Call } from './call.ts'
import { authenticateClient } from './client-authentication.ts'
import { exchangeCode } from './code-exchange.ts'
import { renewTokens } from './renewal.ts'

export const readForm = async (call: Call): Promise<URLSearchParams> => {
  const contentType = call.request.headers.get('content-type') ?? ''
  if (!call.rules.contentTypeIsAccepted({ ...factsOf(call), contentType })) {
    throw new Refusal('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  }
  return new URLSearchParams(await call.request.text())
}

export const issueTokens = async (call: Call): Promise<Response> => {
  const form = await readForm(call)
  const client = await authenticateClient(call, form)
  const grantType = required(call, form, 'grant_type')
  if (!call.rules.grantTypeIsAccepted({ ...factsOf(call), client, grantType })) {
    throw new Refusal('unsupported_grant_type', 'The grant type is not supported.')
  }
  const request = { call, client, form }
  return grantType === 'refresh_token' ? renewTokens(request) : exchangeCode(request)
}
