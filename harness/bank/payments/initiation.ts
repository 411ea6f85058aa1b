/** POST /payments/ecomm/sba, /payments/standard/sba and /payments/batch/sba. */
import { factsOf, Refusal, type Call } from '../call.ts'
import { branchOf } from '../parts.ts'
import type { ClientFacts } from '../rules/facts.ts'
import type { OrderFacts, Stage } from '../rules/payment-rules-of-orders.ts'
import { authenticateCaller, type Caller } from './bearer.ts'
import { keep } from './moves.ts'
import { totalOf } from './order.ts'
import type { Method, Order, Payment, ReasonCode } from './payment.ts'
import { tell } from './records.ts'
import { customerAccountOf, fundsOn, payeesOf } from './register.ts'
import { causeOfRejection } from './validation.ts'

export const initiatePayment =
  (method: Method) =>
  async (call: Call): Promise<Response> => {
    const caller = authenticateCaller(call)
    if (!call.rules.mayInitiate(caller)) {
      throw new Refusal('not_authorized', 'This token submits one payment, and initiates none.')
    }
    const order = await readOrderOf(call, caller, method)
    // Its name comes first: nothing may pass between the look at earlier orders and this one's record.
    const { payments } = call.ledger
    const orderId = await call.rules.newOrderId({ ...factsOf(call), client: caller.client, payments })
    const facts = orderFactsOf(call, caller, order, 'initiation')
    const payment = paymentOf(call, facts, orderId, causeOfRejection(call.rules, facts))
    keep(branchOf(call.parts, call.environment), payment)
    return tell(call, payment, 'initiation', call.rules.initiationStatus({ ...factsOf(call), payment }))
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

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** All that a rule may want to know of an order, as things stand now. */
export const orderFactsOf = (
  call: Call,
  { client }: Pick<Caller, 'client'>,
  order: Order,
  stage: Stage,
): OrderFacts => {
  const facts: ClientFacts = { ...factsOf(call), client }
  const { world, ledger } = call
  const debtorAccount = customerAccountOf(world, order.debtor.iban)
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
  reason: cause && call.rules.reasonTold({ ...facts, cause }),
  initiatedAt: call.now,
  statusAt: call.now,
})
