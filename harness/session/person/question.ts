import type { Handover } from '../../evidence/exchange.ts'
import type { Decision } from '../customer.ts'

/** What a person is asked to do, and what came of it. Plain data: it crosses threads. */

export interface Question {
  /** Of the exchange that is to come of it: its scenario, and its number there. */
  readonly id: string
  /** The authorization request, to be opened in a browser. */
  readonly link: string
  /** Who is to log in, by the profile's own label. */
  readonly customer: string
  readonly decision: Decision
  /** Where the bank sends the customer at the end. */
  readonly redirectUri: string
  /** Whether the bank shows the code there, on a page of its own. */
  readonly isShown: boolean
}

/** What they brought back, or why nobody did. */
export type Reply = { readonly handover: Handover } | { readonly because: string }

/** Asks a person. Resolves when they have answered, or nobody will. */
export type Ask = (question: Question, ends: AbortSignal | undefined) => Promise<Reply>
