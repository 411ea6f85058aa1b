import { headerOf, type Effect, type Exchange } from '../../../evidence/exchange.ts'
import { TOO_MANY_REQUESTS } from '../../../evidence/record/answer-kind.ts'
import { mayActTwice } from '../repeatable.ts'
import type { Layer } from './layer.ts'

/** Waits. @param status the answer that asked for it, if one did. */
export type Pause = (ms: number, status?: number) => Promise<void>

const UNAVAILABLE = 503

export const FIRST_PAUSE_MS = 1_000

/** How often one request is retried. */
const MOST_REPEATS = 3
/** The longest pause, in ms. */
const LONGEST_PAUSE_MS = 60_000

/** The Retry-After header in ms: a number of seconds, or a date by the target's clock (RFC 9110 §10.2.3). */
const retryAfter = ({ response }: Exchange): number | undefined => {
  const { headers = [] } = response ?? {}
  const text = headerOf(headers, 'Retry-After')?.trim()
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const [until, now] = [Date.parse(text), Date.parse(headerOf(headers, 'Date') ?? '')]
  return Number.isNaN(until) || Number.isNaN(now) ? undefined : Math.max(0, until - now)
}

/**
 * How long to wait before a retry, in ms; undefined if the answer does not ask for one. A 429 always does (RFC 6585
 * §4); a 503 without Retry-After is a server error like any other.
 * @param repeats how many retries there were: a pause without Retry-After doubles each time.
 */
export const backOffMs = (exchange: Exchange, repeats: number): number | undefined => {
  const status = exchange.response?.status
  const named = retryAfter(exchange)
  if (status === TOO_MANY_REQUESTS) return named ?? FIRST_PAUSE_MS * 2 ** repeats
  return status === UNAVAILABLE ? named : undefined
}

export interface BackOff {
  /** Without it, a 429 is the target's answer. */
  readonly pause?: Pause
  /** The effects that a repeated request has once, as the profile says. */
  readonly idempotent?: readonly Effect[]
}

/**
 * Waits as the target asks for, and sends the request again. One that could pay or apply a second time is not sent again,
 * since a gateway may ask for a pause after the bank has processed it.
 */
export const backingOff =
  ({ pause, idempotent = [] }: BackOff): Layer =>
  async (sending, next) => {
    if (pause === undefined) return next(sending)
    const isOnce = mayActTwice(sending.request) && !idempotent.includes(sending.effect)
    for (let repeats = 0; ; repeats += 1) {
      const exchange = await next(sending)
      const ms = backOffMs(exchange, repeats)
      if (ms === undefined || repeats === MOST_REPEATS || ms > LONGEST_PAUSE_MS) return exchange
      await pause(ms, exchange.response?.status)
      if (isOnce) return exchange
    }
  }
