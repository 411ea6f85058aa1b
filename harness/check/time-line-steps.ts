import { lastingOf, leastOfFirst, staysOf } from '../session/loans-line.ts'
import type { Bracket, LoanTiming, Stay, Traced } from '../session/loans-line.ts'

/** How long an application spent in each status, as far as its looks tell. */

export interface Timed extends Traced {
  readonly timing: LoanTiming
}

/** The time between two moves that were seen, or behind the last one. */
export interface Step {
  readonly stay: Stay
  /** What followed; nothing, where nothing did. */
  readonly next?: Stay
  /** How many statuses of the path passed unseen, one after the other, each as long as it may last at least. */
  readonly unseen: number
  /** How long it lasted, in ms, at least and at most. */
  readonly least: number
  readonly most: number
  /** How long it may last. */
  readonly lawful: { readonly least: number; readonly most: number }
  /** `open`: the looks lie too far apart to tell. */
  readonly finding: 'in' | 'early' | 'late' | 'open'
}

/** Statuses of the path between the two, if time was enough for each of them; else they were not passed through. */
const unseenBetween = ({ path, timing }: Timed, stay: Stay, next: Stay): number => {
  const [from, to] = [path.indexOf(stay.status), path.indexOf(next.status)]
  const between = from < 0 ? 0 : to - from - 1
  const room = next.since.to - next.since.from
  return between > 0 && room >= between * lastingOf(timing).least ? between : 0
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

/** When the next move was, in the light of when the one before was. */
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
  // What is not on the path has no end on it.
  if (!path.includes(stay.status)) return []
  const lawful = lastingOf(timing)
  const bounds = { unseen: 0, least: stay.until - since.to, most: Infinity, lawful }
  return [{ stay, ...bounds, finding: bounds.least > lawful.most ? 'late' : 'open' }]
}

/**
 * The steps up to the end of the path, or of what was seen. A move is known to lie between two looks; where the move
 * before it is known to lie in a part of its own bracket alone, since another part would not be lawful, that counts.
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
