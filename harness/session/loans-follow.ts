import { NotReached } from '../evidence/signals.ts'
import { codeOf, statusOf } from './loans-answers.ts'
import { nextLook } from './loans-line-plan.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { LoanLine, LoanLook } from './loans-line.ts'
import type { Loans, LoanScenario } from './loans.ts'
import type { TargetClock } from './session.ts'

/** Follows loan applications along their paths: one loop, on one clock, looks at all of them. */

/** With what applications are followed. */
export interface Following {
  readonly clock: TargetClock
  readonly loans: Loans
}

interface Aim {
  /** What a reader calls the application. */
  readonly name: string
  readonly path: readonly string[]
  /** It is canceled as soon as it is seen in this status. */
  readonly cancelIn?: string
}

/** @param act what gives the application; its time begins there. */
const begun = async (
  { clock, loans }: Following,
  aim: Aim,
  act: () => Promise<{ readonly id: string }>,
): Promise<LoanLine> => {
  const from = clock.now().getTime()
  const { id } = await act()
  return { ...aim, id, timing: loans.profile.timing, start: { from, to: clock.now().getTime() }, looks: [] }
}

/** Submits an application and selects its scenario. @throws NotReached where that fails. */
export const startLine = (following: Following, scenario: LoanScenario, aim: Aim): Promise<LoanLine> =>
  begun(following, aim, () => following.loans.start(scenario))

/** An application as it was submitted, for which nothing is selected yet. */
export interface SubmittedLine {
  readonly submission: Exchange
  readonly line: LoanLine
}

/** Submits an application and selects nothing (needs: loan-selection-after-submission). */
export const submitLine = async (following: Following, aim: Aim): Promise<SubmittedLine> => {
  const { loans } = following
  const from = following.clock.now().getTime()
  const submission = await loans.submit()
  const line = await begun(following, aim, async () => ({ id: loans.idOf(submission) }))
  return { submission, line: { ...line, start: { ...line.start, from } } }
}

/** Selects the scenario of a submitted application: a time line of its own begins. */
export const selectLine = (
  following: Following,
  { submission, line }: SubmittedLine,
  scenario: LoanScenario,
  aim: Aim,
): Promise<LoanLine> =>
  begun(following, aim, async () => {
    await following.loans.select(submission, scenario)
    return line
  })

/** What the target did, and between which instants of its clock. */
const timed = async (clock: TargetClock, ask: () => Promise<Exchange>) => {
  const from = clock.now().getTime()
  const exchange = await ask()
  return { from, to: clock.now().getTime(), exchange }
}

const UNAUTHORIZED = 401

/** A token that was good may have been ended by a later one: another one is asked for, once. */
const asked = async ({ clock, loans }: Following, ask: () => Promise<Exchange>) => {
  const first = await timed(clock, ask)
  if (first.exchange.response?.status !== UNAUTHORIZED) return first
  await loans.renewToken()
  return timed(clock, ask)
}

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

const wordsIn = (exchange: Exchange, { profile }: Loans): Pick<LoanLook, 'status' | 'code'> => {
  if (exchange.response === undefined) return {}
  const [status, code] = [textOf(statusOf(exchange, profile)), textOf(codeOf(exchange, profile))]
  // What stands beside a refusal is no status of the application.
  const isTold = status !== undefined && exchange.response.status < 400
  return { ...(isTold && { status }), ...(code !== undefined && { code }) }
}

/** One look at the application. */
export const lookAt = async (following: Following, line: LoanLine): Promise<LoanLine> => {
  const { loans } = following
  const seen = await asked(following, () => loans.status(line.id))
  return { ...line, looks: [...line.looks, { ...seen, ...wordsIn(seen.exchange, loans) }] }
}

/** Cancels an application that has just been seen in the status in which it is to be, and looks at it again. */
const cancelWhereMeant = async (following: Following, line: LoanLine): Promise<LoanLine> => {
  const { loans } = following
  const status = line.looks.at(-1)?.status
  if (status === undefined || status !== line.cancelIn || line.cancellation !== undefined) return line
  const done = await asked(following, () => loans.cancel(line.id))
  const { code } = wordsIn(done.exchange, loans)
  const cancellation = { ...done, status, ...(code !== undefined && { code }) }
  return lookAt(following, { ...line, cancellation })
}

/** @throws NotReached where the clock stands still, for then they would be looked at without end. */
const passUntil = async (clock: TargetClock, instant: number): Promise<void> => {
  const now = clock.now().getTime()
  if (instant <= now) return
  await clock.pass(instant - now)
  if (clock.now().getTime() <= now) throw new NotReached('the time of the target does not pass')
}

/**
 * Looks at the applications as often as it needs to tell when each of them moves, until all of them rest.
 * @param isEnough ends it sooner; asked behind each round of looks.
 */
export const follow = async (
  following: Following,
  applications: readonly LoanLine[],
  isEnough: (lines: readonly LoanLine[]) => boolean = () => false,
): Promise<readonly LoanLine[]> => {
  const { clock } = following
  const lines = [...applications]
  for (;;) {
    const next = Math.min(...lines.map((line) => nextLook(line) ?? Infinity))
    if (next === Infinity) return lines
    await passUntil(clock, next)
    for (const [at, line] of lines.entries())
      if ((nextLook(line) ?? Infinity) <= Math.max(next, clock.now().getTime()))
        lines[at] = await cancelWhereMeant(following, await lookAt(following, line))
    if (isEnough(lines)) return lines
  }
}
