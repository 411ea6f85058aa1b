import { renderFault } from '../evidence/fault.ts'
import { Inconclusive } from '../evidence/signals.ts'
import type { Exchange, Fault } from '../evidence/exchange.ts'

/** Gives a target up that has gone silent: what is left of a run would take hours to learn nothing. */
export interface Breaker {
  /** @throws Inconclusive once the target is given up. */
  admit(): void
  /** Tells of a scenario that has ended, by the exchanges that it came to. */
  hear(exchanges: readonly Exchange[]): void
}

/** So many scenarios in a row without an answer are enough. */
export const PATIENCE = 5

/** An answer that cannot be read was given all the same. */
const SILENCE: ReadonlySet<Fault['kind']> = new Set(['unresolved', 'refused', 'tls', 'timeout', 'reset'])

const silenceIn = (exchanges: readonly Exchange[]): Fault | undefined =>
  exchanges.every(({ fault }) => fault !== undefined && SILENCE.has(fault.kind))
    ? exchanges.at(-1)?.fault
    : undefined

export const createBreaker = (patience = PATIENCE): Breaker => {
  let silent = 0
  let last: Fault | undefined
  return {
    admit() {
      if (silent < patience || last === undefined) return
      throw new Inconclusive(
        `not begun: ${silent} scenarios in a row had no answer from the target, the last one because ${renderFault(last)}`,
      )
    },
    hear(exchanges) {
      // A scenario that has sent nothing tells nothing.
      if (exchanges.length === 0) return
      last = silenceIn(exchanges)
      silent = last === undefined ? 0 : silent + 1
    },
  }
}
