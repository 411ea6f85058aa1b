import {
  fieldOf,
  idOf,
  jsonOf,
  addressIn,
  anywhere,
  type RedirectResult,
} from '../../evidence/record/answer.ts'
import { hasGrantedToken } from '../../profile/schema/payments.ts'
import { codeForm, codeQuery, freshState } from '../authorization/code-request.ts'
import { pageRequest } from '../http/request.ts'
import { createVerifier } from '../pkce.ts'
import { chance } from '../random.ts'
import { asStepOf, urlOf } from '../target.ts'
import { NotReached } from '../../evidence/signals.ts'
import { recipeOfApproval, type ApprovalProfile } from '../../profile/schema/authorization.ts'
import { textOfPage } from '../authorization/html-page.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Decision } from '../authorization/customer-acts.ts'
import type { PaymentRequests, PaymentsContext } from './payment-requests.ts'

/** Authorizes payments: by a grant, or at the address that the answer to the initiation has. */

/** The result of the customer's page flow at the address of an approval. */
interface Approved {
  readonly redirectResult: RedirectResult
  /** The value that shows the approval, if the bank gives one. */
  readonly approval?: string
  readonly isComplete: boolean
}

type Approvals = ReturnType<typeof openApprovals>

/** The customer's page flow that begins at this address. */
const authorizeAt = (
  { http, driver, customer, redirectUri }: PaymentsContext,
  url: string,
  decision: Decision,
  recipe?: ReturnType<typeof recipeOfApproval>,
): Promise<RedirectResult> =>
  driver.authorize(
    {
      http: asStepOf(http, 'authorizePayment'),
      customer,
      decision,
      redirectUri,
      isToBeGranted: decision === 'grant',
      ...(recipe !== undefined && { recipe }),
    },
    pageRequest('authorizePayment', url),
  )

/**
 * Approvals of payments at the addresses that the answers to their initiations have.
 * @param initiations by orderId, shared by all openings of a session.
 */
export const openApprovals = (
  context: PaymentsContext,
  approval: ApprovalProfile,
  initiations: Map<string, Exchange>,
) => {
  const recipe = recipeOfApproval(approval, context.profile.authorization)

  const addressOf = (orderId: string): string => {
    const initiation = initiations.get(orderId)
    if (initiation === undefined)
      throw new NotReached(
        'the payment has no answer with the address of its approval (payments.approval.link)',
      )
    return addressIn(initiation, approval.link, context.http.origins)
  }

  return {
    /** Keeps the answer to an initiation, which may have an address. */
    keep: (initiation: Exchange): void => {
      const orderId = idOf(anywhere(jsonOf(initiation), 'orderId')[0])
      if (orderId !== undefined) initiations.set(orderId, initiation)
    },

    has(orderId: string) {
      const initiation = initiations.get(orderId)
      return initiation !== undefined && fieldOf(jsonOf(initiation), approval.link) !== undefined
    },

    /** @throws NotReached if there is no such address, or it is at an origin that is not the target's. */
    async approve(orderId: string, decision: Decision): Promise<Approved> {
      const redirectResult = await authorizeAt(context, addressOf(orderId), decision, recipe)
      const value = redirectResult.code ?? parameterOf(redirectResult, approval.parameter)
      const givesValue = approval.parameter !== undefined || approval.shown !== undefined
      if (givesValue && value === undefined && isGrantedWithoutValue(redirectResult))
        throw new NotReached(withoutValue(redirectResult, approval))
      return {
        redirectResult,
        ...(value !== undefined && { approval: value }),
        isComplete: givesValue ? value !== undefined : isGrantedWithoutValue(redirectResult),
      }
    },
  }
}

/** A person brings the whole address, of which only a code is known. */
const parameterOf = ({ redirect }: RedirectResult, parameter: string | undefined): string | undefined =>
  redirect === undefined || parameter === undefined
    ? undefined
    : (new URL(redirect).searchParams.get(parameter) ?? undefined)

/** Where the value of the approval was looked for. Parameters are shown by their names. */
const withoutValue = (
  { exchange, redirect }: RedirectResult,
  { parameter, shown }: ApprovalProfile,
): string => {
  const keys = [
    ...(parameter === undefined ? [] : [`parameter ${parameter} (payments.approval.parameter)`]),
    ...(shown === undefined ? [] : [`element ${shown} (payments.approval.shown)`]),
  ]
  const names = redirect === undefined ? [] : [...new URL(redirect).searchParams.keys()]
  const end =
    redirect === undefined
      ? `a page: ${textOfPage(exchange)}`
      : `a redirect with ${names.length === 0 ? 'no parameter' : `the parameters ${names.join(', ')}`}`
  return `the customer approved the payment, and ${exchange.id} ended on ${end}; it has no ${keys.join(', and no ')}`
}

/** Whether the bank recorded the grant itself and sent the customer back without a code. */
export const isSentBackGranted = ({ decision, outcome, redirect }: RedirectResult): boolean =>
  decision === 'granted' &&
  outcome === 'redirect' &&
  redirect !== undefined &&
  !new URL(redirect).searchParams.has('error')

/** Whether the customer granted, and the end is no refusal: a redirect without an error, or a page with a success. */
const isGrantedWithoutValue = (redirectResult: RedirectResult): boolean =>
  isSentBackGranted(redirectResult) ||
  (redirectResult.decision === 'granted' &&
    redirectResult.outcome === 'page' &&
    (redirectResult.exchange.response?.status ?? 500) < 400)

/** The result of the customer's authorization of one payment. */
export interface PaymentAuthorization {
  readonly orderId: string
  readonly redirectResult: RedirectResult
  /** The code exchange, if there was a code and it is needed. */
  readonly exchange?: Exchange
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
  const { payments, application, redirectUri, random = chance } = context
  const verifier = createVerifier(random)
  const scope = payments.authorize.scope.replaceAll('{orderId}', () => orderId)
  const { clientId } = application
  const query = codeQuery({ clientId, redirectUri, scope, verifier, state: freshState(random) })
  query.set(payments.authorize.parameter, orderId)
  const url = `${urlOf(context, 'payments.authorize', { values: { orderId } })}?${query.toString()}`
  const redirectResult = await authorizeAt(context, url, decision)
  const { code } = redirectResult
  if (!hasGrantedToken(payments))
    return { orderId, redirectResult, isComplete: code !== undefined || isSentBackGranted(redirectResult) }
  if (code === undefined) return { orderId, redirectResult, isComplete: false }
  const exchange = await askForToken(codeForm(code, { scope, verifier, redirectUri }))
  const token = exchange.response && fieldOf(jsonOf(exchange), 'access_token')
  if (typeof token !== 'string') return { orderId, redirectResult, exchange, isComplete: false }
  return { orderId, redirectResult, exchange, token, isComplete: true }
}
