import { FORM_HEADER, JSON_HEADER, unchanged, type Change, type Fields } from '../http/request.ts'
import { idAndAuthorization, sendingTo, type FlowContext, type OperationRequest } from '../target.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { LoansProfile } from '../../profile/schema/loans.ts'

/** Adds to a request of the loan API what all of them have, and sends it. */

/** The scripted scenarios of the sandbox (States and transitions, Loan application status). */
export type LoanScenario = 'cancelled' | 'expired' | 'nonClient' | 'client'

interface LoanRequest extends Pick<OperationRequest, 'operation' | 'method' | 'url' | 'form'> {
  /** Sent as JSON. */
  readonly body?: unknown
}

/** @param change to the valid request; none by default. */
export type SendLoanRequest = (request: LoanRequest, change?: Change) => Promise<Exchange>

export const sendingLoanRequests = (
  context: FlowContext,
  { requestIdHeader }: LoansProfile,
  bearer: () => Promise<string>,
): SendLoanRequest => {
  const send = sendingTo(context.http)
  return async ({ body, ...request }, change = unchanged) => {
    const ofBody = body === undefined ? [] : [JSON_HEADER]
    const headers: Fields = [
      ...idAndAuthorization(context, requestIdHeader, `Bearer ${await bearer()}`),
      ...(request.form === undefined ? ofBody : [FORM_HEADER]),
    ]
    return send({ ...request, headers, ...(body !== undefined && { text: JSON.stringify(body) }) }, change)
  }
}
