/** grant_type=authorization_code: a code, used once, for the first tokens of a grant. */
import { factsOf, findRecord, ledgerOf, Refusal, required, single } from './call.ts'
import { issue } from './issue.ts'
import { grantOf, type TokenRequest } from './token-request.ts'
import { revokeGrant, type Code, type Grant } from './world.ts'

export const exchangeCode = async (request: TokenRequest): Promise<Response> =>
  issue(request, 'authorization_code', await redeemCode(request, 'accounts'), undefined)

/** The grant behind the code of the request, which is used up. */
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

/** All that a request must prove before it uses the code up. */
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
  // Taken before its age is looked at, so that a late second use is seen for what it is.
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
