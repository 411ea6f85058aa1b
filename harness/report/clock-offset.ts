import { headerOf } from '../evidence/exchange.ts'
import { exchangesOf } from './evidence-lines.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Report } from './schema.ts'

/** How far the target's clock is ahead of this machine's, as the Date headers of its answers bound it. */

type Offset = NonNullable<Report['target']['clockOffsetMs']>

/** A Date header is cut to the second. */
const RESOLUTION_MS = 1_000

/** The answer was made at some moment between the request and its arrival here. */
const boundsIn = ({ sender, sentAt, durationMs, response }: Exchange): readonly Offset[] => {
  if (sender === 'target' || response === undefined) return []
  const date = Date.parse(headerOf(response.headers, 'date') ?? '')
  const sent = Date.parse(sentAt)
  return Number.isNaN(date) ? [] : [{ least: date - sent - durationMs, most: date + RESOLUTION_MS - sent }]
}

/** What all answers agree on; nothing where they do not, since a clock was set in between. */
export const clockOffsetOf = (exchanges: Iterable<Exchange>): Offset | undefined => {
  let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const exchange of exchanges)
    for (const bound of boundsIn(exchange)) {
      least = Math.max(least, bound.least)
      most = Math.min(most, bound.most)
    }
  // Without any answer they are as far apart as they were.
  const isKnown = Number.isFinite(least) && least <= most
  return isKnown ? { least: Math.round(least), most: Math.round(most) } : undefined
}

/** @param evidence the file that a run has written its exchanges into. */
export const clockOffsetIn = (evidence: string): Offset | undefined => clockOffsetOf(exchangesOf(evidence))
