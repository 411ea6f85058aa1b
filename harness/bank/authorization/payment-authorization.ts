/** A customer's decision on one payment: what the page shows, and the code or the denial that results. */
import { randomUUID } from '../random.ts'
import { denied, recordCode, type Answer, type Decision } from './grants.ts'
import { contextOf, factsOf, findRecord, Refusal, type Call } from '../call.ts'
import { html, type Html } from '../markup.ts'
import { totalOf } from '../rules/payment-order.ts'
import { moveTo } from '../payments/status-changes.ts'
import type { Grant, LoginSession } from '../state.ts'
import type { Payment, Transfer } from '../rules/payment.ts'

const CENTS = 100

const amountOf = (hundredths: number, currency: string): string =>
  `${(hundredths / CENTS).toFixed(2)} ${currency}`

const transferRow = ({ creditor, instructed, remittanceInformation }: Transfer): Html =>
  html`<dt>To</dt>
    <dd>${creditor.name ?? ''}, ${creditor.iban}</dd>
    <dt>Amount</dt>
    <dd>${amountOf(instructed.amount, instructed.currency)}</dd>
    ${
      remittanceInformation === undefined
        ? ''
        : html`<dt>For</dt>
            <dd>${remittanceInformation}</dd>`
    }`

const total = ({ order }: Payment): Html =>
  order.transfers.length === 1
    ? html``
    : html`<dt>In all</dt>
        <dd>${amountOf(totalOf(order), order.transfers[0]?.instructed.currency ?? '')}</dd>`

export const paymentDetails = (payment: Payment): Html => {
  const { orderId, order } = payment
  return html`<dl id="payment">
    <dt>From</dt>
    <dd>${order.debtor.name}, ${order.debtor.iban}</dd>
    ${order.transfers.map(transferRow)}${total(payment)}
    <dt>Executed</dt>
    <dd>${order.requestedDate ?? 'at once'}</dd>
    <dt>Order</dt>
    <dd>${orderId}</dd>
  </dl>`
}

/** The payment of a login session; undefined for access to accounts. */
export const paymentOf = (call: Call, { orderId }: LoginSession): Payment | undefined => {
  if (orderId === undefined) return undefined
  const payment = findRecord(call, 'payments', orderId)
  if (!payment) throw new Error(`a login session for an unknown payment: ${orderId}`)
  return payment
}

/** @throws Refusal if the status of the payment has changed in the meantime. */
export const settlePayment = (call: Call, decision: Decision, payment: Payment): Answer => {
  const { client, customer } = decision
  const facts = { ...factsOf(call), client, payment }
  if (!call.rules.mayBeAuthorized(facts)) {
    throw new Refusal('invalid_request', 'The payment does not wait for its authorization any more.')
  }
  if (!customer) return deny(call, decision, payment)
  if (!call.rules.mayAuthorize({ ...facts, customer })) {
    return denied('The payment is to go from an account of somebody else.')
  }
  const grant: Grant = {
    environment: payment.environment,
    grantId: randomUUID(),
    clientId: client.clientId,
    username: customer.username,
    scope: decision.loginSession.scope,
    consentId: undefined,
    accountIds: [],
    orderId: payment.orderId,
    grantedAt: call.now,
  }
  call.ledger.grants.set(grant.grantId, grant)
  return {
    ending: 'granted',
    parameters: { code: recordCode(call, decision.loginSession, client, grant).value },
  }
}

const deny = (call: Call, { client }: Decision, payment: Payment): Answer => {
  const outcome = call.rules.outcomeOfDenial({ ...factsOf(call), client, payment })
  moveTo(contextOf(call.parts, payment.environment), payment, outcome, 'submission')
  return denied('The customer has denied the payment.')
}
