import { lastingOf, leastOfFirst, staysOf } from '../session/loans-line.ts'
import type { Property, Scenario } from './scenario.ts'
import type { Observed } from './observe.ts'
import type { ObservedLine } from './time-line-words.ts'

/** When a run saw an application in which status, beside when it had to be there: kept as evidence, and drawn. */

/** Two instants, in ms since the start of the time line. */
export interface Span {
  readonly status: string
  readonly from: number
  readonly to: number
}

export interface TimeLine {
  /** The chosen path, as its file is named: `non-client`. */
  readonly path: string
  /** When it could lawfully move into each status behind the first, in the light of when it moved before. */
  readonly expected: readonly Span[]
  /** When it moved into each status; the first one with the start. `exchange` is the look that showed it first. */
  readonly observed: readonly (Span & { readonly exchange?: string })[]
  /** When it was looked at. */
  readonly looks: readonly { readonly at: number; readonly status?: string }[]
}

/** The time line of an application for which that path was chosen. */
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
      const exchange = first === undefined ? undefined : line.looks[first]?.exchange.id
      const span = { status, from: since.from - origin, to: since.to - origin }
      return exchange === undefined ? span : { ...span, exchange }
    }),
    looks: line.looks.map(({ from, to, status }) => {
      const at = Math.round((from + to) / 2) - origin
      return status === undefined ? { at } : { at, status }
    }),
  }
}

type Trace<Record> = (record: Observed<Record>) => TimeLine

const traces = new Map<Scenario | Property, Trace<unknown>>()

/** Has the report keep the time line that a record of this scenario shows, and draw it. */
export const traced = <Record>(scenario: Scenario<Record>, trace: Trace<Record>): void => {
  traces.set(scenario, trace as Trace<unknown>)
}

export const traceOf = (scenario: Scenario | Property): Trace<unknown> | undefined => traces.get(scenario)
