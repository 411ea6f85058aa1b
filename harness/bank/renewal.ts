/** grant_type=refresh_token: a refresh token, used once, for new tokens of the same grant. */
import { factsOf, findRecord, ledgerOf, Refusal, required, single, type Call } from './call.ts'
import { issue } from './issue.ts'
import { grantOf, type TokenRequest } from './token-request.ts'
import { revokeGrant, type Grant, type RefreshToken } from './world.ts'

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
