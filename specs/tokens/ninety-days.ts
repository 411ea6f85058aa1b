import { days } from '../../harness/check/index.ts'
import type { Session, TokenSet } from '../../harness/check/index.ts'

/** The lifetime of tokens, and how a scenario comes to its end. */

/** In ms. */
export const HOUR = days(1) / 24

/** In ms. */
export const LIFETIME = days(90)

/** A look that comes too late for "less an hour" must not be taken for one. */
export const SLACK = HOUR - days(1) / (24 * 60)

/** Waits until what an exchange issued has that age, in ms. Another scenario may have moved a shared clock before. */
export const reach = (
  { clock }: Session,
  { sentAt }: Pick<TokenSet['exchange'], 'sentAt'>,
  age: number,
  slackMs?: number,
): Promise<void> => clock.pass(Math.max(0, Date.parse(sentAt) + age - clock.now().getTime()), slackMs)
