/** POST /auth/oauth/v2/token: the exchange of a code, and the renewal with a refresh token. */
import { factsOf, findRecord, ledgerOf, Refusal, required, single, type Call } from '../call.ts'
import { json } from '../responses.ts'
import { revokeGrant, type Code, type Grant, type RefreshToken } from '../state.ts'
import { authenticateClient } from './authentication.ts'
import type { GrantType, IssuedTokens, IssueFacts } from '../rules/token-rules.ts'
import type { Client } from '../seed-data.ts'

export interface TokenRequest {
  readonly call: Call
  /** Authenticated by its secret. */
  readonly client: Client
  readonly form: URLSearchParams
}

export const grantOf = (call: Call, record: Code | RefreshToken): Grant => {
  const grant = ledgerOf(call, record).grants.get(record.grantId)
  if (!grant) throw new Error(`a code or token without its grant: ${record.grantId}`)
  return grant
}

export const issue = async (
  { call, client, form }: TokenRequest,
  grantType: GrantType,
  grant: Grant,
  previous: RefreshToken | undefined,
): Promise<Response> => {
  const facts: IssueFacts = { ...factsOf(call), client, grant, grantType, previous }
  const { rules } = call
  const scope = single(call, form, 'scope') ?? grant.scope
  const lifetime = rules.accessLifetime(facts)
  const accessToken = await rules.newAccessToken(facts)
  const refreshToken = rules.refreshTokenIsIssued(facts)
    ? await rules.newRefreshToken({ ...facts, accessToken })
    : undefined
  recordTokens(call, facts, { accessToken, refreshToken, scope, lifetime })
  const tokens: IssuedTokens = {
    accessToken,
    refreshToken,
    tokenType: rules.tokenType(facts),
    expiresIn: rules.expiresIn({ ...facts, lifetime }),
    scope: rules.statedScope({ ...facts, scope }),
  }
  return json(200, rules.tokenBody({ ...facts, tokens }), rules.tokenHeaders(facts))
}

interface Issued {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly scope: string
  readonly lifetime: number
}

const recordTokens = (call: Call, facts: IssueFacts, issued: Issued): void => {
  const { grantId, clientId, environment } = facts.grant
  const ledger = call.world.ledgers[environment]
  const after = (ms: number): Date => new Date(call.now.getTime() + ms)
  const common = { environment, grantId, clientId, scope: issued.scope, issuedAt: call.now }
  const { accessToken, refreshToken } = issued
  ledger.accessTokens.set(accessToken, {
    ...common,
    value: accessToken,
    expiresAt: after(issued.lifetime),
    retiredAt: undefined,
  })
  if (refreshToken === undefined) return
  const expiresAt = after(call.rules.refreshLifetime(facts))
  ledger.refreshTokens.set(refreshToken, { ...common, value: refreshToken, expiresAt, accessToken })
}

export const exchangeCode = async (request: TokenRequest): Promise<Response> =>
  issue(request, 'authorization_code', await redeemCode(request, 'accounts'), undefined)

/** Uses the code of the request, and returns its grant. */
export const redeemCode = async (request: TokenRequest, purpose: 'accounts' | 'payment'): Promise<Grant> => {
  const { call, client, form } = request
  const found = findRecord(call, 'codes', required(call, form, 'code'))
  const code = found && purposeOf(grantOf(call, found)) === purpose ? found : undefined
  const facts = code && { ...factsOf(call), client, code }
  if (!code || !facts || !call.rules.codeBelongsTo(facts)) {
    throw new Refusal('invalid_grant', 'The code was not issued to this client.')
  }
  const grant = grantOf(call, code)
  try {
    checkExchange(request, code, grant)
  } catch (error) {
    if (error instanceof Refusal && call.rules.failureSpendsCode({ ...facts, error: error.error })) {
      ledgerOf(call, code).redemptions.add(code.value)
    }
    throw error
  }
  await redeem(request, code, grant)
  return grant
}

const purposeOf = ({ orderId }: Grant) => (orderId === undefined ? 'accounts' : 'payment')

/** Checks the redirect URI, the verifier and the scope before the code is used. */
const checkExchange = ({ call, client, form }: TokenRequest, code: Code, grant: Grant): void => {
  const facts = { ...factsOf(call), client, code }
  const redirectUri = single(call, form, 'redirect_uri')
  if (!call.rules.redirectUriMatches({ ...facts, redirectUri })) {
    throw new Refusal('invalid_grant', 'The redirect_uri differs from the one used at authorization.')
  }
  const verifier = single(call, form, 'code_verifier')
  if (!call.rules.verifierMatches({ ...facts, verifier })) {
    throw new Refusal('invalid_grant', 'The code_verifier does not match the code_challenge.')
  }
  const requested = single(call, form, 'scope')
  if (!call.rules.exchangeScopeIsAccepted({ ...facts, requested, granted: grant.scope })) {
    throw new Refusal('invalid_scope', 'The scope differs from the one that was granted.')
  }
}

const redeem = async ({ call, client }: TokenRequest, code: Code, grant: Grant): Promise<void> => {
  const facts = { ...factsOf(call), client, code }
  const ledger = ledgerOf(call, code)
  // Used before its age is checked, so that a late second use is detected as a second use.
  if (!(await call.rules.redeemsCode({ ...facts, redemptions: ledger.redemptions }))) {
    if (call.rules.replayRevokes(facts)) revokeGrant(ledger, code.grantId, call.now)
    throw new Refusal('invalid_grant', 'The code has been used before.')
  }
  const revokedAt = ledger.revocations.get(grant.grantId)
  if (call.rules.codeIsRevoked({ ...facts, grant, revokedAt })) {
    throw new Refusal('invalid_grant', 'The grant has been revoked.')
  }
  if (!(await call.rules.codeIsFresh(facts))) throw new Refusal('invalid_grant', 'The code has expired.')
}

export const renewTokens = async (request: TokenRequest): Promise<Response> => {
  const { call, client, form } = request
  const refreshToken = findRecord(call, 'refreshTokens', required(call, form, 'refresh_token'))
  const facts = refreshToken && { ...factsOf(call), client, refreshToken }
  if (!refreshToken || !facts || !call.rules.refreshBelongsTo(facts)) {
    throw new Refusal('invalid_grant', 'The refresh token was not issued to this client.')
  }
  const grant = grantOf(call, refreshToken)
  checkRenewal(request, refreshToken, grant)
  const ledger = ledgerOf(call, refreshToken)
  if (!(await call.rules.redeemsRefreshToken({ ...facts, redemptions: ledger.redemptions }))) {
    if (call.rules.refreshReplayRevokes(facts)) revokeGrant(ledger, grant.grantId, call.now)
    throw new Refusal('invalid_grant', 'The refresh token has been used before.')
  }
  if (call.rules.renewalRetiresAccess(facts)) retireAccess(call, refreshToken)
  return issue(request, 'refresh_token', grant, refreshToken)
}

const checkRenewal = (
  { call, client, form }: TokenRequest,
  refreshToken: RefreshToken,
  grant: Grant,
): void => {
  const facts = { ...factsOf(call), client, refreshToken }
  const revokedAt = ledgerOf(call, refreshToken).revocations.get(grant.grantId)
  if (call.rules.refreshIsRevoked({ ...facts, grant, revokedAt })) {
    throw new Refusal('invalid_grant', 'The grant has been revoked.')
  }
  if (!call.rules.refreshIsFresh(facts)) throw new Refusal('invalid_grant', 'The refresh token has expired.')
  const requested = single(call, form, 'scope')
  if (!call.rules.refreshScopeIsAccepted({ ...facts, requested, granted: refreshToken.scope })) {
    throw new Refusal('invalid_scope', 'The scope exceeds the one that was granted.')
  }
}

const retireAccess = (call: Call, { accessToken, environment }: RefreshToken): void => {
  const { accessTokens } = call.world.ledgers[environment]
  const retired = accessTokens.get(accessToken)
  if (retired) accessTokens.set(accessToken, { ...retired, retiredAt: call.now })
}

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
