import {
  LOAN_STATUSES,
  asCalculation,
  asStatus,
  asSubmission,
  Inconclusive,
  isOfTheBank,
  isRefusedBetween,
  loanCode,
  loanStatus,
  NotReached,
  wasNotProcessed,
  type LoanWords,
  type ObservedExchange,
} from '../../harness/check/index.ts'

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
