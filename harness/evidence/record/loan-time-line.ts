import type { Exchange } from '../exchange.ts'

/** The time line of one loan application: in which status it was seen, and when. All times are the target's, in ms. */

/** When something happened: between these two instants. */
export interface Bracket {
  readonly from: number
  readonly to: number
}

/** The usual duration of a status, and its tolerance. */
export interface LoanTiming {
  readonly intervalMs: number
  readonly toleranceMs: number
  /** Whether the first status may end earlier, because all applications move at the same times. */
  readonly ticks?: boolean
}

/** One poll of the status, which is valid for some instant between the request and its answer. */
export interface StatusPoll extends Bracket {
  /** Undefined if the answer has none. */
  readonly status?: string
  /** The result code, where the answer has one. */
  readonly code?: string
  readonly exchange: Exchange
}

export interface LoanCancellation extends Bracket {
  /** The last status seen before. */
  readonly status: string
  readonly code?: string
  readonly exchange: Exchange
}

export interface LoanLine {
  /** The name in messages: the selected scenario. */
  readonly name: string
  readonly id: string
  /** The statuses of its path, beginning with the first. */
  readonly path: readonly string[]
  readonly timing: LoanTiming
  /** When its scenario was selected; when it was submitted, where none was. */
  readonly start: Bracket
  readonly polls: readonly StatusPoll[]
  /** It is canceled as soon as it has this status. */
  readonly cancelIn?: string
  readonly cancellation?: LoanCancellation
}

/** The part of a time line that shows when the application was where. */
export interface Traced {
  readonly path: readonly string[]
  readonly start: Bracket
  readonly polls: readonly (Bracket & { readonly status?: string })[]
}

/** A period in which an application was in one status. */
export interface Stay {
  readonly status: string
  /** When it moved into the status. */
  readonly since: Bracket
  /** The first and the last poll that showed it, by index; undefined for a first status that no poll showed. */
  readonly first?: number
  readonly last?: number
  /** The last instant at which it was surely there. */
  readonly until: number
}

/** The stays in order. The first one is the first status of the path, from the start on. */
export const staysOf = ({ path, start, polls }: Traced): readonly Stay[] => {
  const stays: Stay[] = [{ status: path[0] ?? '', since: start, until: start.from }]
  polls.forEach(({ status, from, to }, at) => {
    const current = stays.at(-1)
    if (status === undefined || current === undefined) return
    const until = Math.max(from, current.until)
    if (status === current.status)
      stays[stays.length - 1] = { ...current, first: current.first ?? at, last: at, until }
    else stays.push({ status, since: { from: current.until, to }, first: at, last: at, until })
  })
  return stays
}

/** The shortest and the longest permitted duration of a status. */
export const lastingOf = ({ intervalMs, toleranceMs }: LoanTiming) => ({
  least: intervalMs - toleranceMs,
  most: intervalMs + toleranceMs,
})

/** The shortest permitted duration of the first status after the selection. */
export const leastOfFirst = (timing: LoanTiming): number =>
  timing.ticks === true ? 0 : lastingOf(timing).least

/** The distance in ms that counts as close to a decisive instant: a part of the tolerance. */
export const momentOf = ({ toleranceMs }: LoanTiming): number => toleranceMs / 20
