import type { Exchange } from '../evidence/exchange.ts'
import type { Landing } from './landing.ts'

/** What the customer's authorization of one payment came to. */
export interface PaymentAuthorization {
  readonly orderId: string
  readonly landing: Landing
  /** The exchange of its code, where one was given and is of use. */
  readonly exchange?: Exchange
  /** What the payment is submitted with. */
  readonly token?: string
  /** Whether all that the submission needs has come about. A submission without a token of its own needs no code. */
  readonly isComplete: boolean
}

/** Names the payment where a text of the profile leaves a place for it. */
export const withOrder = (text: string, orderId: string): string =>
  text.replaceAll('{orderId}', () => orderId)

/** The bank knows of the grant by itself, and sends the customer back without a code. */
export const isSentBackGranted = ({ decision, outcome, redirect }: Landing): boolean =>
  decision === 'granted' &&
  outcome === 'redirect' &&
  redirect !== undefined &&
  !new URL(redirect).searchParams.has('error')
