import { lastingOf, leastOfFirst, staysOf } from '../../evidence/record/loan-time-line.ts'
import type { Acted } from '../acted.ts'
import type { Observed } from '../observed/observe.ts'
import type { ObservedLine } from './observed-line.ts'

/** When a run saw an application in each status, and when it had to be there: kept as evidence, and drawn. */

/** Two instants, in ms since the start of the time line. */
export interface Span {
  readonly status: string
  readonly from: number
  readonly to: number
}

export interface TimeLine {
  /** The selected path, by which the file is named: `non-client`. */
  readonly path: string
  /** When it may move into each status after the first, given when it moved before. */
  readonly expected: readonly Span[]
  /** When it moved into each status; the first one at the start. `exchange` is the first poll that showed it. */
  readonly observed: readonly (Span & { readonly exchange?: string })[]
  /** When it was polled. */
  readonly polls: readonly { readonly at: number; readonly status?: string }[]
}

export const timeLineOf = (path: string, line: ObservedLine): TimeLine => {
  const origin = line.start.from
  const stays = staysOf(line)
  const { least, most } = lastingOf(line.timing)
  const expected = line.path.slice(1).reduce<readonly Span[]>((spans, status, at) => {
    const seen = stays.find((stay) => stay.status === line.path[at])?.since
    const before = spans.at(-1) ?? { from: line.start.from - origin, to: line.start.to - origin }
    const since = seen === undefined ? before : { from: seen.from - origin, to: seen.to - origin }
    return [
      ...spans,
      { status, from: since.from + (at === 0 ? leastOfFirst(line.timing) : least), to: since.to + most },
    ]
  }, [])
  return {
    path,
    expected,
    observed: stays.map(({ status, since, first }) => {
      const exchange = first === undefined ? undefined : line.polls[first]?.exchange.id
      const span = { status, from: since.from - origin, to: since.to - origin }
      return exchange === undefined ? span : { ...span, exchange }
    }),
    polls: line.polls.map(({ from, to, status }) => {
      const at = Math.round((from + to) / 2) - origin
      return status === undefined ? { at } : { at, status }
    }),
  }
}

type Trace<Record> = (record: Observed<Record>) => TimeLine

const traces = new Map<Acted, Trace<unknown>>()

/** Has the report keep the time line that a record of this scenario shows, and draw it. */
export const traced = <Record>(scenario: Acted<Record>, trace: Trace<Record>): void => {
  traces.set(scenario, trace as Trace<unknown>)
}

export const traceOf = (scenario: Acted): Trace<unknown> | undefined => traces.get(scenario)
