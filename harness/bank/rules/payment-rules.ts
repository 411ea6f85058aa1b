/** A payment: its id, its statuses and their changes, its record and the access to it. */
import { randomBytes } from '../random.ts'
import { atHour, bankDay, localDateTime } from './payment-calendar.ts'
import type { Payment, PaymentStatus, PaymentToken, ReasonCode } from './payment.ts'
import type { Client, Customer } from '../seed-data.ts'
import type { Grant } from '../state.ts'
import {
  bearerIn,
  type Awaitable,
  type ClientFacts,
  type Facts,
  HOUR,
  MINUTE,
  newSecret,
  SECOND,
  rule,
} from './facts.ts'
import type { OrderFacts, Stage } from './payment-order-rules.ts'

export interface PaymentFacts extends Facts {
  readonly payment: Payment
}

export type RecordAnswer = Stage | 'status'

export interface TokenFacts extends ClientFacts {
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

export const paymentRules = {
  /** At most 35 characters, and unique among all payments. */
  newOrderId: rule<ClientFacts & { readonly payments: ReadonlyMap<string, Payment> }, Awaitable<string>>(() =>
    randomBytes(16).toString('hex').toUpperCase(),
  ),
  /** The first status, given the cause of a rejection if there is one. */
  statusAfterInitiation: rule<OrderFacts & { readonly cause: ReasonCode | undefined }, PaymentStatus>(
    ({ cause }) => (cause === undefined ? 'ACTC' : 'RJCT'),
  ),
  /** Whether the payment waits for its authorization. */
  mayBeAuthorized: rule<PaymentFacts & ClientFacts>(
    ({ payment, client }) => payment.clientId === client.clientId && payment.status === 'ACTC',
  ),
  /** Whether this customer can authorize it. */
  mayAuthorize: rule<PaymentFacts & ClientFacts & { readonly customer: Customer }>(({ payment, customer }) =>
    customer.accounts.some(({ iban }) => iban === payment.order.debtor.iban),
  ),
  /** Whether the customer's decision authorizes it. */
  decisionAuthorizes: rule<PaymentFacts & ClientFacts & { readonly decision: 'grant' | 'deny' }>(
    ({ decision }) => decision === 'grant',
  ),
  /** The status after a denial by the customer. */
  // The customer may decide again.
  outcomeOfDenial: rule<PaymentFacts & ClientFacts, Outcome>(({ payment }) => ({ status: payment.status })),
  /** The payment that a token submits; undefined if there is none. `body` is the JSON of the request, if it has any. */
  orderSubmitted: rule<
    TokenFacts & {
      readonly client: Client
      readonly payments: ReadonlyMap<string, Payment>
      readonly grants: ReadonlyMap<string, Grant>
      readonly body: unknown
    },
    string | undefined
  >(({ token }) => token.orderId),
  /** Whether a payment in this status can be submitted. */
  mayBeSubmitted: rule<PaymentFacts & TokenFacts, Awaitable<boolean>>(
    ({ payment }) => payment.status === 'ACTC',
  ),
  /** The status after the submission, given the cause of a rejection if there is one. */
  statusAfterSubmission: rule<
    OrderFacts & { readonly payment: Payment; readonly cause: ReasonCode | undefined },
    PaymentStatus
  >(({ cause, executionDay, now }) => {
    if (cause !== undefined) return 'RJCT'
    return executionDay > bankDay(now) ? 'PDNG' : 'ACSP'
  }),
  /** The next status change; undefined if there is none. */
  nextMove: rule<PaymentFacts & { readonly executionDay: string }, Move | undefined>(
    ({ payment: { status }, executionDay, now }) => {
      if (status === 'ACSP') return { at: new Date(now.getTime() + SETTLEMENT), status: 'ACSC' }
      if (status === 'PDNG') return { at: atHour(executionDay, EXECUTION_HOUR), status: 'ACSC' }
      return undefined
    },
  ),
  /** The outcome of a status change when it is due. `total` is the debit, `funds` the available amount, in hundredths. */
  // The amount of a payment in process is reserved; that of a payment with a later date is not.
  outcomeOfMove: rule<
    PaymentFacts & { readonly move: Move; readonly total: number; readonly funds: number },
    Outcome
  >(({ payment, move: { status }, total, funds }) =>
    payment.status === 'PDNG' && total > funds ? { status: 'RJCT', cause: 'AM04' } : { status },
  ),
  isBooked: rule<PaymentFacts & { readonly status: PaymentStatus }>(
    ({ payment, status }) => status === 'ACSC' && payment.status !== 'ACSC',
  ),
  /** The reported time of a new status, different from that of the status before. */
  statusTime: rule<PaymentFacts & { readonly status: PaymentStatus }, Date>(
    ({ payment, now }) => new Date(Math.max(now.getTime(), payment.statusAt.getTime() + 1)),
  ),
  /** The reason code of a cause in the record. */
  reportedReason: rule<Facts & { readonly cause: ReasonCode; readonly stage: Stage }, ReasonCode>(
    ({ cause }) => cause,
  ),

  /** Whether a token initiates payments. */
  mayInitiate: rule<TokenFacts>(({ token }) => token.orderId === undefined),
  maySeePayment: rule<PaymentFacts & TokenFacts>(({ payment, token }) => payment.clientId === token.clientId),
  /** HTTP status of an initiation that created a payment. */
  initiationStatus: rule<PaymentFacts, number>(() => 201),
  /** HTTP status of an accepted submission. */
  submissionStatus: rule<PaymentFacts, number>(() => 200),
  statusDateTime: rule<PaymentFacts & { readonly answering: RecordAnswer }, string>(({ payment }) =>
    localDateTime(payment.statusAt),
  ),
  additionalInformation: rule<
    PaymentFacts & { readonly reason: ReasonCode; readonly answering: RecordAnswer },
    string | undefined
  >(({ reason }) => EXPLANATIONS[reason]),
  /** The status record, member by member, in order; members without a value are left out. */
  paymentBody: rule<
    PaymentFacts & {
      readonly answering: RecordAnswer
      readonly statusDateTime: string
      readonly additionalInformation: string | undefined
    },
    Readonly<Record<string, unknown>>
  >(({ payment, statusDateTime, additionalInformation }) => ({
    orderId: payment.orderId,
    status: payment.status,
    reasonCode: payment.reason,
    additionalInformation,
    statusDateTime,
  })),
}

export type PaymentGrantType = 'client_credentials' | 'authorization_code'

export interface IssueFacts extends ClientFacts {
  readonly grantType: PaymentGrantType
  /** The payment that a customer has authorized, if any. */
  readonly orderId: string | undefined
}

export interface IssuedFacts extends Facts {
  readonly token: PaymentToken
}

export const PAYMENT_SCOPE = 'PISP'

export const paymentTokenRules = {
  paymentGrantTypeIsAccepted: rule<ClientFacts & { readonly grantType: string }>(
    ({ grantType }) => grantType === 'client_credentials' || grantType === 'authorization_code',
  ),
  /** Whether this scope is for payments; undefined if the request has none. */
  paymentScopeIsAccepted: rule<ClientFacts & { readonly scope: string | undefined }>(
    ({ scope }) => scope === PAYMENT_SCOPE,
  ),
  newPaymentToken: rule<IssueFacts, string>(newSecret),
  /** In ms. */
  paymentTokenLifetime: rule<IssueFacts, number>(({ grantType }) =>
    grantType === 'client_credentials' ? HOUR : 5 * MINUTE,
  ),
  paymentTokenBody: rule<
    IssueFacts & { readonly value: string; readonly lifetime: number },
    Readonly<Record<string, unknown>>
  >(({ value, lifetime }) => ({
    access_token: value,
    token_type: 'Bearer',
    expires_in: Math.floor(lifetime / SECOND),
    scope: PAYMENT_SCOPE,
  })),
  /** The token in the Authorization header; undefined if there is none. */
  paymentTokenCarried: rule<Facts & { readonly header: string | undefined }, string | undefined>(bearerIn),
  paymentTokenIsFresh: rule<IssuedFacts>(({ token, now }) => now < token.expiresAt),
  paymentTokenIsRevoked: rule<IssuedFacts & { readonly revokedAt: Date | undefined }>(
    ({ revokedAt }) => revokedAt !== undefined,
  ),
  /** Uses the token of one payment, and returns whether it was unused. Atomic, like `redeemsCode`. */
  redeemsPaymentToken: rule<IssuedFacts & { readonly redemptions: Set<string> }, Awaitable<boolean>>(
    ({ token, redemptions }) => {
      if (redemptions.has(token.value)) return false
      redemptions.add(token.value)
      return true
    },
  ),
}
