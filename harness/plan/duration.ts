import { ConfigurationError } from '../profile/configuration-error.ts'
import { running, scenariosOf, type Plan } from './plan.ts'
import { estimate, requestsMs } from './render-plan.ts'
import { span } from '../evidence/signals.ts'
import { isWithinRun, wallMs, type Patience } from './waits.ts'

/** How long a run takes, and when it is ended, as its plan says. */

interface Given {
  readonly plan: Plan
  readonly profile: Patience['profile']
  readonly concurrency: number
  readonly rate?: number | undefined
  /** The most requests that may be sent. */
  readonly requests?: number | undefined
}

/** In ms of wall time. */
export interface RunDuration {
  /** The longest wait; all waits are concurrent. */
  readonly waitMs: number
  /** About how long the run takes. */
  readonly expectedMs: number
  /** After this it is ended. */
  readonly limitMs: number
}

/** A bank may be slower than the usual intervals, within their tolerance. */
const MARGIN = 1.05
/** A target may be so many times slower than assumed, and so long in any case, in ms. */
const SLOWER = 3
const LEAST_LIMIT_MS = 30 * 60_000
/** The longest time of a timer of Node, in ms. */
const MOST_LIMIT_MS = 2 ** 31 - 1

/** @throws ConfigurationError if the limit of the profile is shorter than the plan can take. */
export const durationOf = (given: Given): RunDuration => {
  const { plan, profile, rate, requests = Number.POSITIVE_INFINITY } = given
  const scenarios = scenariosOf(running(plan)).filter(({ isWaitedFor }) => isWaitedFor)
  const waitMs = scenarios
    .map((one) => wallMs(one.waitsMs ?? 0, profile))
    .filter((ms) => isWithinRun(ms, profile))
    .reduce((longest, ms) => Math.max(longest, ms), 0)
  const silenceMs = scenarios.reduce((sum, { listensMs = 0 }) => sum + wallMs(listensMs, profile), 0)
  const exchanges = Math.min(requests, estimate(plan).exchanges)
  const activeMs = requestsMs(exchanges, given) + silenceMs
  const longestMs = waitMs * MARGIN
  const ampleMs = longestMs + Math.max(SLOWER * activeMs, LEAST_LIMIT_MS)
  const limitMs = profile.deadlines.runMs ?? Math.min(ampleMs, MOST_LIMIT_MS)
  const ratedMs = rate === undefined ? 0 : (exchanges / rate) * 1000
  const leastMs = Math.max(longestMs, ratedMs)
  if (leastMs > limitMs)
    throw new ConfigurationError(
      `\`deadlines.runMs\`: the run may last ${span(limitMs)} (${limitMs}), and its plan takes about ${span(leastMs)}: its longest wait is ${span(waitMs)}${rate === undefined ? '' : `, and about ${exchanges} requests at --rate ${rate} take ${span(ratedMs)}`}; raise it to ${Math.ceil(leastMs / 60_000) * 60_000} or more, remove it, or select less (--only, --skip time)`,
    )
  return { waitMs, expectedMs: Math.max(longestMs, activeMs), limitMs }
}
