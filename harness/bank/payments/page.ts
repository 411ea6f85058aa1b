/** The payment as its customer sees it before authorizing it. */
import { html, type Html } from '../html.ts'
import { totalOf } from './order.ts'
import type { Payment, Transfer } from './payment.ts'

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
