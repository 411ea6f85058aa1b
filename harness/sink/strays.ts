import { randomBytes } from 'node:crypto'
import { exchangeOf } from './inbox.ts'
import type { Journal } from '../evidence/journal.ts'
import type { Redactor } from '../evidence/redaction.ts'
import type { Hear } from './sink.ts'

/**
 * Calls at addresses of the sink that nobody was told: of a target that calls the wrong one, or of whoever looks around.
 * They are in the evidence, and no scenario hears of them.
 */

export const STRAY = 'stray'

/** Whoever looks around at length fills no disk. */
const MOST = 100

export interface StrayOptions {
  readonly journal: Journal
  readonly redactor: Redactor
}

export const strayKeeper = ({ journal, redactor }: StrayOptions): Hear => {
  // Several sinks write into the same evidence, at once and one after the other.
  const own = randomBytes(4).toString('hex')
  let count = 0
  return (arrival) => {
    if (count >= MOST) return
    count += 1
    journal.write(
      { ...exchangeOf(arrival, `${STRAY}/${own}/${count}`, new Date()), operation: STRAY },
      redactor,
    )
  }
}
