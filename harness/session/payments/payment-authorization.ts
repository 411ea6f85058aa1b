import { fieldOf, jsonOf, type RedirectResult } from '../../evidence/record/answer.ts'
import { hasGrantedToken } from '../../profile/schema/payments.ts'
import { codeForm, codeQuery, freshState } from '../authorization/code-request.ts'
import { pageRequest } from '../http/request.ts'
import { createVerifier } from '../pkce.ts'
import { chance } from '../random.ts'
import { asStepOf, urlOf } from '../target.ts'
import { isSentBackGranted, type Approvals } from './approval.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Decision } from '../authorization/customer-acts.ts'
import type { PaymentRequests, PaymentsContext } from './payment-requests.ts'

/** The result of the customer's authorization of one payment. */
export interface PaymentAuthorization {
  readonly orderId: string
  readonly redirectResult: RedirectResult
  /** The code exchange, if there was a code and it is needed. */
  readonly exchange?: Exchange
  /** The token for the submission. */
  readonly token?: string
  /** The value that shows the approval, if the bank gives one. */
  readonly approval?: string
  /** Whether the submission has all that it needs. A submission with the token of the application needs no code. */
  readonly isComplete: boolean
}

/** Lets the customer authorize a payment; a code is exchanged for a token if the submission needs it. */
export const authorizePayment = async (
  context: PaymentsContext,
  { askForToken }: PaymentRequests,
  { orderId, decision, approvals }: { orderId: string; decision: Decision; approvals: Approvals | undefined },
): Promise<PaymentAuthorization> => {
  if (approvals !== undefined) return { orderId, ...(await approvals.approve(orderId, decision)) }
  const { payments, redirectUri, random = chance } = context
  const verifier = createVerifier(random)
  const scope = payments.authorize.scope.replaceAll('{orderId}', () => orderId)
  const redirectResult = await walk(context, { orderId, decision, verifier, scope })
  const { code } = redirectResult
  if (!hasGrantedToken(payments))
    return { orderId, redirectResult, isComplete: code !== undefined || isSentBackGranted(redirectResult) }
  if (code === undefined) return { orderId, redirectResult, isComplete: false }
  const exchange = await askForToken(codeForm(code, { scope, verifier, redirectUri }))
  const token = exchange.response && fieldOf(jsonOf(exchange), 'access_token')
  if (typeof token !== 'string') return { orderId, redirectResult, exchange, isComplete: false }
  return { orderId, redirectResult, exchange, token, isComplete: true }
}

interface Walk {
  readonly orderId: string
  readonly decision: Decision
  readonly verifier: string
  readonly scope: string
}

const walk = (
  context: PaymentsContext,
  { orderId, decision, verifier, scope }: Walk,
): Promise<RedirectResult> => {
  const { payments, application, redirectUri, driver, customer, http, random = chance } = context
  const { clientId } = application
  const query = codeQuery({ clientId, redirectUri, scope, verifier, state: freshState(random) })
  query.set(payments.authorize.parameter, orderId)
  const url = `${urlOf(context, 'payments.authorize', { values: { orderId } })}?${query.toString()}`
  return driver.authorize(
    {
      http: asStepOf(http, 'authorizePayment'),
      customer,
      decision,
      redirectUri,
      isToBeGranted: decision === 'grant',
    },
    pageRequest('authorizePayment', url),
  )
}
