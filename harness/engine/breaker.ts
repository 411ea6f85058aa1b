import { renderFault } from '../evidence/fault.ts'
import { Inconclusive } from '../evidence/signals.ts'
import type { Exchange, Fault } from '../evidence/exchange.ts'

/** Ends the run on a target that has stopped answering, instead of waiting for each timeout. */
export interface Breaker {
  /** @throws Inconclusive after too many scenarios without an answer. */
  admit(): void
  /** Counts a scenario that has ended, by its exchanges. */
  record(exchanges: readonly Exchange[]): void
}

/** So many scenarios in a row without an answer end the run. */
export const MOST_SILENT = 5

/** Faults without an answer. */
const SILENCE: ReadonlySet<Fault['kind']> = new Set(['unresolved', 'refused', 'tls', 'timeout', 'reset'])

const silenceIn = (exchanges: readonly Exchange[]): Fault | undefined =>
  exchanges.every(({ fault }) => fault !== undefined && SILENCE.has(fault.kind))
    ? exchanges.at(-1)?.fault
    : undefined

export const createBreaker = (mostSilent = MOST_SILENT): Breaker => {
  let silent = 0
  let last: Fault | undefined
  return {
    admit() {
      if (silent < mostSilent || last === undefined) return
      throw new Inconclusive(
        `not started: ${silent} scenarios in a row had no answer from the target, the last one because ${renderFault(last)}`,
      )
    },
    record(exchanges) {
      // A scenario that has sent nothing shows nothing.
      if (exchanges.length === 0) return
      last = silenceIn(exchanges)
      silent = last === undefined ? 0 : silent + 1
    },
  }
}
