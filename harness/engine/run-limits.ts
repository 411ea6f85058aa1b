import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pThrottle from 'p-throttle'
import { renderFault, type Exchange, type Fault } from '../evidence/exchange.ts'
import { Inconclusive, span } from '../evidence/signals.ts'
import { steadyNow } from '../evidence/steady-clock.ts'
import { createGrantStore } from '../session/authorization/grant-store.ts'
import { createTokenStore, type TokenStore } from '../session/authorization/token-store.ts'
import { createRequestBreaker, type RequestBreaker } from '../session/http/layers/breaker.ts'
import { createBudget, type Budget } from '../session/http/permissions.ts'
import type { Pause } from '../session/http/layers/repetitions.ts'
import type { RunInput } from './run-input.ts'
import type { Pace } from '../connection/wall-clock.ts'

/** So many scenarios in a row without an answer end the run. */
const MOST_SILENT = 5

/** Faults without an answer. */
const SILENCE: ReadonlySet<Fault['kind']> = new Set(['unresolved', 'refused', 'tls', 'timeout', 'reset'])

const silenceIn = (exchanges: readonly Exchange[]): Fault | undefined =>
  exchanges.every(({ fault }) => fault !== undefined && SILENCE.has(fault.kind))
    ? exchanges.at(-1)?.fault
    : undefined

/** Test hooks that answer do not show that the bank does. */
const toTheBank = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ sender }) => sender !== 'testHook' && sender !== 'target')

/** Ends the run on a target that has stopped answering, instead of waiting for each timeout. */
export const createBreaker = (mostSilent = MOST_SILENT) => {
  let silent = 0
  let last: Fault | undefined
  return {
    /** @throws Inconclusive after too many scenarios without an answer. */
    admit() {
      if (silent < mostSilent || last === undefined) return
      throw new Inconclusive(
        `not started: ${silent} scenarios in a row had no answer from the target, the last one because ${renderFault(last)}`,
      )
    },
    /** Counts a scenario that has ended, by its exchanges. */
    record(exchanges: readonly Exchange[]) {
      const asked = toTheBank(exchanges)
      // A scenario that has sent nothing shows nothing.
      if (asked.length === 0) return
      last = silenceIn(asked)
      silent = last === undefined ? 0 : silent + 1
    },
  }
}

/** How long restoring the target may take after the end of the run, in ms. After Ctrl-C a person waits for it. */
export const CLEAN_UP_MS = 4_000

/** Waits for the work; after an interruption, for at most `graceMs`. */
export const withGracePeriod = async <T>(
  work: Promise<T>,
  interruption: AbortSignal,
  graceMs: number,
): Promise<{ readonly done: T } | 'given up'> => {
  let timer: NodeJS.Timeout | undefined
  let start: (() => void) | undefined
  const grace = new Promise<'given up'>((resolve) => {
    start = () => (timer = setTimeout(() => resolve('given up'), graceMs))
    if (interruption.aborted) start()
    else interruption.addEventListener('abort', start, { once: true })
  })
  try {
    return await Promise.race([work.then((done) => ({ done })), grace])
  } finally {
    clearTimeout(timer)
    if (start !== undefined) interruption.removeEventListener('abort', start)
  }
}

/** The limits of the whole run, for all spec files: deadline, rate, budget of requests. */
export interface RunLimits {
  /** Aborted at the deadline of the run or by an interruption, with the reason for the verdicts. */
  readonly ends: AbortSignal
  /** When the run must be over, in ms since 1970. */
  readonly deadline: number
  readonly pace: Pace
  interrupt(): void
  /** Ends the run because nothing more can be written: no further request is sent. */
  giveUp(because: string): void
  /** For restoring the target after the end: aborted a little later. */
  readonly cleanUp: Pick<RunLimits, 'ends' | 'turn'>
  /** Waits as long as the rate requires, if there is one. */
  readonly turn?: () => Promise<void>
  /** How many requests may still be sent in the whole run. */
  readonly budget?: Budget
  /** Delays all requests as long as a throttling target asks for. */
  readonly pause?: Pause
  /** Only for a target that all scenarios share. */
  readonly breaker?: ReturnType<typeof createBreaker>
  /** The same for requests of one operation to one origin. */
  readonly requestBreaker?: RequestBreaker
  /** The grants on a target that all scenarios share. */
  readonly tokenStore: TokenStore
}

/** The pauses that the target has asked for, by the status of the answer. */
type Asked = Map<number, { readonly times: number; readonly ms: number }>

/** Throws the reason why the run ended, so that the verdict contains it. */
const pausing =
  (ends: AbortSignal, asked: Asked): Pause =>
  async (ms, status) => {
    if (status !== undefined) {
      const before = asked.get(status) ?? { times: 0, ms: 0 }
      asked.set(status, { times: before.times + 1, ms: before.ms + ms })
    }
    await sleep(ms, undefined, { signal: ends }).catch(() => ends.throwIfAborted())
  }

/** Why a run took so long: "; the target asked 55 times for a pause (429), 53 s in all: see --rate". */
const pausesIn = (asked: Asked): string =>
  [...asked]
    .map(
      ([status, { times, ms }]) =>
        `; the target asked ${times === 1 ? 'once' : `${times} times`} for a pause (${status}), ${Math.round(ms / 1000)} s in all: see --rate`,
    )
    .join('')

const pacerOf = (rate: number | undefined, ends: AbortSignal): (() => Promise<void>) | undefined =>
  rate === undefined
    ? undefined
    : pThrottle({ limit: 1, interval: 1000 / rate, signal: ends })(async () => undefined)

type Given = Pick<RunInput, 'baseUrl' | 'deadline' | 'pace' | 'profile' | 'rate' | 'keeping' | 'budget'>

export const openRunLimits = (given: Given): RunLimits => {
  const { baseUrl, deadline, pace, profile, rate, keeping, budget } = given
  const end = new AbortController()
  // Everything that waits is aborted by it.
  setMaxListeners(0, end.signal)
  const asked: Asked = new Map()
  const lasting = span(profile.deadlines.runMs ?? deadline - steadyNow())
  const overdue = (): void =>
    end.abort(
      new Inconclusive(`the deadline of the run (${lasting}) passed before this was done${pausesIn(asked)}`),
    )
  // It must not keep the process alive.
  setTimeout(overdue, Math.max(0, deadline - steadyNow())).unref()
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
    ...(baseUrl !== undefined && {
      breaker: createBreaker(),
      requestBreaker: createRequestBreaker(),
      pause: pausing(end.signal, asked),
    }),
  }
}
