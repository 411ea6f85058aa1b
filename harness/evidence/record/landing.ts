import type { Exchange } from '../exchange.ts'

/**
 * The end of an authorization. `redirect`: the browser was sent out of the bank, to the application. `result-
 * screen`: the bank shows a code. `page`: the bank shows something else, such as an error. `fault`: there was no
 * answer. If a person authorized, no page was seen, and a judge that needs one gets NotReached.
 */
export interface Landing {
  readonly kind: 'landing'
  readonly outcome: 'redirect' | 'result-screen' | 'page' | 'fault'
  /** The last exchange, whose response ended it. */
  readonly exchange: Exchange
  /** The address of the redirect. It was not requested. */
  readonly redirect?: string
  readonly code?: string
  /** The pages of the recipe on which the customer acted, by index, in order. */
  readonly acted: readonly number[]
  /** What the customer decided; `unasked` if no page offered a refusal. */
  readonly decision: 'granted' | 'denied' | 'unasked'
  /** The bank showed the same page again: what was typed was not accepted. */
  readonly isAskedAgain?: true
  /** Only a person saw how the code came: on a page of the bank, or in a redirect. */
  readonly isCodeAlone?: true
}

export const isLanding = (value: unknown): value is Landing =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'landing'

export const isExchange = (value: unknown): value is Exchange =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'exchange'
