import { fieldOf, isAccepted, jsonOf, need } from '../evidence/record/answer.ts'
import type { Exchange } from '../evidence/exchange.ts'
import { unchanged, type Change } from './http/request.ts'
import type { TargetClock } from './clock.ts'

/** The token of an application itself, with which it initiates payments or files loan applications. */

interface HeldToken {
  readonly value: string
  /** When a new one must be requested, by the target's clock. */
  readonly until: Date
  /** When it is no longer valid. */
  readonly ends: Date
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
export const heldToken = (exchange: Exchange, at: Date): HeldToken => {
  const lifetime = statedLifetime(exchange) ?? LIFETIME_MS
  const after = (ms: number): Date => new Date(at.getTime() + ms)
  return { value: tokenIn(exchange), until: after(lifetime * USED_PART), ends: after(lifetime) }
}

/** @param first the answer with the first token. @param ask requests another one. */
export const keepToken = (
  first: Exchange,
  clock: TargetClock,
  ask: (change: Change) => Promise<Exchange>,
) => {
  let latest = { answer: first, at: clock.now() }
  const held = (): HeldToken => heldToken(latest.answer, latest.at)

  const renew = async (change = unchanged): Promise<Exchange> => {
    const answer = await ask(change)
    if (answer.response !== undefined && isAccepted(answer)) latest = { answer, at: clock.now() }
    return answer
  }

  return {
    /** Requests another token, and uses it from then on if the target gives one. */
    renew,
    /** The token; a new one if it may have expired. @throws NotReached if there is none. */
    value: async () => {
      if (clock.now() < held().until) return held().value
      const answer = await renew()
      // Without a new token, the old one is used for the rest of its life.
      return clock.now() < held().ends ? held().value : tokenIn(answer)
    },
  }
}
