import { days } from '../../harness/check/index.ts'
import type { Session, TokenSet } from '../../harness/check/index.ts'

/** The lifetime of tokens, and how a scenario comes to its end. */

const MINUTE = days(1) / (24 * 60)

/** In ms: an hour, by which 90 days of a calendar may be shorter or longer, and a minute for what requests take. */
export const MARGIN = 61 * MINUTE

/** In ms. */
export const LIFETIME = days(90)

/** A look that comes too late for "less an hour" must not be taken for one. */
export const SLACK = MARGIN - 2 * MINUTE

/** Waits until what an exchange issued has that age, in ms. Another scenario may have moved a shared clock before. */
export const reach = (
  { clock }: Session,
  { sentAt }: Pick<TokenSet['exchange'], 'sentAt'>,
  age: number,
  slackMs?: number,
): Promise<void> => clock.pass(Math.max(0, Date.parse(sentAt) + age - clock.now().getTime()), slackMs)
