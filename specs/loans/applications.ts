import {
  LOAN_STATUSES,
  asCalculation,
  asStatus,
  asSubmission,
  attemptOf,
  Inconclusive,
  inWholeRun,
  isOfTheBank,
  isRefusedBetween,
  loanCode,
  loanStatus,
  NotReached,
  wasNotProcessed,
  type LoanWords,
  type ObservedExchange,
  type Selection,
  type WholeRun,
} from '../../harness/check/index.ts'
import type { Scenario } from '../../harness/session/index.ts'
import { PATHS } from './paths.ts'

/** Shared by the scenarios of loans. Amounts are in EUR. */

/** The amount of scenario 1. */
export const ORDINARY = 250

export const SMALLEST = 100
export const LARGEST = 2000

interface Attempts {
  readonly before: ObservedExchange
  readonly changed: ObservedExchange | readonly ObservedExchange[]
  readonly after: ObservedExchange
}

const refusedAs =
  (read: typeof asCalculation) =>
  ({ before, changed, after }: Attempts, words: LoanWords, because: string): void => {
    const all = [before, changed, after].flat()
    isRefusedBetween(
      {
        before: read(before, words, all),
        changed: [changed].flat().map((answer) => read(answer, words, all)),
        after: read(after, words, all),
      },
      because,
    )
  }

/** Judges that a precalculation is negative between two that are positive. */
export const isNegativeBetween = refusedAs(asCalculation)

/** Judges that an application is refused between two that are accepted. */
export const isNoApplicationBetween = refusedAs(asSubmission)

/** Judges that a status is not reported between two that are. */
export const isUnreportedBetween = refusedAs((answer, words, others) =>
  asStatus(answer, words, LOAN_STATUSES, others),
)

/** Whether an answer has a status of the interface. */
export const hasStatus = (answer: ObservedExchange, words: LoanWords): boolean =>
  asStatus(answer, words, LOAN_STATUSES).accepted

/** The result of an act in a list; an empty list if it was not reached. */
export const asFarAsReached = async <T>(act: () => Promise<T>): Promise<readonly T[]> => {
  try {
    return [await act()]
  } catch (error) {
    if (error instanceof NotReached) return []
    throw error
  }
}

const UNAUTHORIZED = 401
/** @throws NotReached if the request was refused for its token: another check judges that. */
export const isGoodToken = ({ id, status }: ObservedExchange): void => {
  if (status.value === UNAUTHORIZED) throw new NotReached(`${id} was refused for its token`)
}

/** Judges that a request was accepted. @throws NotReached if it was refused for its token. */
export const isAcceptedWithToken = (
  answer: ObservedExchange,
  attempt: ReturnType<typeof asCalculation>,
  because: string,
): void => {
  isGoodToken(answer)
  attempt.isAccepted(because)
}

interface Timed {
  readonly scenario: { readonly kind: string }
  readonly timing: { readonly intervalMs: number; readonly toleranceMs: number }
}

/**
 * An application is NEW until a scenario is selected. If the submission itself selects one, its status changes in time.
 * @throws NotReached if so much of the target's time has passed that the status may have changed.
 */
export const isStillNew = (
  { scenario, timing }: Timed,
  submission: ObservedExchange,
  answer: ObservedExchange,
): void => {
  const passed = answer.sentAt.getTime() - submission.sentAt.getTime()
  if (scenario.kind === 'parameter' && passed >= timing.intervalMs - timing.toleranceMs)
    throw new NotReached(`the status of the application may have changed before ${answer.id}`)
}

const aboutItsApplication = (
  answer: ObservedExchange,
  others: readonly ObservedExchange[],
): ObservedExchange => {
  if (wasNotProcessed(answer))
    throw new Inconclusive(`${answer.id} was not processed (${String(answer.status.value)})`)
  isGoodToken(answer)
  isOfTheBank(answer, others)
  return answer
}

/**
 * The status in an answer; its value is undefined if there is none.
 * @param others answers to the same operation: they show whether the bank answers JSON
 * @throws NotReached if it was refused for its token.
 * @throws Inconclusive if it is a server error, or an intermediary may have answered.
 */
export const statusIn = (
  answer: ObservedExchange,
  words: LoanWords,
  others: readonly ObservedExchange[] = [],
) => loanStatus(aboutItsApplication(answer, others), words)

/** The result code of an answer. Throws like `statusIn`. */
export const codeIn = (
  answer: ObservedExchange,
  words: LoanWords,
  others: readonly ObservedExchange[] = [],
) => loanCode(aboutItsApplication(answer, others), words)

/** Judges that an application is NEW. @throws NotReached if its status may have changed, or it has none. */
export const isNew = (
  words: LoanWords & Timed,
  submission: ObservedExchange,
  answer: ObservedExchange,
): void => {
  const status = statusIn(answer, words)
  // Another check judges that there is a status.
  if (status.value === undefined) throw new NotReached(`${answer.id} has no status`)
  isStillNew(words, submission, answer)
  status.equals('NEW')
}

/** The words of the profile, with all answers of the run. */
export const inLoans = (
  run: WholeRun,
): readonly { readonly words: LoanWords; readonly answers: Answers }[] =>
  run.profile.loans === undefined ? [] : [{ words: run.profile.loans, answers: run.exchanges }]

type Answers = readonly ObservedExchange[]

export const NO_LOANS = 'the profile has no loans'

/** An application that does not exist may be refused with a success status, and with any value as its status. */
const isRefusal = (answer: ObservedExchange, words: LoanWords): boolean => {
  const { value } = loanCode(answer, words)
  return value !== undefined && value !== null && value !== 'OK'
}

interface Reading {
  readonly answer: ObservedExchange
  readonly status: ReturnType<typeof loanStatus>
}

/** Every status that was answered in the run. */
export const statusesRead = (scenario: Scenario): Selection<Reading> =>
  inWholeRun(scenario, ['readLoan']).each(inLoans, NO_LOANS).each(readingsIn, NOT_ANSWERED)

const NOT_ANSWERED = 'no status was answered'

const readingsIn = ({ words, answers }: ReturnType<typeof inLoans>[number]): readonly Reading[] =>
  answers
    .filter((answer) => Number(answer.status.value) < 300 && !isRefusal(answer, words))
    .map((answer) => ({ answer, status: loanStatus(answer, words) }))
    .filter(({ status }) => typeof status.value === 'string')

/**
 * The statuses of each application, in the order of time. Another check judges whether they are statuses. An id may be stored
 * as a pseudonym, which stands for another application in another scenario.
 */
export const histories = (scenario: Scenario): Selection<readonly Reading[]> =>
  inWholeRun(scenario, ['readLoan'])
    .each(inLoans, NO_LOANS)
    .each((loans) => {
      const read = new Map<string, Reading[]>()
      for (const one of readingsIn(loans)) {
        const application = `${attemptOf(one.answer)} ${one.answer.request.url}`
        const isStatus = LOAN_STATUSES.some((status) => status === one.status.value)
        if (isStatus && !one.answer.isConcurrent)
          read.set(application, [...(read.get(application) ?? []), one])
      }
      return [...read.values()]
    }, NOT_ANSWERED)

/** The four paths, and the same where a DELETE comes before their end. */
const COURSES: readonly (readonly unknown[])[] = Object.values(PATHS).flatMap(({ statuses }) => [
  statuses,
  [...statuses.slice(0, -1), 'CANCELED'],
])

/** Whether one of them has these statuses in this order, with others between them or not. */
const isAlongAPath = (statuses: readonly unknown[]): boolean =>
  COURSES.some((course) => {
    const places = statuses.map((status) => course.indexOf(status))
    return places.every((place, at) => place >= (places[at - 1] ?? 0))
  })

const isFinal = ({ status }: Reading): boolean =>
  ['LOAN_DISBURSED', 'CANCELED', 'EXPIRED'].includes(String(status.value))

/** Judges that an application goes along one of the paths to its end. Statuses between two reads may be unseen. */
export const goesForward = (history: readonly Reading[]): void => {
  const end = history.findIndex(isFinal)
  const before: unknown[] = []
  for (const { status } of end < 0 ? history : history.slice(0, end + 1)) {
    const expected = `a status that may come after ${[...new Set(before)].join(', ')}`
    status.satisfies(isAlongAPath([...before, status.value]), expected)
    before.push(status.value)
  }
}

interface ReadAfterTheEnd {
  readonly end: Reading
  readonly read: Reading
  /** The time between them, in ms. */
  readonly ms: number
}

/** The first read of each application in its last status, with each later one. */
export const readsAfterTheEnd = (scenario: Scenario): Selection<ReadAfterTheEnd> =>
  histories(scenario).each((history) => {
    const [end, ...later] = history.slice(history.findIndex(isFinal))
    if (end === undefined || !isFinal(end)) return []
    const from = end.answer.sentAt.getTime()
    return later.map((read) => ({ end, read, ms: read.answer.sentAt.getTime() - from }))
  }, NOT_ANSWERED)

export const keepsLastStatus = ({ end, read }: ReadAfterTheEnd): void =>
  read.status.satisfies(read.status.value === end.status.value, `${String(end.status.value)}, which is final`)
