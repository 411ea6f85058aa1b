import {
  lastingOf,
  leastOfFirst,
  staysOf,
  type Traced,
  type LoanTiming,
  type Stay,
  type Bracket,
  type LoanLine,
} from '../../evidence/record/loan-time-line.ts'

/** How long an application was in each status, as far as the polls show it. */

interface Timed extends Traced {
  readonly timing: LoanTiming
}

/** The time between two observed moves, or after the last one. */
export interface Step {
  readonly stay: Stay
  readonly next?: Stay
  /** How many statuses of the path passed between two polls, each for the shortest permitted time at least. */
  readonly unseen: number
  /** The shortest and the longest possible duration, in ms. */
  readonly least: number
  readonly most: number
  readonly permitted: { readonly least: number; readonly most: number }
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
  { least, most, permitted, unseen }: Pick<Step, 'least' | 'most' | 'permitted' | 'unseen'>,
  resolution: number,
): Step['finding'] => {
  if (most < permitted.least) return 'early'
  if (least > permitted.most) return 'late'
  if (unseen > 0) return 'open'
  const isWithin = least >= permitted.least && most <= permitted.most
  return isWithin || most - least <= resolution ? 'in' : 'open'
}

const stepOf = (line: Timed, stay: Stay, since: Bracket, next: Stay, isFirst: boolean): Step => {
  const unseen = unseenBetween(line, stay, next)
  const { least, most } = lastingOf(line.timing)
  const bounds = {
    unseen,
    least: next.since.from - since.to,
    most: next.since.to - since.from,
    permitted: {
      least: unseen * least + (isFirst ? leastOfFirst(line.timing) : least),
      most: (unseen + 1) * most,
    },
  }
  return { stay, next, ...bounds, finding: findingOf(bounds, line.timing.toleranceMs) }
}

/** When the next move happened, given when the previous one did. */
const arrival = ({ next, unseen, permitted, finding }: Step, since: Bracket, timing: LoanTiming): Bracket => {
  const seen = next?.since ?? since
  if (finding === 'early' || finding === 'late') return seen
  const earliest = seen.from + unseen * lastingOf(timing).least
  return {
    from: Math.max(earliest, since.from + permitted.least),
    to: Math.min(seen.to, since.to + permitted.most),
  }
}

const lastStep = ({ path, timing }: Timed, stay: Stay, since: Bracket): readonly Step[] => {
  // A status that is not on the path has no end on it.
  if (!path.includes(stay.status)) return []
  const permitted = lastingOf(timing)
  const bounds = { unseen: 0, least: stay.until - since.to, most: Infinity, permitted }
  return [{ stay, ...bounds, finding: bounds.least > permitted.most ? 'late' : 'open' }]
}

/**
 * The steps up to the end of the path, or of the observation. A move lies between two polls. If only a part of that
 * interval is permitted after the move before, that part counts.
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
