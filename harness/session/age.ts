import { days } from './session.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Session } from './session.ts'

/** How a scenario comes to the end of what the target has issued. */

const MINUTE = days(1) / (24 * 60)

/** For how long the tokens for accounts live, in ms (interface.md, "Token response"). */
export const LIFETIME = days(90)

/** In ms: an hour, by which 90 days of a calendar may be shorter or longer, and a minute for what requests take. */
export const MARGIN = 61 * MINUTE

/** In ms: a look that comes too late for "less an hour" must not be taken for one. */
export const SLACK = MARGIN - 2 * MINUTE

/**
 * Waits until what an answer has issued has that age, in ms. Another scenario may have moved a shared clock before.
 * @param slackMs how much later it may become; any time, if it is left out.
 */
export const reachAge = (
  { clock }: Pick<Session, 'clock'>,
  { sentAt, durationMs }: Pick<Exchange, 'sentAt' | 'durationMs'>,
  age: number,
  slackMs?: number,
): Promise<void> =>
  clock.pass(Math.max(0, Date.parse(sentAt) + Math.ceil(durationMs) + age - clock.now().getTime()), slackMs)
