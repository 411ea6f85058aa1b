import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pThrottle from 'p-throttle'
import { Inconclusive } from '../evidence/signals.ts'
import { createGrantStore } from '../session/authorization/grant-store.ts'
import { createBudget } from '../session/http/budget.ts'
import { createTokenStore } from '../session/authorization/token-store.ts'
import { createBreaker } from './breaker.ts'
import { LEAVING_MS } from './interruption.ts'
import type { Budget } from '../session/http/budget.ts'
import type { TokenStore } from '../session/authorization/token-store.ts'
import type { Breaker } from './breaker.ts'
import type { Pace } from '../target/wall-clock.ts'
import type { Certification } from './certification.ts'

/** What bounds a run as a whole, whichever spec file it has come to: its end, its rate, its patience. */
export interface Course {
  /** Aborted when the deadline of the run has passed, or by an interruption: with the reason for the verdicts. */
  readonly ends: AbortSignal
  /** When the run must be over, in ms since 1970. */
  readonly deadline: number
  readonly pace: Pace
  interrupt(): void
  /** Ends the run because nothing more of it can be written: nothing more is sent. */
  giveUp(because: string): void
  /** What is done on the way out: a little time is left for it beyond the end. */
  readonly leaving: Pick<Course, 'ends' | 'turn'>
  /** Waits for a turn where a rate was asked for. */
  readonly turn?: () => Promise<void>
  /** How many requests may still be sent, whoever sends them. */
  readonly budget?: Budget
  /** Waits for a target that asks to be left alone. */
  readonly pause?: (ms: number) => Promise<void>
  /** A bank that is new for each scenario cannot go silent. */
  readonly breaker?: Breaker
  /** The grants on a target that all scenarios share. */
  readonly tokenStore: TokenStore
}

/** The reason of the end is what the verdict says. */
const pausing =
  (ends: AbortSignal) =>
  async (ms: number): Promise<void> => {
    await sleep(ms, undefined, { signal: ends }).catch(() => ends.throwIfAborted())
  }

const pacerOf = (rate: number | undefined, ends: AbortSignal): (() => Promise<void>) | undefined =>
  rate === undefined
    ? undefined
    : pThrottle({ limit: 1, interval: 1000 / rate, signal: ends })(async () => undefined)

export const openCourse = (given: Certification): Course => {
  const { baseUrl, deadline, pace, profile, rate, keeping, budget } = given
  const end = new AbortController()
  // All that is waited for at the same time listens to it.
  setMaxListeners(0, end.signal)
  const overdue = (): void =>
    end.abort(
      new Inconclusive(`the deadline of the run (${profile.deadlines.runMs} ms) passed before this was done`),
    )
  // It must not keep a process alive that has nothing else to do.
  setTimeout(overdue, Math.max(0, deadline - Date.now())).unref()
  const turn = pacerOf(rate, end.signal)
  const out = new AbortController()
  setMaxListeners(0, out.signal)
  end.signal.addEventListener('abort', () =>
    setTimeout(() => out.abort(end.signal.reason), LEAVING_MS).unref(),
  )
  const lastTurn = pacerOf(rate, out.signal)
  // Those who leave take turns with those who act, as long as anybody does.
  const leavingTurn = (): Promise<void> | undefined => (end.signal.aborted ? lastTurn?.() : turn?.())
  return {
    ends: end.signal,
    deadline,
    pace,
    tokenStore: createTokenStore(profile, keeping && createGrantStore(keeping, profile, baseUrl ?? '')),
    giveUp: (because) => end.abort(new Inconclusive(`the run was given up before this was done: ${because}`)),
    interrupt: () => end.abort(new Inconclusive('the run was interrupted before this was done')),
    leaving: { ends: out.signal, ...(turn !== undefined && { turn: async () => leavingTurn() }) },
    ...(turn !== undefined && { turn }),
    ...(budget && { budget: createBudget(budget.limits, budget.spent) }),
    ...(baseUrl !== undefined && { breaker: createBreaker(), pause: pausing(end.signal) }),
  }
}
