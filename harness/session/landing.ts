import type { Exchange } from '../evidence/exchange.ts'

/**
 * Where an authorization ended. `redirect`: the browser was sent out of the bank, to the application. `result-screen`:
 * the bank shows a code. `page`: the bank shows something else, such as an error. `fault`: no answer came. Of an
 * authorization that a person has carried out no page was seen: a judge who looks for one is told so.
 */
export interface Landing {
  readonly kind: 'landing'
  readonly outcome: 'redirect' | 'result-screen' | 'page' | 'fault'
  /** The last exchange, whose response ended it. */
  readonly exchange: Exchange
  /** Where a redirect led. It was not requested. */
  readonly redirect?: string
  readonly code?: string
  /** Which of the recipe's pages the customer acted on, in order. */
  readonly acted: readonly number[]
  /** What the customer answered; `unasked` where no page with a button to refuse came before the end. */
  readonly decision: 'granted' | 'denied' | 'unasked'
  /** The bank showed the page again that the customer had just acted on: what was typed was not taken. */
  readonly isAskedAgain?: true
  /** Nobody but a person saw how the code came: on a page of the bank, or with a redirect. */
  readonly isCodeAlone?: true
}

export const isLanding = (value: unknown): value is Landing =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'landing'

export const isExchange = (value: unknown): value is Exchange =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'exchange'
