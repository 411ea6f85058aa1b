/** Payments, and their OAuth endpoints. */
import { REASON_CODES, type PaymentStatus } from '../payments/payment.ts'
import { PAYMENT_SCOPE } from '../rules/payment-rules.ts'
import { authorizationAnswers, authorizationRequest, tokenRefusals } from './authorization.ts'
import {
  formBody,
  inPath,
  inQuery,
  jsonAnswer,
  jsonBody,
  listOf,
  objectOf,
  schemaRef,
  schemaWith,
  SOME_TEXT,
  theWord,
  wordOf,
  type Operation,
  type Schema,
  type Schemas,
  type Topic,
} from './parts.ts'
import { refused, tokenRefused } from './refusals.ts'

/** A text of one line. */
const line = (most: number, least = 0): Schema => ({
  type: 'string',
  ...(least > 0 && { minLength: least }),
  maxLength: most,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
})

/** Whether it is an IBAN is checked after the form: a wrong one leads to a rejected payment. */
const ACCOUNT_NUMBER = line(64, 1)

const IDENTIFICATION = line(35, 1)

const MESSAGE: Schemas = {
  instructionIdentification: IDENTIFICATION,
  creationDateTime: { type: 'string', format: 'date-time' },
  debtor: objectOf({ name: line(70, 1), iban: ACCOUNT_NUMBER }),
}

const MESSAGE_OPTIONS: Schemas = {
  agreedAmount: schemaRef('InstructedAmount'),
  requestedExecutionDate: {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description:
      'A day that the calendar does not have, such as 2026-02-31, or on which payments cannot be executed, leads to a rejected payment (DT01).',
  },
}

const TRANSFER: Schemas = {
  creditor: schemaRef('Creditor'),
  instructedAmount: schemaRef('InstructedAmount'),
}

const TRANSFER_OPTIONS: Schemas = {
  endToEndIdentification: IDENTIFICATION,
  remittanceInformation: line(140),
}

const CONTROL_SUM: Schema = { type: 'number', exclusiveMinimum: 0, maximum: 1e12, multipleOf: 0.01 }

const orderSchemas: Schemas = {
  InstructedAmount: objectOf({
    value: CONTROL_SUM,
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  }),
  Creditor: objectOf({ iban: ACCOUNT_NUMBER }, { name: line(70), bic: line(35), address: line(140) }),
  Transfer: objectOf(TRANSFER, TRANSFER_OPTIONS),
  SingleOrder: objectOf(
    { ...MESSAGE, ...TRANSFER },
    { ...TRANSFER_OPTIONS, ...MESSAGE_OPTIONS, controlSum: CONTROL_SUM },
  ),
  BatchOrder: objectOf(
    {
      ...MESSAGE,
      transfers: listOf(schemaRef('Transfer'), { minItems: 1, maxItems: 1000 }),
      controlSum: CONTROL_SUM,
    },
    MESSAGE_OPTIONS,
  ),
}

const RECORD: Schemas = {
  orderId: { type: 'string', pattern: '^[0-9A-F]{32}$' },
  statusDateTime: { type: 'string', format: 'date-time' },
}

const NOT_REJECTED = ['ACTC', 'ACSP', 'ACSC', 'PDNG'] as const satisfies readonly PaymentStatus[]

const recordSchemas: Schemas = {
  RejectedPayment: objectOf({
    ...RECORD,
    status: theWord('RJCT'),
    reasonCode: wordOf(...REASON_CODES),
    additionalInformation: SOME_TEXT,
  }),
  NotRejectedPayment: objectOf({ ...RECORD, status: wordOf(...NOT_REJECTED) }),
  PaymentStatusRecord: { oneOf: [schemaRef('NotRejectedPayment'), schemaRef('RejectedPayment')] },
}

const SCOPE = theWord(PAYMENT_SCOPE)

const tokenSchemas: Schemas = {
  PaymentClientCredentials: objectOf({ grant_type: theWord('client_credentials'), scope: SCOPE }),
  PaymentToken: objectOf({
    access_token: SOME_TEXT,
    token_type: theWord('Bearer'),
    expires_in: {
      type: 'integer',
      enum: [3600, 300],
      description: 'An hour for a token of the application, five minutes for one that submits a payment.',
    },
    scope: SCOPE,
  }),
}

export const paymentOAuthTopic: Topic = {
  api: 'oauth',
  tag: 'Authorization of payments',
  requestId: 'Request-ID',
  schemas: tokenSchemas,
  operations: [
    {
      method: 'get',
      path: '/auth/oauth/v2/authorize',
      operationId: 'authorizePayment',
      summary: 'Ask the customer to authorize one payment, in the browser',
      parameters: [
        ...authorizationRequest(`The scope ${PAYMENT_SCOPE}.`),
        inQuery({ name: 'orderId', description: 'The payment, in the status ACTC.' }, true),
      ],
      authorizedBy: [],
      answers: authorizationAnswers,
    },
    {
      method: 'post',
      path: '/auth/oauth/v2/token',
      operationId: 'issuePaymentToken',
      summary: 'Obtain a token of the application, or exchange a code for one that submits a payment',
      requestBody: formBody({ oneOf: [schemaRef('PaymentClientCredentials'), schemaRef('CodeExchange')] }),
      authorizedBy: ['client'],
      answers: { 200: jsonAnswer('The token.', schemaRef('PaymentToken')), ...tokenRefusals },
    },
  ],
}

const recordIn = (...statuses: readonly PaymentStatus[]): Schema =>
  schemaWith('PaymentStatusRecord', 'status', statuses)

const initiation = (method: 'ecomm' | 'standard' | 'batch', summary: string, order: string): Operation => ({
  method: 'post',
  path: `/payments/${method}/sba`,
  operationId: { ecomm: 'initiatePayment', standard: 'initiateDatedPayment', batch: 'initiateBatch' }[method],
  summary,
  requestBody: jsonBody(schemaRef(order)),
  authorizedBy: ['payments'],
  answers: {
    201: jsonAnswer('The payment waits for the customer, or is rejected.', recordIn('ACTC', 'RJCT')),
    400: refused('The order is malformed.', 'INVALID_REQUEST'),
    ...tokenRefused,
    403: refused('The token is one that submits a payment.', 'NO_AUTHORIZATION'),
  },
})

export const paymentsTopic: Topic = {
  api: 'payments',
  tag: 'Payments',
  requestId: 'Request-ID',
  schemas: { ...orderSchemas, ...recordSchemas },
  operations: [
    initiation('ecomm', 'Initiate a payment that is executed at once', 'SingleOrder'),
    initiation('standard', 'Initiate a payment that may be executed on a later day', 'SingleOrder'),
    initiation('batch', 'Initiate several transfers as one payment', 'BatchOrder'),
    {
      method: 'post',
      path: '/payments/submission',
      operationId: 'submitPayment',
      summary: 'Submit the payment that the customer has authorized with this token',
      authorizedBy: ['approvedPayment'],
      answers: {
        200: jsonAnswer('The payment is accepted, or rejected.', recordIn('ACSP', 'PDNG', 'RJCT')),
        ...tokenRefused,
        403: refused('The token is one of the application, which submits no payment.', 'NO_AUTHORIZATION'),
        409: refused('The payment has been submitted before.', 'ORDER_STATE'),
      },
    },
    {
      method: 'get',
      path: '/payments/{orderId}/status',
      operationId: 'readPayment',
      summary: 'Read the status of a payment',
      parameters: [inPath('orderId', 'The orderId from the initiation.')],
      authorizedBy: ['payments', 'approvedPayment'],
      answers: {
        200: jsonAnswer('The status.', schemaRef('PaymentStatusRecord')),
        ...tokenRefused,
        404: refused('The application has no such payment.', 'ORDER_UNKNOWN'),
      },
    },
  ],
}
