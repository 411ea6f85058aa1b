import { headerOf, type Exchange } from './exchange.ts'

/** How far the target's clock is ahead of this machine's, in ms: the bounds that the Date headers of its answers give. */
export interface ClockOffset {
  readonly least: number
  readonly most: number
}

/** A Date header is cut to the second. */
const RESOLUTION_MS = 1_000

/** The answer was made at some moment between the request and its arrival here. */
const boundsIn = ({ sender, sentAt, durationMs, response }: Exchange): readonly ClockOffset[] => {
  if (sender === 'target' || response === undefined) return []
  const date = Date.parse(headerOf(response.headers, 'date') ?? '')
  const sent = Date.parse(sentAt)
  return Number.isNaN(date) ? [] : [{ least: date - sent - durationMs, most: date + RESOLUTION_MS - sent }]
}

/** The bounds that hold for all answers. Undefined where there are none, because the clock was set in between. */
export const clockOffsetOf = (exchanges: Iterable<Exchange>): ClockOffset | undefined => {
  let least = Number.NEGATIVE_INFINITY
  let most = Number.POSITIVE_INFINITY
  for (const exchange of exchanges)
    for (const bound of boundsIn(exchange)) {
      least = Math.max(least, bound.least)
      most = Math.min(most, bound.most)
    }
  // Without any answer both are still infinite.
  const isKnown = Number.isFinite(least) && least <= most
  return isKnown ? { least: Math.round(least), most: Math.round(most) } : undefined
}
