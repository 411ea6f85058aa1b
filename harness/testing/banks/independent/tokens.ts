/** POST /auth/oauth/v2/token */

import { createHash } from 'node:crypto'
import { applicationOf, nowOf, type Bank } from './bank.ts'
import type { Application } from './seed-data.ts'
import { DAY, randomId, isValid, type Grant, type Environment } from './environment.ts'
import { fieldsOf, json, objectOf, type Answer, type Call } from './wire.ts'

const NO_STORE: Answer['headers'] = { 'CACHE-CONTROL': 'private, no-store', PRAGMA: 'no-cache' }
const LIFE = 90 * DAY

const refuse = (error: string, status = 400): Answer =>
  json(
    status,
    { error, error_description: `The request is refused (${error}).`, trace: randomId(3) },
    NO_STORE,
  )

const issue = (bank: Bank, environment: Environment, grant: Grant): Answer => {
  const until = nowOf(bank) + LIFE
  const access = `sm.${randomId(24).replace(/[=+/]+$/, '')}==`
  const renewal = randomId(24)
  environment.access.set(access, { grant, until, ended: false })
  environment.renewal.set(renewal, {
    grant,
    until: bank.choices.refreshOutlives ? until + LIFE : until,
    ended: false,
  })
  const body = {
    expires_in: LIFE / 1000,
    refresh_token: renewal,
    token_type: 'bearer',
    ...(bank.choices.scopeOfAnswer ? { scope: grant.scope } : {}),
    access_token: access,
    refresh_expires_at: new Date(until).toISOString(),
  }
  return json(200, body, NO_STORE)
}

const endAll = (environment: Environment, grant: Grant): void => {
  grant.ended = true
  for (const token of [...environment.access.values(), ...environment.renewal.values()]) {
    if (token.grant === grant) token.ended = true
  }
}

const exchange = (
  bank: Bank,
  environment: Environment,
  application: Application,
  fields: Map<string, string>,
): Answer => {
  const value = fields.get('code')
  const address = fields.get('redirect_uri')
  const scope = fields.get('scope')
  const verifier = fields.get('code_verifier')
  if (value === undefined || address === undefined) return refuse('invalid_request')
  if (bank.choices.scopeRequired && scope === undefined) return refuse('invalid_request')
  if (verifier === undefined) return refuse(bank.choices.missingVerifier)
  const code = environment.codes.get(value)
  if (code === undefined || code.grant.application !== application) return refuse('invalid_grant')
  if (code.spent) {
    endAll(environment, code.grant)
    return refuse('invalid_grant')
  }
  if (nowOf(bank) >= code.until || environment.consents.get(code.grant.consentId)?.ended === true) {
    return refuse('invalid_grant')
  }
  const failure = (error: string): Answer => {
    code.spent = bank.choices.failureBurnsCode
    return refuse(error)
  }
  if (code.address !== address) return failure('invalid_grant')
  if (createHash('sha256').update(verifier).digest('base64url') !== code.challenge)
    return failure('invalid_grant')
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return failure('invalid_grant')
  if (scope !== undefined && scope !== code.grant.scope) return failure('invalid_scope')
  code.spent = true
  return issue(bank, environment, code.grant)
}

const renew = (
  bank: Bank,
  environment: Environment,
  application: Application,
  fields: Map<string, string>,
): Answer => {
  const value = fields.get('refresh_token')
  if (value === undefined) return refuse('invalid_request')
  const token = environment.renewal.get(value)
  if (
    token === undefined ||
    token.grant.application !== application ||
    !isValid(environment, token, nowOf(bank))
  ) {
    return refuse('invalid_grant')
  }
  const scope = fields.get('scope')
  if (scope !== undefined && scope !== token.grant.scope) return refuse('invalid_scope')
  if (bank.choices.refreshEndsRefreshToken) token.ended = true
  if (bank.choices.refreshEndsAccessToken) {
    for (const access of environment.access.values()) if (access.grant === token.grant) access.ended = true
  }
  return issue(bank, environment, token.grant)
}

/** A refusal with the request that it refuses. */
const withRequest = (answer: Answer, { headers, text }: Call): Answer => ({
  ...answer,
  body: JSON.stringify({
    ...objectOf(answer.body),
    request: `POST /token\nAuthorization: ${headers.authorization ?? '-'}\n\n${text}`,
  }),
})

export const tokens = (bank: Bank, environment: Environment, call: Call): Answer => {
  const answer = tokensOrRefusal(bank, environment, call)
  return bank.choices.echoesRequests && answer.status >= 400 ? withRequest(answer, call) : answer
}

const tokensOrRefusal = (bank: Bank, environment: Environment, call: Call): Answer => {
  const application = applicationOf(call)
  if (application === undefined) {
    const answer = refuse('invalid_client', 401)
    return { ...answer, headers: { ...answer.headers, 'WWW-AUTHENTICATE': 'Basic realm="saltmarsh"' } }
  }
  const [type = ''] = (call.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return refuse('invalid_request')
  const { fields, twice } = fieldsOf(new URLSearchParams(call.text))
  const kind = fields.get('grant_type')
  if (twice || kind === undefined) return refuse('invalid_request')
  if (kind === 'authorization_code') return exchange(bank, environment, application, fields)
  return kind === 'refresh_token'
    ? renew(bank, environment, application, fields)
    : refuse('unsupported_grant_type')
}
