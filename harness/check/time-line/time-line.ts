import { held, ViolationError } from '../verdict.ts'
import {
  lastingOf,
  leastOfFirst,
  staysOf,
  type Bracket,
  type LoanLine,
  type LoanTiming,
  type Stay,
  type Traced,
} from '../../evidence/record/loan-application.ts'
import { Inconclusive } from '../../evidence/signals.ts'
import type { Acted } from '../acted.ts'
import type { Observed } from '../observed/observe.ts'

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
  /** When it could lawfully move into each status after the first, given when it moved before. */
  readonly expected: readonly Span[]
  /** When it moved into each status; the first one at the start. `exchange` is the first poll that showed it. */
  readonly observed: readonly (Span & { readonly exchange?: string })[]
  /** When it was polled. */
  readonly looks: readonly { readonly at: number; readonly status?: string }[]
}

/** The time line of an application with that path. */
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
    looks: line.polls.map(({ from, to, status }) => {
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

/** What the judges of a time line share. */

export type ObservedLine = Observed<LoanLine>

/** `3:05` for three minutes and five seconds. */
export const minutes = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  return `${seconds < 0 ? '-' : ''}${Math.floor(Math.abs(seconds) / 60)}:${String(Math.abs(seconds) % 60).padStart(2, '0')}`
}

export const useAllPolls = (line: ObservedLine): void => {
  for (const { status, exchange } of line.polls) if (status !== undefined) exchange.use()
}

const exchangeAt = ({ polls, id }: ObservedLine, at: number | undefined): string =>
  polls[at ?? 0]?.exchange.id ?? `the application ${id}`

export const since = ({ start }: Pick<Traced, 'start'>, instant: number): string =>
  `${minutes(instant - start.from)} min`

interface StatusViolation {
  readonly line: ObservedLine
  readonly subject: string
  readonly expected: string
  readonly received: string
  readonly at: number | undefined
}

export const violationAt = ({ line, subject, expected, received, at }: StatusViolation): ViolationError =>
  new ViolationError({
    subject: `${subject} (${line.name})`,
    expected,
    received,
    exchange: exchangeAt(line, at),
  })

/** Whether a DELETE canceled the application on its path. */
export const wasCanceledOnPath = ({ cancellation, polls }: ObservedLine): boolean =>
  cancellation !== undefined &&
  cancellation.status !== 'CANCELED' &&
  polls.some(({ status, from }) => status === 'CANCELED' && from >= cancellation.from)

/** The polls before such a cancellation; all polls if there was none. */
export const untilCanceled = (line: ObservedLine): ObservedLine =>
  wasCanceledOnPath(line)
    ? { ...line, polls: line.polls.filter(({ from }) => from < (line.cancellation?.from ?? Infinity)) }
    : line

export const withMoveTime = (line: Pick<Traced, 'start'>, { status, since: { from, to } }: Stay): string =>
  `${status}, into which it moved between ${since(line, from)} and ${since(line, to)}`

/** @throws Inconclusive if the application was not polled for one of the longest intervals. */
export const staysFor = (line: ObservedLine, all: readonly Stay[], at: number): void => {
  const rest = all[at]
  const later = all[at + 1]
  if (rest === undefined) return
  if (later !== undefined)
    throw violationAt({
      line,
      subject: `the status after ${rest.status}`,
      expected: `${rest.status}, for good`,
      received: withMoveTime(line, later),
      at: later.first,
    })
  if (rest.until - rest.since.to < lastingOf(line.timing).most)
    throw new Inconclusive(`${line.name}: the application was not polled long enough in ${rest.status}`)
  held()
}

/** How long an application was in each status, as far as the polls show it. */

interface Timed extends Traced {
  readonly timing: LoanTiming
}

/** The time between two observed moves, or after the last one. */
export interface Step {
  readonly stay: Stay
  /** The next stay, if there is one. */
  readonly next?: Stay
  /** How many statuses of the path passed between two polls, each for the shortest lawful time at least. */
  readonly unseen: number
  /** The shortest and the longest possible duration, in ms. */
  readonly least: number
  readonly most: number
  /** The lawful duration. */
  readonly lawful: { readonly least: number; readonly most: number }
  /** `open`: the polls are too far apart to decide. */
  readonly finding: 'in' | 'early' | 'late' | 'open'
}

/** The number of statuses between the two, if there was time enough for each of them. */
const unseenBetween = ({ path, timing }: Timed, stay: Stay, next: Stay): number => {
  const [from, to] = [path.indexOf(stay.status), path.indexOf(next.status)]
  const between = from < 0 ? 0 : to - from - 1
  const available = next.since.to - next.since.from
  return between > 0 && available >= between * lastingOf(timing).least ? between : 0
}

const findingOf = (
  { least, most, lawful, unseen }: Pick<Step, 'least' | 'most' | 'lawful' | 'unseen'>,
  resolution: number,
): Step['finding'] => {
  if (most < lawful.least) return 'early'
  if (least > lawful.most) return 'late'
  if (unseen > 0) return 'open'
  const isWithin = least >= lawful.least && most <= lawful.most
  return isWithin || most - least <= resolution ? 'in' : 'open'
}

const stepOf = (line: Timed, stay: Stay, since: Bracket, next: Stay, isFirst: boolean): Step => {
  const unseen = unseenBetween(line, stay, next)
  const { least, most } = lastingOf(line.timing)
  const bounds = {
    unseen,
    least: next.since.from - since.to,
    most: next.since.to - since.from,
    lawful: {
      least: unseen * least + (isFirst ? leastOfFirst(line.timing) : least),
      most: (unseen + 1) * most,
    },
  }
  return { stay, next, ...bounds, finding: findingOf(bounds, line.timing.toleranceMs) }
}

/** When the next move happened, given when the previous one did. */
const arrival = ({ next, unseen, lawful, finding }: Step, since: Bracket, timing: LoanTiming): Bracket => {
  const seen = next?.since ?? since
  if (finding === 'early' || finding === 'late') return seen
  const earliest = seen.from + unseen * lastingOf(timing).least
  return {
    from: Math.max(earliest, since.from + lawful.least),
    to: Math.min(seen.to, since.to + lawful.most),
  }
}

const lastStep = ({ path, timing }: Timed, stay: Stay, since: Bracket): readonly Step[] => {
  // A status that is not on the path has no end on it.
  if (!path.includes(stay.status)) return []
  const lawful = lastingOf(timing)
  const bounds = { unseen: 0, least: stay.until - since.to, most: Infinity, lawful }
  return [{ stay, ...bounds, finding: bounds.least > lawful.most ? 'late' : 'open' }]
}

/**
 * The steps up to the end of the path, or of the observation. A move lies between two polls. If only a part of that
 * interval is lawful after the move before, that part counts.
 */
export const stepsOf = (line: Timed): readonly Step[] => {
  const stays = staysOf(line)
  const steps: Step[] = []
  let since = line.start
  for (const [at, stay] of stays.entries()) {
    const isEnd = stay.status === line.path.at(-1) && (at > 0 || line.path.length === 1)
    if (isEnd) return steps
    const next = stays[at + 1]
    if (next === undefined) return [...steps, ...lastStep(line, stay, since)]
    const step = stepOf(line, stay, since, next, at === 0)
    steps.push(step)
    since = arrival(step, since, line.timing)
  }
  return steps
}

/**
 * The first move between two polls that lie so far apart that it cannot be judged: in between, a status of the path may
 * have passed, or it is open how long one lasted. Where an application is to be canceled, only the first counts.
 */
export const missedMove = (line: Timed & Pick<LoanLine, 'cancelIn'>): Stay | undefined => {
  const { toleranceMs } = line.timing
  const isLonger = ({ since }: Stay, ms: number): boolean => since.to - since.from > ms
  if (line.cancelIn !== undefined)
    return staysOf(line).find((stay, at) => at > 0 && isLonger(stay, lastingOf(line.timing).least))
  return stepsOf(line).find(
    ({ next, finding }) => next !== undefined && finding === 'open' && isLonger(next, toleranceMs),
  )?.next
}
