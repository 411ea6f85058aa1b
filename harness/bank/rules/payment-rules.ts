/** A payment: its id, its statuses and their changes, its record and the access to it. */
import { randomBytes } from '../random.ts'
import { atHour, bankDay, localDateTime } from './payment-calendar.ts'
import type { Payment, PaymentStatus, PaymentToken, ReasonCode } from './payment.ts'
import type { Client, Customer } from '../seed-data.ts'
import type { Grant } from '../state.ts'
import { type Awaitable, type ClientFacts, type Facts, HOUR, MINUTE, newSecret, SECOND } from './facts.ts'
import type { OrderFacts, Stage } from './payment-order-rules.ts'

export interface PaymentFacts extends Facts {
  readonly payment: Payment
}

/** The answer that contains the record. */
export type RecordAnswer = Stage | 'status'

interface TokenFacts extends ClientFacts {
  readonly token: PaymentToken
}

/** A scheduled status change. */
export interface Move {
  readonly at: Date
  readonly status: PaymentStatus
}

/** A status, with the cause of a rejection. */
export interface Outcome {
  readonly status: PaymentStatus
  readonly cause?: ReasonCode | undefined
}

export interface PaymentRules {
  /** At most 35 characters, and unique among all payments. */
  readonly newOrderId: (
    facts: ClientFacts & { readonly payments: ReadonlyMap<string, Payment> },
  ) => Awaitable<string>
  /** The first status, given the cause of a rejection if there is one. */
  readonly statusAfterInitiation: (
    facts: OrderFacts & { readonly cause: ReasonCode | undefined },
  ) => PaymentStatus
  /** Whether the payment waits for its authorization. */
  readonly mayBeAuthorized: (facts: PaymentFacts & ClientFacts) => boolean
  /** Whether this customer can authorize it. */
  readonly mayAuthorize: (facts: PaymentFacts & ClientFacts & { readonly customer: Customer }) => boolean
  /** Whether the customer's decision authorizes it. */
  readonly decisionAuthorizes: (
    facts: PaymentFacts & ClientFacts & { readonly decision: 'grant' | 'deny' },
  ) => boolean
  /** The status after a denial by the customer. */
  readonly outcomeOfDenial: (facts: PaymentFacts & ClientFacts) => Outcome
  /** The payment that a token submits; undefined if there is none. `body` is the JSON of the request, if it has any. */
  readonly orderSubmitted: (
    facts: TokenFacts & {
      readonly client: Client
      readonly payments: ReadonlyMap<string, Payment>
      readonly grants: ReadonlyMap<string, Grant>
      readonly body: unknown
    },
  ) => string | undefined
  /** Whether a payment in this status can be submitted. */
  readonly mayBeSubmitted: (facts: PaymentFacts & TokenFacts) => Awaitable<boolean>
  /** The status after the submission, given the cause of a rejection if there is one. */
  readonly statusAfterSubmission: (
    facts: OrderFacts & { readonly payment: Payment; readonly cause: ReasonCode | undefined },
  ) => PaymentStatus
  /** The next status change; undefined if there is none. */
  readonly nextMove: (facts: PaymentFacts & { readonly executionDay: string }) => Move | undefined
  /** The outcome of a status change when it is due. `total` is the debit, `funds` the available amount, in hundredths. */
  readonly outcomeOfMove: (
    facts: PaymentFacts & { readonly move: Move; readonly total: number; readonly funds: number },
  ) => Outcome
  /** Whether the payment is booked with this status. */
  readonly isBooked: (facts: PaymentFacts & { readonly status: PaymentStatus }) => boolean
  /** The reported time of a new status, different from that of the status before. */
  readonly statusTime: (facts: PaymentFacts & { readonly status: PaymentStatus }) => Date
  /** The reason code of a cause in the record. */
  readonly reportedReason: (
    facts: Facts & { readonly cause: ReasonCode; readonly stage: Stage },
  ) => ReasonCode

  /** Whether a token initiates payments. */
  readonly mayInitiate: (facts: TokenFacts) => boolean
  readonly maySeePayment: (facts: PaymentFacts & TokenFacts) => boolean
  /** HTTP status of an initiation that created a payment. */
  readonly initiationStatus: (facts: PaymentFacts) => number
  /** HTTP status of an accepted submission. */
  readonly submissionStatus: (facts: PaymentFacts) => number
  readonly statusDateTime: (facts: PaymentFacts & { readonly answering: RecordAnswer }) => string
  readonly additionalInformation: (
    facts: PaymentFacts & { readonly reason: ReasonCode; readonly answering: RecordAnswer },
  ) => string | undefined
  /** The status record, member by member, in order; members without a value are left out. */
  readonly paymentBody: (
    facts: PaymentFacts & {
      readonly answering: RecordAnswer
      readonly statusDateTime: string
      readonly additionalInformation: string | undefined
    },
  ) => Readonly<Record<string, unknown>>
}

const SETTLEMENT = 30 * SECOND

/** The local hour at which payments with a date are executed. */
const EXECUTION_HOUR = 6

const EXPLANATIONS: Readonly<Record<ReasonCode, string>> = {
  AC01: 'The account number of the debtor or of the creditor is not correct.',
  AC04: 'The account has been closed.',
  AG01: 'Payments are not allowed from this type of account.',
  AM03: 'The currency cannot be processed.',
  AM04: 'The available funds do not cover the amount.',
  AM05: 'An order with this instructionIdentification has been received before.',
  AM09: 'The amount is not the amount agreed.',
  AM10: 'The instructed amounts do not add up to the control sum.',
  DT01: 'The date is not one on which the payment can be executed.',
  MS03: 'The payment was rejected. Please contact the bank.',
  RC01: 'The bank identifier code is not in the format of ISO 9362.',
  RR03: 'The name or the address of the creditor is missing.',
  TM01: 'The order came after the cut-off time.',
}

export const paymentRules: PaymentRules = {
  newOrderId: () => randomBytes(16).toString('hex').toUpperCase(),
  statusAfterInitiation: ({ cause }) => (cause === undefined ? 'ACTC' : 'RJCT'),
  mayBeAuthorized: ({ payment, client }) => payment.clientId === client.clientId && payment.status === 'ACTC',
  mayAuthorize: ({ payment, customer }) =>
    customer.accounts.some(({ iban }) => iban === payment.order.debtor.iban),
  decisionAuthorizes: ({ decision }) => decision === 'grant',
  // The customer may decide again.
  outcomeOfDenial: ({ payment }) => ({ status: payment.status }),
  orderSubmitted: ({ token }) => token.orderId,
  mayBeSubmitted: ({ payment }) => payment.status === 'ACTC',
  statusAfterSubmission: ({ cause, executionDay, now }) => {
    if (cause !== undefined) return 'RJCT'
    return executionDay > bankDay(now) ? 'PDNG' : 'ACSP'
  },
  nextMove: ({ payment: { status }, executionDay, now }) => {
    if (status === 'ACSP') return { at: new Date(now.getTime() + SETTLEMENT), status: 'ACSC' }
    if (status === 'PDNG') return { at: atHour(executionDay, EXECUTION_HOUR), status: 'ACSC' }
    return undefined
  },
  // The amount of a payment in process is reserved; that of a payment with a later date is not.
  outcomeOfMove: ({ payment, move: { status }, total, funds }) =>
    payment.status === 'PDNG' && total > funds ? { status: 'RJCT', cause: 'AM04' } : { status },
  isBooked: ({ payment, status }) => status === 'ACSC' && payment.status !== 'ACSC',
  statusTime: ({ payment, now }) => new Date(Math.max(now.getTime(), payment.statusAt.getTime() + 1)),
  reportedReason: ({ cause }) => cause,

  mayInitiate: ({ token }) => token.orderId === undefined,
  maySeePayment: ({ payment, token }) => payment.clientId === token.clientId,
  initiationStatus: () => 201,
  submissionStatus: () => 200,
  statusDateTime: ({ payment }) => localDateTime(payment.statusAt),
  additionalInformation: ({ reason }) => EXPLANATIONS[reason],
  paymentBody: ({ payment, statusDateTime, additionalInformation }) => ({
    orderId: payment.orderId,
    status: payment.status,
    reasonCode: payment.reason,
    additionalInformation,
    statusDateTime,
  }),
}

export type PaymentGrantType = 'client_credentials' | 'authorization_code'

interface IssueFacts extends ClientFacts {
  readonly grantType: PaymentGrantType
  /** The payment that a customer has authorized, if any. */
  readonly orderId: string | undefined
}

interface IssuedFacts extends Facts {
  readonly token: PaymentToken
}

export interface PaymentTokenRules {
  readonly paymentGrantTypeIsAccepted: (facts: ClientFacts & { readonly grantType: string }) => boolean
  /** Whether this scope is for payments; undefined if the request has none. */
  readonly paymentScopeIsAccepted: (facts: ClientFacts & { readonly scope: string | undefined }) => boolean
  readonly newPaymentToken: (facts: IssueFacts) => string
  /** In ms. */
  readonly paymentTokenLifetime: (facts: IssueFacts) => number
  readonly paymentTokenBody: (
    facts: IssueFacts & { readonly value: string; readonly lifetime: number },
  ) => Readonly<Record<string, unknown>>
  /** The token in the Authorization header; undefined if there is none. */
  readonly paymentTokenCarried: (facts: Facts & { readonly header: string | undefined }) => string | undefined
  readonly paymentTokenIsFresh: (facts: IssuedFacts) => boolean
  readonly paymentTokenIsRevoked: (facts: IssuedFacts & { readonly revokedAt: Date | undefined }) => boolean
  /** Uses the token of one payment, and returns whether it was unused. Atomic, like `redeemsCode`. */
  readonly redeemsPaymentToken: (
    facts: IssuedFacts & { readonly redemptions: Set<string> },
  ) => Awaitable<boolean>
}

export const PAYMENT_SCOPE = 'PISP'

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i

export const paymentTokenRules: PaymentTokenRules = {
  paymentGrantTypeIsAccepted: ({ grantType }) =>
    grantType === 'client_credentials' || grantType === 'authorization_code',
  paymentScopeIsAccepted: ({ scope }) => scope === PAYMENT_SCOPE,
  newPaymentToken: newSecret,
  paymentTokenLifetime: ({ grantType }) => (grantType === 'client_credentials' ? HOUR : 5 * MINUTE),
  paymentTokenBody: ({ value, lifetime }) => ({
    access_token: value,
    token_type: 'Bearer',
    expires_in: Math.floor(lifetime / SECOND),
    scope: PAYMENT_SCOPE,
  }),
  paymentTokenCarried: ({ header }) => (header === undefined ? undefined : BEARER.exec(header)?.[1]),
  paymentTokenIsFresh: ({ token, now }) => now < token.expiresAt,
  paymentTokenIsRevoked: ({ revokedAt }) => revokedAt !== undefined,
  redeemsPaymentToken: ({ token, redemptions }) => {
    if (redemptions.has(token.value)) return false
    redemptions.add(token.value)
    return true
  },
}
