import { fieldOf, jsonOf, need } from './answer.ts'
import type { Exchange } from '../evidence/exchange.ts'

/** The token that an application initiates payments with, as long as it is good. */

export interface HeldToken {
  readonly value: string
  /** When another one is to be asked for, by the target's clock. */
  readonly until: Date
}

/** Of a lifetime that nobody tells, this much is sure enough. */
const LIFETIME_S = 5 * 60
/** A token is not used in the last moments of its life. */
const USED_PART = 0.8

/** @throws NotReached where the answer carries no token. */
export const heldToken = (exchange: Exchange, now: Date): HeldToken => {
  const value = need(exchange, fieldOf(jsonOf(exchange), 'access_token'), 'an access_token')
  const told = Number(fieldOf(jsonOf(exchange), 'expires_in'))
  const lifetime = (told > 0 ? told : LIFETIME_S) * 1000 * USED_PART
  return { value, until: new Date(now.getTime() + lifetime) }
}
