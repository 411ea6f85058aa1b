import { NotReached } from '../../evidence/signals.ts'
import { fill } from '../../profile/template.ts'
import { isGuess } from '../../profile/guesses.ts'
import { actingApplication } from '../acting-application.ts'
import { urlOf, type FlowContext } from '../target.ts'
import { unchanged, type Change } from '../http/request.ts'
import { openApprovals, authorizePayment, type PaymentAuthorization } from './payment-authorization.ts'
import { createInitiation, orderIdOf, type Initiation } from './initiation.ts'
import { lateOrders, provokingOrders, type LateOrder, type ProvokingOrder } from './rejected-orders.ts'
import { untilOpen, untilTime } from './payment-days.ts'
import { openPaymentRequests, type PaymentsContext } from './payment-requests.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ApplicationProfile } from '../../profile/schema.ts'
import type { PaymentsProfile, Rejection } from '../../profile/schema/payments.ts'
import type { Decision } from '../authorization/customer-acts.ts'
import type { TargetClock } from '../clock.ts'

/** The payment operations of one application. Every method sends one valid request, or the same with one change. */
export interface Payments extends Initiation {
  readonly profile: PaymentsProfile
  readonly application: ApplicationProfile
  /** The token response of the application (needs: payment-bearer). @throws NotReached if it authenticates otherwise. */
  readonly token: Exchange
  /** The same as a list; empty if the application authenticates otherwise. */
  readonly tokens: readonly Exchange[]
  /** The orders that are rejected with this code, or with any, and can be sent (needs: provoke-AC01 …). */
  provocations(rejection: Rejection): readonly ProvokingOrder[]
  /** The orders that only their submission rejects, and that can be sent (needs: submission-rejection). */
  lateRejections(): readonly LateOrder[]
  /** GET /payments/{orderId}/status */
  status(orderId: string, change?: Change): Promise<Exchange>
  /** Whether the customer can be asked to authorize it: an approval needs the address in the answer to the initiation. */
  canAuthorize(orderId: string): boolean
  /** Lets the customer, or another one, authorize a payment; a code is exchanged for a token. An approval is the customer's. */
  authorize(
    orderId: string,
    decision?: Decision,
    customer?: FlowContext['customer'],
  ): Promise<PaymentAuthorization>
  /** POST /payments/submission with the token or the value of the authorization; without one, as the application alone. */
  submit(
    payment: Pick<PaymentAuthorization, 'orderId' | 'token' | 'approval'>,
    change?: Change,
  ): Promise<Exchange>
  /** The orderId in the answer to an initiation. @throws NotReached if there is none. */
  orderIdOf(initiation: Exchange): string
}

/** Opens the operations of an application and requests its token. */
type Ask = (whose?: ApplicationProfile) => Promise<Payments>

/** @throws NotReached if the profile has no payment API, or the application gets no token. */
export const createPayments = (context: FlowContext): Ask => {
  const initiations = new Map<string, Exchange>()
  return async (whose) => {
    const { profile, clock } = context
    const { payments } = profile
    if (payments === undefined) throw new NotReached('the profile has no payment API (payments)')
    const name = whose?.name ?? payments.applications?.[0]
    const { application } = actingApplication(profile, profile.environment, name)
    await awaitOpening(payments, clock, profile.timeZone)
    const [registered] = application.redirectUris
    const customer = profile.customers.find((one) => one.name === payments.customer) ?? context.customer
    const redirectUri = registered?.uri ?? ''
    return openPayments({ ...context, payments, application, redirectUri, customer }, initiations)
  }
}

/** Another scenario may have moved a shared clock to the night. A clock that cannot be moved is not waited for. */
const awaitOpening = async ({ hours }: PaymentsProfile, clock: TargetClock, zone: string): Promise<void> => {
  if (hours === undefined || clock.kind === 'wall') return
  const ms = untilOpen(clock.now(), hours, zone)
  if (ms > 0) await clock.pass(ms)
}

/** @param initiations the answers to initiations, by orderId. */
const openPayments = async (
  context: PaymentsContext,
  initiations: Map<string, Exchange>,
): Promise<Payments> => {
  const { profile, payments, application, clock } = context
  const requests = await openPaymentRequests(context)
  const approvals = payments.approval && openApprovals(context, payments.approval, initiations)
  const initiation = createInitiation(context, requests, approvals?.keep)
  const rejections = {
    profile: payments,
    canMoveTime: clock.kind !== 'wall',
    isGuess: (key: string) => isGuess(profile, key),
    async moveTo(time: string | undefined) {
      if (time !== undefined) await clock.pass(untilTime(clock.now(), time, profile.timeZone))
    },
  }

  return {
    profile: payments,
    application,
    tokens: requests.tokens,
    get token() {
      const [token] = requests.tokens
      if (token !== undefined) return token
      throw new NotReached(
        `the payment operations have no token of the application (payments.authentication: ${payments.authentication})`,
      )
    },
    ...initiation,
    orderIdOf,
    provocations: (rejection) => provokingOrders({ ...rejections, ...initiation }, rejection),
    lateRejections: () => lateOrders(rejections),

    status: (orderId, change = unchanged) => {
      const url = urlOf(context, 'payments.status', { values: { orderId } })
      return requests.send({ operation: 'readPayment', method: 'GET', url }, change, { orderId })
    },

    canAuthorize: (orderId) => approvals === undefined || approvals.has(orderId),

    authorize: (orderId, decision = 'grant', customer = context.customer) =>
      authorizePayment({ ...context, customer }, requests, { orderId, decision, approvals }),

    submit: ({ orderId, token, approval }, change = unchanged) => {
      const { body } = payments.submission
      const url = urlOf(context, 'payments.submission')
      const text = body && JSON.stringify(fill(body, { orderId, approval }))
      return requests.send(
        { operation: 'submitPayment', method: 'POST', url, ...(text !== undefined && { text }) },
        change,
        { orderId, ...(token !== undefined && { token }), ...(approval !== undefined && { approval }) },
      )
    },
  }
}
