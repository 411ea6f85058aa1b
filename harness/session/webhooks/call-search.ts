import type { Delivery } from '../../evidence/record/webhook-event.ts'
import type { TargetClock } from '../clock.ts'
import type { Inbox } from './sink/inbox.ts'

/** Waits for webhook calls, on each kind of clock. */

/** In ms. */
const LAG = 250
/** The longest wait, in ms. */
const LONGEST_MS = 10_000
/** After this many missing calls, the longest wait is no longer used. */
const MOST_MISSED = 2

/** How long the webhook calls of a target take in real time: as the profile says, until they have taken longer. */
export class CallDelay {
  readonly #saidMs: number
  #missed = 0
  /** How long the target may take for the calls that fell due when its clock was moved, in ms. */
  settleMs: number
  /** How late a call may be if none is known to be due, in ms: as late as calls have been before. */
  lagMs: number

  /** @param settleMs the time in the profile. */
  constructor(settleMs: number) {
    this.#saidMs = settleMs
    this.settleMs = settleMs
    this.lagMs = Math.min(LAG, settleMs)
  }

  /** How long to wait for a call that should have arrived, in ms: a queue or a network may delay it. */
  get lastMs(): number {
    return this.#missed < MOST_MISSED ? Math.max(this.settleMs, LONGEST_MS) : this.settleMs
  }

  /** A call arrived that many ms after the last move of the clock. */
  came(ms: number): void {
    // The next one may be slower still.
    const next = Math.min(2 * ms, Math.max(this.#saidMs, LONGEST_MS))
    this.lagMs = Math.max(this.lagMs, next)
    if (ms > this.settleMs) this.settleMs = next
  }

  /** A call that should have arrived did not. */
  missed(): void {
    this.#missed += 1
  }
}

const SECOND = 1_000
/** Between two steps of a clock that is moved over HTTP, the target has at most this many ms for its calls. */
const STEP_LAG = 250
const LONGEST_SETTLING_MS = 20_000

export interface CallSearch {
  readonly inbox: Pick<Inbox, 'arrival'>
  readonly clock: TargetClock
  /** How long the calls of a target take whose clock is moved over HTTP. */
  readonly delay: CallDelay
  /** How many times as fast as real time the target's clock runs while it is not moved. */
  readonly speed: number
  /** By how much a clock that can be moved is moved at most, in ms. */
  readonly longestStep: number
  /** The first call that fits. */
  readonly take: () => Delivery | undefined
}

/** The call that fits; undefined if none arrived within that many ms of the target's time. */
export const findCall = (search: CallSearch, within: number): Promise<Delivery | undefined> =>
  search.clock.kind === 'wall' ? waitingFor(search, within) : steppingTo(search, within)

/** On a clock that cannot be moved: checks each call that arrives. */
const waitingFor = async (
  { inbox, clock, speed, take }: CallSearch,
  within: number,
): Promise<Delivery | undefined> => {
  const deadline = clock.now().getTime() + within
  for (;;) {
    const found = take()
    const left = deadline - clock.now().getTime()
    if (found !== undefined || left <= 0) return found
    await inbox.arrival(left / speed)
  }
}

/** On a clock that can be moved: by 1 s, 2 s, 4 s …, so that an early call is found early, and a late one at all. */
const steppingTo = async (search: CallSearch, within: number): Promise<Delivery | undefined> => {
  const { clock, delay, longestStep, take } = search
  let found = take()
  if (found !== undefined || within <= 0) return found
  for (let passed = 0, step = SECOND; found === undefined && passed < within; step *= 2) {
    const ms = Math.min(step, longestStep, within - passed)
    await clock.pass(ms)
    passed += ms
    found = take()
    if (found !== undefined || clock.kind === 'virtual') continue
    found = await (passed < within
      ? arriving(search, Math.min(STEP_LAG, delay.settleMs))
      : arrivingLast(search))
  }
  return found
}

/** After the last step of the clock, a call can only be late in real time. */
const arrivingLast = async (search: CallSearch): Promise<Delivery | undefined> => {
  const { delay } = search
  const startedAt = performance.now()
  const found = await arriving(search, delay.lastMs)
  if (found === undefined) delay.missed()
  else delay.came(performance.now() - startedAt)
  return found
}

/** The call that fits, within that many ms of real time; other calls may come before it. */
const arriving = async ({ inbox, take }: CallSearch, ms: number): Promise<Delivery | undefined> => {
  const deadline = performance.now() + ms
  for (;;) {
    const left = Math.max(0, deadline - performance.now())
    const isMore = await inbox.arrival(left)
    const found = take()
    if (found !== undefined || !isMore || left === 0) return found
  }
}

/** Waits until no call has come for a while, but not endlessly, where calls may come late in real time. */
export const settled = async (
  { inbox, clock }: Pick<CallSearch, 'inbox' | 'clock'>,
  settleMs: number,
): Promise<void> => {
  if (clock.kind !== 'testHook') return
  const deadline = performance.now() + LONGEST_SETTLING_MS
  while ((await inbox.arrival(settleMs)) && performance.now() < deadline);
}
