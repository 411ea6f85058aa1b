import { readFileSync } from 'node:fs'
import { headerOf } from '../evidence/exchange.ts'
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
export const clockOffsetOf = (exchanges: readonly Exchange[]): Offset | undefined => {
  const bounds = exchanges.flatMap(boundsIn)
  if (bounds.length === 0) return undefined
  const least = bounds.reduce((most, one) => Math.max(most, one.least), Number.NEGATIVE_INFINITY)
  const most = bounds.reduce((least, one) => Math.min(least, one.most), Number.POSITIVE_INFINITY)
  return least > most ? undefined : { least: Math.round(least), most: Math.round(most) }
}

/** @param evidence the file that a run has written its exchanges into. */
export const clockOffsetIn = (evidence: string): Offset | undefined =>
  clockOffsetOf(
    readFileSync(evidence, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Exchange),
  )
