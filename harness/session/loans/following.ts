import { codeOf, statusOf } from '../../evidence/record/loan-application.ts'
import { missedMove } from '../../check/time-line/durations.ts'
import { withMoveTime } from '../../check/time-line/observed-line.ts'
import { Missed, NotReached } from '../../evidence/signals.ts'
import { nextPoll } from './poll-times.ts'
import type { LoanLine, StatusPoll } from '../../evidence/record/loan-time-line.ts'
import type { TargetClock } from '../clock.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { LoanScenario } from './loan-requests.ts'
import type { Loans } from './loans.ts'

/** Polls the status of loan applications along their paths: one loop, on one clock, for all of them. */

/** What is needed to poll loan applications. */
export interface Following {
  readonly clock: TargetClock
  readonly loans: Loans
}

interface FollowedApplication {
  /** The name of the application in messages. */
  readonly name: string
  readonly path: readonly string[]
  /** The application is canceled as soon as it has this status. */
  readonly cancelIn?: string
}

/** @param act gives the application; its time line begins before it. */
const begun = async (
  { clock, loans }: Following,
  aim: FollowedApplication,
  act: () => Promise<{ readonly id: string }>,
): Promise<LoanLine> => {
  const from = clock.now().getTime()
  const { id } = await act()
  return { ...aim, id, timing: loans.profile.timing, start: { from, to: clock.now().getTime() }, polls: [] }
}

/** Submits an application, selects its scenario and begins its time line. @throws NotReached if that fails. */
export const startLine = (
  following: Following,
  scenario: LoanScenario,
  aim: FollowedApplication,
  order?: { readonly amount?: number },
): Promise<LoanLine> => begun(following, aim, () => following.loans.start(scenario, order))

/** A submitted application without a selected scenario. */
interface SubmittedLine {
  readonly submission: Exchange
  readonly line: LoanLine
}

/** Submits an application without selecting a scenario (needs: loan-selection-after-submission). */
export const startUnselected = async (
  following: Following,
  aim: FollowedApplication,
): Promise<SubmittedLine> => {
  const { loans } = following
  const from = following.clock.now().getTime()
  const submission = await loans.submit()
  const line = await begun(following, aim, async () => ({ id: loans.idOf(submission) }))
  return { submission, line: { ...line, start: { ...line.start, from } } }
}

/** Selects the scenario of a submitted application and begins another time line. */
export const selectLine = (
  following: Following,
  { submission, line }: SubmittedLine,
  scenario: LoanScenario,
  aim: FollowedApplication,
): Promise<LoanLine> =>
  begun(following, aim, async () => {
    await following.loans.select(submission, scenario)
    return line
  })

/** The answer, and the instants of the target's clock before and after it. */
const timed = async (clock: TargetClock, ask: () => Promise<Exchange>) => {
  const from = clock.now().getTime()
  const exchange = await ask()
  return { from, to: clock.now().getTime(), exchange }
}

const UNAUTHORIZED = 401

/** A later token may have ended the current one: after a 401, a new token is requested once. */
const asked = async ({ clock, loans }: Following, ask: () => Promise<Exchange>) => {
  const first = await timed(clock, ask)
  if (first.exchange.response?.status !== UNAUTHORIZED) return first
  await loans.renewToken()
  return timed(clock, ask)
}

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

const wordsIn = (exchange: Exchange, { profile }: Loans): Pick<StatusPoll, 'status' | 'code'> => {
  if (exchange.response === undefined) return {}
  const [status, code] = [textOf(statusOf(exchange, profile)), textOf(codeOf(exchange, profile))]
  // The status in a refusal is not the status of the application.
  const hasStatus = status !== undefined && exchange.response.status < 400
  return { ...(hasStatus && { status }), ...(code !== undefined && { code }) }
}

export const pollOnce = async (following: Following, line: LoanLine): Promise<LoanLine> => {
  const { loans } = following
  const seen = await asked(following, () => loans.status(line.id))
  return { ...line, polls: [...line.polls, { ...seen, ...wordsIn(seen.exchange, loans) }] }
}

/** Cancels an application that has just been seen in the planned status, and polls it again. */
const cancelWhereMeant = async (following: Following, line: LoanLine): Promise<LoanLine> => {
  const { loans } = following
  const status = line.polls.at(-1)?.status
  if (status === undefined || status !== line.cancelIn || line.cancellation !== undefined) return line
  const done = await asked(following, () => loans.cancel(line.id))
  const { code } = wordsIn(done.exchange, loans)
  const cancellation = { ...done, status, ...(code !== undefined && { code }) }
  return pollOnce(following, { ...line, cancellation })
}

/** How often the clock is moved: it is read over the network, and after a short wait it may seem to have gone back. */
const MOST_PASSES = 5
/** The shortest wait from the third time on: a clock may have no milliseconds. */
const COARSE_MS = 1_000

/** @throws NotReached if the clock stands still: the polling would never end. */
const passUntil = async (clock: TargetClock, instant: number): Promise<void> => {
  const start = clock.now().getTime()
  let now = start
  for (let passes = 0; now < instant && passes < MOST_PASSES; passes += 1) {
    await clock.pass(Math.max(instant - now, passes < 2 ? 0 : COARSE_MS))
    now = clock.now().getTime()
  }
  if (now <= start && start < instant) throw new NotReached('the time of the target does not pass')
}

/** @throws Missed if a resumed run has come too late for a move. */
const missNoMove = (line: LoanLine): void => {
  const move = missedMove(line)
  if (move !== undefined)
    throw new Missed(`${line.name}: ${withMoveTime(line, move)}, was not polled in time`)
}

/**
 * Polls the applications as often as it takes to know when each of them moves, until all have stopped.
 * @param isEnough ends it earlier; called after each round of polls.
 * @throws Missed if the run was resumed too late to judge a move.
 */
export const follow = async (
  following: Following,
  applications: readonly LoanLine[],
  isEnough: (lines: readonly LoanLine[]) => boolean = () => false,
): Promise<readonly LoanLine[]> => {
  const { clock } = following
  const lines = [...applications]
  for (;;) {
    const next = Math.min(...lines.map((line) => nextPoll(line) ?? Infinity))
    if (next === Infinity) return lines
    await passUntil(clock, next)
    for (const [at, line] of lines.entries())
      if ((nextPoll(line) ?? Infinity) <= Math.max(next, clock.now().getTime()))
        lines[at] = await cancelWhereMeant(following, await pollOnce(following, line))
    if (clock.isResumed === true) lines.forEach(missNoMove)
    if (isEnough(lines)) return lines
  }
}
