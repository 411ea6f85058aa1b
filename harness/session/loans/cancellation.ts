import { codeOf, statusOf } from '../../evidence/record/loan-application.ts'
import { momentOf } from '../../evidence/record/loan-time-line.ts'
import { NotReached } from '../../evidence/signals.ts'
import { canWait } from '../clock.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Following } from './following.ts'

/** Cancels loan applications, in the first status in which the target allows it: which ones these are is not shown. */

const CANCELED = 'CANCELED'
const NOT_ALLOWED = 'NOT_ALLOWED_OPER'

const statusIn = (answer: Exchange, { loans }: Following): unknown =>
  answer.response === undefined ? undefined : statusOf(answer, loans.profile)

const isRefused = (answer: Exchange, { loans }: Following): boolean =>
  answer.response !== undefined && codeOf(answer, loans.profile) === NOT_ALLOWED

/**
 * The status of an application after a DELETE, whether it was allowed or not. A bank may take a moment: if the
 * application is not yet CANCELED, the status is polled again.
 */
export const statusAfterCancellation = async (following: Following, id: string): Promise<Exchange> => {
  const { clock, loans } = following
  const answer = await loans.status(id)
  const moment = momentOf(loans.profile.timing)
  if (statusIn(answer, following) === CANCELED || !canWait(clock, moment)) return answer
  await clock.pass(moment)
  return loans.status(id)
}

/** A submitted application, and whether it has a scenario, so that its status changes by itself. */
interface Waiting {
  readonly submission: Exchange
  readonly isSelected: boolean
}

/** Selects a scenario, unless the application has one. @throws NotReached if none could be selected. */
const select = async ({ loans }: Following, { submission, isSelected }: Waiting): Promise<void> => {
  if (!isSelected && loans.profile.scenario.kind !== 'parameter') await loans.select(submission, 'nonClient')
}

const POLLS_PER_INTERVAL = 3
const MOST_INTERVALS = 2

/** Waits until the application has another status. Returns false if the clock cannot be moved or it keeps its status. */
const hasMoved = async (following: Following, id: string, from: unknown): Promise<boolean> => {
  const { clock, loans } = following
  const { intervalMs } = loans.profile.timing
  const step = intervalMs / POLLS_PER_INTERVAL
  if (!canWait(clock, step)) return false
  for (let polls = 0; polls < MOST_INTERVALS * POLLS_PER_INTERVAL; polls += 1) {
    await clock.pass(step)
    const status = statusIn(await loans.status(id), following)
    if (status !== undefined && status !== from) return true
  }
  return false
}

const movesOn = async (following: Following, waiting: Waiting, status: Exchange): Promise<boolean> => {
  try {
    await select(following, waiting)
  } catch (error) {
    if (error instanceof NotReached) return false
    throw error
  }
  return hasMoved(following, following.loans.idOf(waiting.submission), statusIn(status, following))
}

/**
 * Cancels an application in the first status in which the target does not answer NOT_ALLOWED_OPER. Where it refuses
 * while the application is NEW, a scenario is selected, and the next status is awaited if the clock can be moved.
 * @param beforeEach called with each status before the DELETE
 */
export const cancelWhenAllowed = async (
  following: Following,
  submission: Exchange,
  beforeEach: (id: string) => Promise<unknown> = async () => undefined,
) => {
  const id = following.loans.idOf(submission)
  for (let isSelected = false; ; isSelected = true) {
    await beforeEach(id)
    const cancellation = await following.loans.cancel(id)
    const status = await statusAfterCancellation(following, id)
    const canEnd = statusIn(status, following) === CANCELED || !isRefused(cancellation, following)
    if (canEnd || !(await movesOn(following, { submission, isSelected }, status)))
      return { cancellation, status }
  }
}

/**
 * Makes an attempt to cancel that must have no effect, then one that must: if that has none either, the first shows
 * nothing. Both are repeated in later statuses where the target refuses the second one in this status.
 */
export const cancelInVain = async <Attempt extends Exchange | undefined>(
  following: Following,
  submission: Exchange,
  attempt: (id: string) => Promise<Attempt>,
) => {
  let vain: { before: Exchange; attempt: Attempt; after: Exchange } | undefined
  const { cancellation, status } = await cancelWhenAllowed(following, submission, async (id) => {
    vain = {
      before: await following.loans.status(id),
      attempt: await attempt(id),
      after: await statusAfterCancellation(following, id),
    }
  })
  if (vain === undefined) throw new Error('no attempt was made')
  return { ...vain, allowed: cancellation, last: status }
}
