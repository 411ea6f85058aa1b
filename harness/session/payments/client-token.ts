import { fieldOf, jsonOf, need } from '../../evidence/record/answer.ts'
import type { Exchange } from '../../evidence/exchange.ts'

/** The token that an application initiates payments with, as long as it is good. */

export interface HeldToken {
  readonly value: string
  /** When another one is to be asked for, by the target's clock. */
  readonly until: Date
}

/** Of a lifetime that nobody tells, this much is sure enough. */
const LIFETIME_MS = 5 * 60 * 1000
/** A token is not used in the last moments of its life. */
const USED_PART = 0.8

/** @throws NotReached where the answer carries no token. */
export const tokenIn = (exchange: Exchange): string =>
  need(exchange, fieldOf(jsonOf(exchange), 'access_token'), 'an access_token')

/** How long the token of an answer lives, in ms, as far as the answer tells it: expires_in, in seconds (RFC 6749 §5.1). */
export const statedLifetime = (exchange: Exchange): number | undefined => {
  const told = Number(fieldOf(jsonOf(exchange), 'expires_in'))
  return told > 0 ? told * 1000 : undefined
}

/** @throws NotReached where the answer carries no token. */
export const heldToken = (exchange: Exchange, now: Date): HeldToken => {
  const lifetime = statedLifetime(exchange) ?? LIFETIME_MS
  return { value: tokenIn(exchange), until: new Date(now.getTime() + lifetime * USED_PART) }
}
