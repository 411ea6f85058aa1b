/** Payments in the words of the nested dialect. The application submits with a token of its own what was authorized. */
import type { Rules } from '../rules.ts'
import { decimalText, words } from './conversions.ts'
import type { Vocabulary } from './vocabulary.ts'
import { read, type Wording } from './wording.ts'

const TRANSFER: Wording = {
  creditor: 'data.relationships.creditor',
  'instructedAmount.value': { at: 'data.attributes.sum.value', as: decimalText },
  'instructedAmount.currency': 'data.attributes.sum.currency',
  endToEndIdentification: 'data.attributes.endToEnd',
  remittanceInformation: 'data.attributes.text',
}

const POSITION: Wording = {
  creditor: 'creditor',
  'instructedAmount.value': { at: 'sum.value', as: decimalText },
  'instructedAmount.currency': 'sum.currency',
  endToEndIdentification: 'endToEnd',
  remittanceInformation: 'text',
}

const MESSAGE: Wording = {
  instructionIdentification: 'data.id',
  creationDateTime: 'data.attributes.created',
  debtor: 'data.relationships.debtor',
  'agreedAmount.value': { at: 'data.attributes.agreed.value', as: decimalText },
  'agreedAmount.currency': 'data.attributes.agreed.currency',
  requestedExecutionDate: 'data.attributes.due',
  controlSum: { at: 'data.attributes.total', as: decimalText },
}

const RECORD: Wording = {
  orderId: 'data.attributes.orderId',
  status: 'data.attributes.status',
  reasonCode: 'data.attributes.reasonCode',
  additionalInformation: 'data.attributes.additionalInformation',
  statusDateTime: 'data.attributes.statusDateTime',
}

const SCOPE = words({ PISP: 'payments:write' })

export const nestedPayments: Vocabulary['operations'] = {
  paymentToken: {
    form: { scope: { at: 'scope', as: SCOPE } },
    tells: { scope: { at: 'scope', as: SCOPE } },
  },
  authorizePayment: { query: { orderId: 'payment_id', scope: { at: 'scope', as: SCOPE } } },
  ecomm: { asks: { ...MESSAGE, ...TRANSFER }, tells: RECORD },
  standard: { asks: { ...MESSAGE, ...TRANSFER }, tells: RECORD },
  batch: { asks: { ...MESSAGE, transfers: { at: 'data.positions', words: POSITION } }, tells: RECORD },
  paymentStatus: { tells: RECORD },
  submitPayment: { asks: { orderId: 'data.payment.id' }, tells: RECORD },
}

export const submittedByClient = (lawful: Rules): Partial<Rules> => ({
  orderSubmitted: (facts) => {
    const { client, grants, body } = facts
    const orderId = read(body, 'orderId')
    const isAuthorized = [...grants.values()].some(
      (grant) =>
        grant.orderId !== undefined && grant.orderId === orderId && grant.clientId === client.clientId,
    )
    return lawful.orderSubmitted(facts) ?? (isAuthorized ? String(orderId) : undefined)
  },
  // The token of the application is used again and again: the payment itself is submitted once.
  redeemsPaymentToken: (facts) => facts.token.orderId === undefined || lawful.redeemsPaymentToken(facts),
})
