/** The records of payments. They are replaced, never changed. */
import type { Recorded } from '../base-paths.ts'

/** The ISO 20022 codes that the interface uses. */
export type PaymentStatus = 'ACTC' | 'ACSP' | 'ACSC' | 'PDNG' | 'RJCT'

/** The causes of a rejection, in the order of the interface (Errors, 6). */
export type ReasonCode =
  | 'AC01'
  | 'AC04'
  | 'AG01'
  | 'AM03'
  | 'AM04'
  | 'AM05'
  | 'AM09'
  | 'AM10'
  | 'DT01'
  | 'MS03'
  | 'RC01'
  | 'RR03'
  | 'TM01'

/** The methods of initiation: immediate, on a date, and a batch of transfers. */
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

export interface Transfer {
  readonly creditor: Creditor
  readonly instructed: Money
  readonly endToEndIdentification: string | undefined
  readonly remittanceInformation: string | undefined
}

export interface Order {
  readonly method: Method
  readonly instructionIdentification: string
  readonly createdAt: Date
  readonly debtor: Debtor
  /** One transfer, except for a batch. */
  readonly transfers: readonly Transfer[]
  readonly agreed: Money | undefined
  /** In hundredths of the currency. */
  readonly controlSum: number | undefined
  /** A calendar day like 2026-01-05; default: today. */
  readonly requestedDate: string | undefined
}

export interface Payment extends Recorded {
  readonly orderId: string
  readonly clientId: string
  readonly order: Order
  readonly status: PaymentStatus
  /** The reason of the rejection; undefined if it is not rejected. */
  readonly reason: ReasonCode | undefined
  readonly initiatedAt: Date
  /** The time of its status. */
  readonly statusAt: Date
}

/** A token of the payment operations: of an application, or of one payment that its customer has authorized. */
export interface PaymentToken extends Recorded {
  readonly value: string
  readonly clientId: string
  /** The id for a revocation: the customer's grant, or an id of the token itself. */
  readonly grantId: string
  /** The payment that a customer has authorized, if any. */
  readonly orderId: string | undefined
  readonly issuedAt: Date
  readonly expiresAt: Date
}
