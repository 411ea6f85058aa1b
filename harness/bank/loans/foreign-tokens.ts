/** Tokens of one interface at the door of another: they open nothing there, unless a rule says so. */
import { factsOf, type Call } from '../call.ts'
import type { AccessToken, Grant } from '../world.ts'
import { ENVIRONMENTS } from '../world.ts'
import type { LoanToken } from './loan.ts'

/** A token of accounts or payments, taken for one of loans. */
export const foreignTokenOf = (call: Call, value: string): LoanToken | undefined => {
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

interface Taken {
  readonly token: AccessToken
  readonly grant: Grant
}

/** A token of loans, taken for one of accounts, with the grant that it is taken to descend from. */
export const takenForAccounts = (call: Call, value: string): Taken | undefined => {
  const { endpoint, variant, ledger } = call
  for (const environment of ENVIRONMENTS) {
    const token = call.world.ledgers[environment].loanTokens.get(value)
    const told = token && { ...factsOf(call), endpoint, variant, token, grants: ledger.grants }
    const grant = told && call.rules.grantOfLoanToken(told)
    if (!token || !grant) continue
    const { scope, grantId } = grant
    return { grant, token: { ...token, environment: call.environment, grantId, scope, retiredAt: undefined } }
  }
  return undefined
}
