import { addressIn, anywhere, fieldOf, jsonOf, type RedirectResult } from '../../evidence/record/answer.ts'
import { NotReached } from '../../evidence/signals.ts'
import { recipeOfApproval, type ApprovalProfile } from '../../profile/schema/authorization.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Decision } from '../authorization/customer-acts.ts'
import { textOfPage } from '../authorization/html-page.ts'
import { pageRequest } from '../http/request.ts'
import { asStepOf } from '../target.ts'
import type { PaymentsContext } from './payment-requests.ts'

/** The result of the customer's page flow at the address of an approval. */
interface Approved {
  readonly redirectResult: RedirectResult
  /** The value that shows the approval, if the bank gives one. */
  readonly approval?: string
  readonly isComplete: boolean
}

/** Approvals of payments at the addresses that the answers to their initiations have. */
export interface Approvals {
  /** Keeps the answer to an initiation, which may have an address. */
  readonly keep: (initiation: Exchange) => void
  has(orderId: string): boolean
  /** @throws NotReached if there is no such address, or it is at an origin that is not the target's. */
  approve(orderId: string, decision: Decision): Promise<Approved>
}

/** @param initiations by orderId, shared by all openings of a session. */
export const openApprovals = (
  { profile, http, driver, customer, redirectUri }: PaymentsContext,
  approval: ApprovalProfile,
  initiations: Map<string, Exchange>,
): Approvals => {
  const recipe = recipeOfApproval(approval, profile.authorization)

  const addressOf = (orderId: string): string => {
    const initiation = initiations.get(orderId)
    if (initiation === undefined)
      throw new NotReached(
        'the payment has no answer with the address of its approval (payments.approval.link)',
      )
    return addressIn(initiation, approval.link, http.origins)
  }

  return {
    keep(initiation) {
      const [orderId] = anywhere(jsonOf(initiation), 'orderId')
      if (typeof orderId === 'string' || typeof orderId === 'number')
        initiations.set(String(orderId), initiation)
    },

    has(orderId) {
      const initiation = initiations.get(orderId)
      return initiation !== undefined && fieldOf(jsonOf(initiation), approval.link) !== undefined
    },

    async approve(orderId, decision) {
      const redirectResult = await driver.authorize(
        {
          http: asStepOf(http, 'authorizePayment'),
          customer,
          decision,
          redirectUri,
          isToBeGranted: decision === 'grant',
          ...(recipe !== undefined && { recipe }),
        },
        pageRequest('authorizePayment', addressOf(orderId)),
      )
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
