import { NotReached } from '../../evidence/signals.ts'
import { actingApplication } from '../acting-application.ts'
import { tokenRequest } from '../authorization/code-request.ts'
import { keepToken, tokenIn } from '../client-token.ts'
import { unchanged, type Change } from '../http/request.ts'
import { urlOf, type FlowContext } from '../target.ts'
import { createLoanOperations, type LoanOperations } from './loan-operations.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ApplicationProfile } from '../../profile/schema.ts'
import type { LoansProfile } from '../../profile/schema/loans.ts'

/** The loan operations of one application. */
export interface Loans extends LoanOperations {
  readonly profile: LoansProfile
  readonly application: ApplicationProfile
  /** The other applications of the loan sandbox. */
  readonly others: readonly ApplicationProfile[]
  /** The first token response of the application. */
  readonly token: Exchange
  /** Requests another token and uses it from then on, because it may end the one before. */
  renewToken(change?: Change): Promise<Exchange>
  /** The token in an answer of the token endpoint. @throws NotReached if there is none. */
  tokenIn(answer: Exchange): string
  /** The same operations with that token instead of the application's own. */
  bearing(token: string): LoanOperations
}

/** @throws NotReached if the profile has no loan API. A missing token is reported only when it is needed. */
export const createLoans =
  (context: FlowContext) =>
  async (whose?: ApplicationProfile): Promise<Loans> => {
    const { loans } = context.profile
    if (loans === undefined) throw new NotReached('the profile has no loan API (loans)')
    const acting = actingApplication(context.profile, 'loans', whose?.name ?? loans.application)
    const request = tokenRequest({
      operation: 'loanToken',
      url: urlOf(context, 'loans.token', { environment: 'sandbox' }),
      form: Object.entries(loans.token.form),
      application: acting.application,
      credentials: loans.token.credentials,
    })
    const ask = (change: Change): Promise<Exchange> => context.http.send(change(request))
    const token = await ask(unchanged)
    const { renew, value: current } = keepToken(token, context.clock, ask)
    return {
      profile: loans,
      ...acting,
      token,
      renewToken: renew,
      tokenIn,
      ...createLoanOperations(context, loans, current),
      bearing: (value) => createLoanOperations(context, loans, async () => value),
    }
  }
