import type { Exchange } from '../evidence/exchange.ts'

/** The time line of one loan application: which status it was seen in, and when. All times are the target's, in ms. */

/** When something happened: not before the one instant, and not after the other. */
export interface Bracket {
  readonly from: number
  readonly to: number
}

/** How long a status lasts, about. */
export interface LoanTiming {
  readonly intervalMs: number
  readonly toleranceMs: number
  /** Whether the first status may end sooner: all applications move at the same times. */
  readonly ticks?: boolean
}

/** One look at the status: what it tells was so at some instant between the request and its answer. */
export interface LoanLook extends Bracket {
  /** Left out where the answer tells none. */
  readonly status?: string
  /** The result code, where the answer has one. */
  readonly code?: string
  readonly exchange: Exchange
}

export interface LoanCancellation extends Bracket {
  /** The status that the application was seen in before. */
  readonly status: string
  readonly code?: string
  readonly exchange: Exchange
}

export interface LoanLine {
  /** What a reader calls it: the scenario that was selected. */
  readonly name: string
  readonly id: string
  /** The statuses that it goes through, the first of them at the start. */
  readonly path: readonly string[]
  readonly timing: LoanTiming
  /** When its scenario was selected; when it was submitted, where none was. */
  readonly start: Bracket
  readonly looks: readonly LoanLook[]
  /** It is canceled as soon as it is seen in this status. */
  readonly cancelIn?: string
  readonly cancellation?: LoanCancellation
}

/** What of a line tells where an application was when. */
export interface Traced {
  readonly path: readonly string[]
  readonly start: Bracket
  readonly looks: readonly (Bracket & { readonly status?: string })[]
}

/** A time that an application spent in one status. */
export interface Stay {
  readonly status: string
  /** When it moved there. */
  readonly since: Bracket
  /** The first and the last look that showed it, counted from 0; of the first stay perhaps none. */
  readonly first?: number
  readonly last?: number
  /** Until when it was surely there. */
  readonly until: number
}

/** One stay after the other, from the first status of the path on, which it has from the start. */
export const staysOf = ({ path, start, looks }: Traced): readonly Stay[] => {
  const stays: Stay[] = [{ status: path[0] ?? '', since: start, until: start.from }]
  looks.forEach(({ status, from, to }, at) => {
    const current = stays.at(-1)
    if (status === undefined || current === undefined) return
    const until = Math.max(from, current.until)
    if (status === current.status)
      stays[stays.length - 1] = { ...current, first: current.first ?? at, last: at, until }
    else stays.push({ status, since: { from: current.until, to }, first: at, last: at, until })
  })
  return stays
}

/** The shortest and the longest time that a status may last. */
export const lastingOf = ({ intervalMs, toleranceMs }: LoanTiming) => ({
  least: intervalMs - toleranceMs,
  most: intervalMs + toleranceMs,
})

/** The shortest time that the first status may last behind the selection. */
export const leastOfFirst = (timing: LoanTiming): number =>
  timing.ticks === true ? 0 : lastingOf(timing).least

/** Next to an instant that matters, in ms: a part of the tolerance. */
export const momentOf = ({ toleranceMs }: LoanTiming): number => toleranceMs / 20
