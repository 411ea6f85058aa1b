import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pThrottle from 'p-throttle'
import { Inconclusive } from '../evidence/signals.ts'
import { createGrantStore } from '../session/authorization/grant-store.ts'
import { createBudget } from '../session/http/budget.ts'
import { createTokenStore } from '../session/authorization/token-store.ts'
import { createBreaker } from './breaker.ts'
import { CLEAN_UP_MS } from './interruption.ts'
import type { Budget } from '../session/http/budget.ts'
import type { TokenStore } from '../session/authorization/token-store.ts'
import type { Breaker } from './breaker.ts'
import type { Pace } from '../target/wall-clock.ts'
import type { Certification } from './certification.ts'

/** What limits the run as a whole, for all spec files: its deadline, its rate, its budget of requests. */
export interface RunLimits {
  /** Aborted at the deadline of the run or by an interruption, with the reason for the verdicts. */
  readonly ends: AbortSignal
  /** When the run must be over, in ms since 1970. */
  readonly deadline: number
  readonly pace: Pace
  interrupt(): void
  /** Ends the run because nothing can be written any more: nothing more is sent. */
  giveUp(because: string): void
  /** For restoring the target after the end: it has a little more time. */
  readonly cleanUp: Pick<RunLimits, 'ends' | 'turn'>
  /** Waits for a turn where a rate was asked for. */
  readonly turn?: () => Promise<void>
  /** How many requests may still be sent in the whole run. */
  readonly budget?: Budget
  /** Waits as long as a throttling target asks for. */
  readonly pause?: (ms: number) => Promise<void>
  /** Only for a target that all scenarios share. */
  readonly breaker?: Breaker
  /** The grants on a target that all scenarios share. */
  readonly tokenStore: TokenStore
}

/** Throws the reason of the end, so that the verdict contains it. */
const pausing =
  (ends: AbortSignal) =>
  async (ms: number): Promise<void> => {
    await sleep(ms, undefined, { signal: ends }).catch(() => ends.throwIfAborted())
  }

const pacerOf = (rate: number | undefined, ends: AbortSignal): (() => Promise<void>) | undefined =>
  rate === undefined
    ? undefined
    : pThrottle({ limit: 1, interval: 1000 / rate, signal: ends })(async () => undefined)

export const openRunLimits = (given: Certification): RunLimits => {
  const { baseUrl, deadline, pace, profile, rate, keeping, budget } = given
  const end = new AbortController()
  // Everything that waits listens to it.
  setMaxListeners(0, end.signal)
  const overdue = (): void =>
    end.abort(
      new Inconclusive(`the deadline of the run (${profile.deadlines.runMs} ms) passed before this was done`),
    )
  // It must not keep the process alive.
  setTimeout(overdue, Math.max(0, deadline - Date.now())).unref()
  const turn = pacerOf(rate, end.signal)
  const out = new AbortController()
  setMaxListeners(0, out.signal)
  end.signal.addEventListener('abort', () =>
    setTimeout(() => out.abort(end.signal.reason), CLEAN_UP_MS).unref(),
  )
  const lastTurn = pacerOf(rate, out.signal)
  // Before the end, requests that restore the target take turns with all others.
  const cleanUpTurn = (): Promise<void> | undefined => (end.signal.aborted ? lastTurn?.() : turn?.())
  return {
    ends: end.signal,
    deadline,
    pace,
    tokenStore: createTokenStore(profile, keeping && createGrantStore(keeping, profile, baseUrl ?? '')),
    giveUp: (because) => end.abort(new Inconclusive(`the run was given up before this was done: ${because}`)),
    interrupt: () => end.abort(new Inconclusive('the run was interrupted before this was done')),
    cleanUp: { ends: out.signal, ...(turn !== undefined && { turn: async () => cleanUpTurn() }) },
    ...(turn !== undefined && { turn }),
    ...(budget && { budget: createBudget(budget.limits, budget.spent) }),
    ...(baseUrl !== undefined && { breaker: createBreaker(), pause: pausing(end.signal) }),
  }
}
