/** New tokens: what they are, how long they live, and how they are handed over. */
import { json } from './answers.ts'
import { factsOf, single, type Call } from './call.ts'
import type { GrantType, IssuedTokens, IssueFacts } from './rules/token-rules.ts'
import type { TokenRequest } from './token-request.ts'
import type { Grant, RefreshToken } from './world.ts'

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
