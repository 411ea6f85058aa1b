import { headerOf } from '../evidence/exchange.ts'
import { TOO_MANY_REQUESTS } from './answer.ts'
import type { Exchange } from '../evidence/exchange.ts'

/** A target that is asked too much may say so; whoever asks then waits, instead of taking it for an answer. */

const UNAVAILABLE = 503

const FIRST_PAUSE_MS = 1_000

/** How often one request is sent again before it is given up. */
const MOST_REPEATS = 3
/** Nobody is left alone for longer than that. */
const LONGEST_PAUSE_MS = 60_000

/** A number of seconds, or a date by the target's own clock (RFC 9110 §10.2.3). */
const retryAfter = ({ response }: Exchange): number | undefined => {
  const { headers = [] } = response ?? {}
  const text = headerOf(headers, 'Retry-After')?.trim()
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const [until, now] = [Date.parse(text), Date.parse(headerOf(headers, 'Date') ?? '')]
  return Number.isNaN(until) || Number.isNaN(now) ? undefined : Math.max(0, until - now)
}

/**
 * How long the target wants to be left alone, in ms; nothing where it does not ask for it. A 429 always does
 * (RFC 6585 §4); a 503 that names no time is a breakdown like any other.
 * @param repeats how often the request was sent again already: each pause that is not named is twice the one before.
 */
export const pauseAfter = (exchange: Exchange, repeats: number): number | undefined => {
  const status = exchange.response?.status
  const named = retryAfter(exchange)
  if (status === TOO_MANY_REQUESTS) return named ?? FIRST_PAUSE_MS * 2 ** repeats
  return status === UNAVAILABLE ? named : undefined
}

/** A request that was turned away has done nothing, so that it may be sent again, whatever it does. */
export const patiently = async (
  send: () => Promise<Exchange>,
  pause: (ms: number) => Promise<void>,
): Promise<Exchange> => {
  for (let repeats = 0; ; repeats += 1) {
    const exchange = await send()
    const ms = pauseAfter(exchange, repeats)
    if (ms === undefined || repeats === MOST_REPEATS || ms > LONGEST_PAUSE_MS) return exchange
    await pause(ms)
  }
}
