/** What the bank knows of payments. Like all records they are replaced, never altered. */
import type { EnvironmentName } from '../base-paths.ts'

/** ISO 20022, as far as the interface goes. */
export type PaymentStatus = 'ACTC' | 'ACSP' | 'ACSC' | 'PDNG' | 'RJCT'

/** Why a payment is rejected, in the order of the interface (Errors, 6). */
export const REASON_CODES = [
  'AC01',
  'AC04',
  'AG01',
  'AM03',
  'AM04',
  'AM05',
  'AM09',
  'AM10',
  'DT01',
  'MS03',
  'RC01',
  'RR03',
  'TM01',
] as const

export type ReasonCode = (typeof REASON_CODES)[number]

/** The ways to initiate: at once, on a date, and several transfers in one. */
export type Method = 'ecomm' | 'standard' | 'batch'

export interface Money {
  /** In hundredths of the currency. */
  readonly amount: number
  readonly currency: string
}

export interface Debtor {
  readonly name: string
  readonly iban: string
}

export interface Creditor {
  readonly name: string | undefined
  readonly iban: string
  readonly bic: string | undefined
  readonly address: string | undefined
}

/** Money for one creditor. */
export interface Transfer {
  readonly creditor: Creditor
  readonly instructed: Money
  readonly endToEndIdentification: string | undefined
  readonly remittanceInformation: string | undefined
}

/** What an application asks for. */
export interface Order {
  readonly method: Method
  readonly instructionIdentification: string
  readonly createdAt: Date
  readonly debtor: Debtor
  /** One, but for a batch. */
  readonly transfers: readonly Transfer[]
  readonly agreed: Money | undefined
  /** In hundredths of the currency. */
  readonly controlSum: number | undefined
  /** A calendar day like 2026-01-05; today, if it is left out. */
  readonly requestedDate: string | undefined
}

interface Recorded {
  readonly environment: EnvironmentName
}

export interface Payment extends Recorded {
  readonly orderId: string
  readonly clientId: string
  readonly order: Order
  readonly status: PaymentStatus
  /** Why it is rejected; nothing while it is not. */
  readonly reason: ReasonCode | undefined
  readonly initiatedAt: Date
  /** Since when it has its status. */
  readonly statusAt: Date
}

/** Opens the payment operations: of an application, or of one payment that its customer has authorized. */
export interface PaymentToken extends Recorded {
  readonly value: string
  readonly clientId: string
  /** What a revocation names: the customer's grant, or a name of the token's own. */
  readonly grantId: string
  /** The payment that a customer has authorized; nothing if none has. */
  readonly orderId: string | undefined
  readonly issuedAt: Date
  readonly expiresAt: Date
}
