import { fieldOf, jsonOf, need } from '../../evidence/record/answer.ts'
import type { Exchange } from '../../evidence/exchange.ts'

/** The token with which an application initiates payments. */

interface HeldToken {
  readonly value: string
  /** When a new one must be requested, by the target's clock. */
  readonly until: Date
}

/** Used if the answer has no expires_in. */
const LIFETIME_MS = 5 * 60 * 1000
/** A token is not used in the last moments of its life. */
const USED_PART = 0.8

/** @throws NotReached if the answer has no token. */
export const tokenIn = (exchange: Exchange): string =>
  need(exchange, fieldOf(jsonOf(exchange), 'access_token'), 'an access_token')

/** The lifetime of the token in an answer, in ms: expires_in, in seconds (RFC 6749 §5.1); undefined if it has none. */
export const statedLifetime = (exchange: Exchange): number | undefined => {
  const seconds = Number(fieldOf(jsonOf(exchange), 'expires_in'))
  return seconds > 0 ? seconds * 1000 : undefined
}

/** @throws NotReached if the answer has no token. */
export const heldToken = (exchange: Exchange, now: Date): HeldToken => {
  const lifetime = statedLifetime(exchange) ?? LIFETIME_MS
  return { value: tokenIn(exchange), until: new Date(now.getTime() + lifetime * USED_PART) }
}
