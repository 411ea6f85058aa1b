/** The operations on payments: initiation, submission and status. */
import { contextOf, type Call, factsOf, findRecord, jsonIn, jsonOf, ledgerOf, Refusal } from '../call.ts'
import { json } from '../responses.ts'
import type { Rules } from '../rules.ts'
import type { ClientFacts } from '../rules/facts.ts'
import type { OrderFacts, Stage } from '../rules/payment-order-rules.ts'
import type { RecordAnswer } from '../rules/payment-rules.ts'
import { totalOf } from '../rules/payment-order.ts'
import type { Method, Order, Payment, PaymentToken, ReasonCode } from '../rules/payment.ts'
import { accountWithIban } from '../bookings.ts'
import { fundsOn, keep, moveTo, payeesOf } from './status-changes.ts'

/** The facts of every rule of a payment operation. */
export interface Caller extends ClientFacts {
  readonly token: PaymentToken
}

/** The valid token of the request; an invalid or missing one is answered with 401. */
export const authenticateCaller = (call: Call): Caller => {
  const facts = factsOf(call)
  const header = call.request.headers.get('authorization') ?? undefined
  const value = call.rules.paymentTokenCarried({ ...facts, header })
  if (value === undefined) throw new Refusal('token_missing', 'The request carries no Bearer token.')
  const token = findRecord(call, 'paymentTokens', value)
  const { clients } = call.world.seedData
  const client = token && clients.find(({ clientId }) => clientId === token.clientId)
  if (!client) throw new Refusal('token_unknown', 'The access token is unknown.')
  const caller = { ...facts, client, token }
  const revokedAt = ledgerOf(call, token).revocations.get(token.grantId)
  if (call.rules.paymentTokenIsRevoked({ ...caller, revokedAt })) {
    throw new Refusal('token_revoked', 'The access token has been revoked.')
  }
  if (!call.rules.paymentTokenIsFresh(caller)) {
    throw new Refusal('token_expired', 'The access token has expired.')
  }
  return caller
}

const PRIVATE = { 'cache-control': 'no-store' } as const

export const recordAnswer = (
  call: Call,
  payment: Payment,
  answering: RecordAnswer,
  status: number,
): Response => {
  const { rules } = call
  const facts = { ...factsOf(call), payment, answering }
  const { reason } = payment
  const body = rules.paymentBody({
    ...facts,
    statusDateTime: rules.statusDateTime(facts),
    additionalInformation: reason && rules.additionalInformation({ ...facts, reason }),
  })
  return json(status, body, PRIVATE)
}

/** A payment of another application is answered like one that does not exist. */
export const openPayment = (call: Call, caller: Caller, orderId: string): Payment => {
  const payment = findRecord(call, 'payments', orderId)
  if (!payment || !call.rules.maySeePayment({ ...caller, payment })) {
    throw new Refusal('order_unknown', 'There is no such payment.')
  }
  return payment
}

/** GET /payments/{orderId}/status. */
export const readPayment = async (call: Call): Promise<Response> => {
  const caller = authenticateCaller(call)
  return recordAnswer(call, openPayment(call, caller, call.parameter('orderId')), 'status', 200)
}

const PASSES: Readonly<Record<ReasonCode, (rules: Rules, facts: OrderFacts) => boolean>> = {
  AC01: (rules, facts) => rules.accountNumbersAreCorrect(facts),
  AC04: (rules, facts) => rules.accountsAreOpen(facts),
  AG01: (rules, facts) => rules.accountTypeAllowsPayments(facts),
  AM03: (rules, facts) => rules.currencyIsProcessable(facts),
  AM04: (rules, facts) => rules.fundsSuffice(facts),
  AM05: (rules, facts) => rules.messageIsNew(facts),
  AM09: (rules, facts) => rules.amountIsAsAgreed(facts),
  AM10: (rules, facts) => rules.controlSumAgrees(facts),
  DT01: (rules, facts) => rules.datesAreValid(facts),
  MS03: (rules, facts) => rules.nothingElseForbids(facts),
  RC01: (rules, facts) => rules.bankIdentifiersAreWellFormed(facts),
  RR03: (rules, facts) => rules.creditorsAreNamed(facts),
  TM01: (rules, facts) => rules.isWithinHours(facts),
}

export const causeOfRejection = (rules: Rules, facts: OrderFacts): ReasonCode | undefined =>
  rules.causesLookedFor(facts).find((code) => !PASSES[code](rules, facts))

export const initiatePayment =
  (method: Method) =>
  async (call: Call): Promise<Response> => {
    const caller = authenticateCaller(call)
    if (!call.rules.mayInitiate(caller)) {
      throw new Refusal('not_authorized', 'This token submits one payment, and initiates none.')
    }
    const order = await readOrderOf(call, caller, method)
    // The orderId is created first, since no other request may run between the check of earlier orders and the storage of this one.
    const { payments } = call.ledger
    const orderId = await call.rules.newOrderId({ ...factsOf(call), client: caller.client, payments })
    const facts = orderFactsOf(call, caller, order, 'initiation')
    const payment = paymentOf(call, facts, orderId, causeOfRejection(call.rules, facts))
    keep(contextOf(call.parts, call.environment), payment)
    return recordAnswer(
      call,
      payment,
      'initiation',
      call.rules.initiationStatus({ ...factsOf(call), payment }),
    )
  }

const readOrderOf = async (call: Call, caller: Caller, method: Method): Promise<Order> => {
  const facts = { ...caller, method }
  const text = await call.request.text()
  if (Buffer.byteLength(text) > call.rules.orderSizeLimit(facts)) {
    throw new Refusal('invalid_request', 'The body is too long.')
  }
  const order = call.rules.orderOf({ ...facts, body: jsonIn(text) })
  if (typeof order === 'string') throw new Refusal('invalid_request', order)
  return order
}

/** The current facts about an order. */
export const orderFactsOf = (
  call: Call,
  { client }: Pick<Caller, 'client'>,
  order: Order,
  stage: Stage,
): OrderFacts => {
  const facts: ClientFacts = { ...factsOf(call), client }
  const { world, ledger } = call
  const debtorAccount = accountWithIban(world, order.debtor.iban)
  return {
    ...facts,
    stage,
    order,
    executionDay: call.rules.executionDayOf({ ...facts, order, stage }),
    debtorAccount,
    payees: payeesOf(world, order),
    total: totalOf(order),
    funds: fundsOn(ledger, debtorAccount),
    earlier: [...ledger.payments.values()].filter(({ clientId }) => clientId === client.clientId),
  }
}

const paymentOf = (
  call: Call,
  facts: OrderFacts,
  orderId: string,
  cause: ReasonCode | undefined,
): Payment => ({
  environment: call.environment,
  orderId,
  clientId: facts.client.clientId,
  order: facts.order,
  status: call.rules.statusAfterInitiation({ ...facts, cause }),
  reason: cause && call.rules.reportedReason({ ...facts, cause }),
  initiatedAt: call.now,
  statusAt: call.now,
})

export const submitPayment = async (call: Call): Promise<Response> => {
  const caller = authenticateCaller(call)
  const { orderId } = authorizedPayment(call, caller, await jsonOf(call))
  await redeem(call, caller)
  // Read again, since a concurrent submission may have been first.
  const payment = openPayment(call, caller, orderId)
  const answer = call.rules.mayBeSubmitted({ ...caller, payment })
  // A conforming rule answers synchronously, so that no other request runs between the check of the status and its change.
  if (!(typeof answer === 'boolean' ? answer : await answer)) {
    throw new Refusal('order_state', 'The payment is not one that waits for its submission.')
  }
  const moved = submit(call, caller, payment)
  return recordAnswer(call, moved, 'submission', call.rules.submissionStatus({ ...caller, payment: moved }))
}

const authorizedPayment = (call: Call, caller: Caller, body: unknown): Payment => {
  const { payments, grants } = call.ledger
  const orderId = call.rules.orderSubmitted({ ...caller, payments, grants, body })
  const payment = orderId === undefined ? undefined : findRecord(call, 'payments', orderId)
  if (!payment) throw new Refusal('not_authorized', 'No customer has authorized a payment with this token.')
  return payment
}

const redeem = async (call: Call, caller: Caller): Promise<void> => {
  const { redemptions } = ledgerOf(call, caller.token)
  if (!(await call.rules.redeemsPaymentToken({ ...caller, redemptions }))) {
    throw new Refusal('token_unknown', 'The access token has been used before.')
  }
}

const submit = (call: Call, caller: Caller, payment: Payment): Payment => {
  const facts = orderFactsOf(call, caller, payment.order, 'submission')
  const cause = causeOfRejection(call.rules, facts)
  const status = call.rules.statusAfterSubmission({ ...facts, payment, cause })
  return moveTo(contextOf(call.parts, payment.environment), payment, { status, cause }, 'submission')
}
