import {
  asCalculation,
  asStatus,
  asSubmission,
  Inconclusive,
  isRefusedBetween,
  loanCode,
  loanStatus,
  NotReached,
  wasNotProcessed,
  type LoanLine,
  type LoanWords,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import {
  startLine,
  type Following,
  type LoanScenario,
  type Need,
  type Session,
} from '../../harness/session/index.ts'

/** What the scenarios of loans have in common. Amounts are in EUR. */

/** Of scenario 1: positive wherever it is asked for. */
export const ORDINARY = 250

export const SMALLEST = 100
export const LARGEST = 2000

export const STATUSES = [
  'NEW',
  'CUSTOMER_CREATION_IN_PROGRESS',
  'LOAN_APPLICATION_IN_PROGRESS',
  'LOAN_APPLICATION_FINISHED',
  'LOAN_DISBURSED',
  'CANCELED',
  'EXPIRED',
] as const

interface Attempts {
  readonly before: ObservedExchange
  readonly changed: ObservedExchange | readonly ObservedExchange[]
  readonly after: ObservedExchange
}

type Read = (answer: ObservedExchange, words: LoanWords) => ReturnType<typeof asCalculation>

const refusedAs =
  (read: Read) =>
  ({ before, changed, after }: Attempts, words: LoanWords, because: string): void =>
    isRefusedBetween(
      {
        before: read(before, words),
        changed: [changed].flat().map((answer) => read(answer, words)),
        after: read(after, words),
      },
      because,
    )

/** Judges that a precalculation is negative between two that are positive. */
export const isNegativeBetween = refusedAs(asCalculation)

/** Judges that an application is refused between two that are accepted. */
export const isNoApplicationBetween = refusedAs(asSubmission)

/** Judges that a status is not told between two that are. */
export const isUntoldBetween = refusedAs((answer, words) => asStatus(answer, words, STATUSES))

/** Whether an answer tells a status of the interface. */
export const tellsStatus = (answer: ObservedExchange, words: LoanWords): boolean =>
  asStatus(answer, words, STATUSES).accepted

/** What comes of an act; none where what it needs has not come about. */
export const asFarAsReached = async <T>(act: () => Promise<T>): Promise<readonly T[]> => {
  try {
    return [await act()]
  } catch (error) {
    if (error instanceof NotReached) return []
    throw error
  }
}

const UNAUTHORIZED = 401
/** @throws NotReached for what was refused for its token: that is judged by itself. */
export const isGoodToken = ({ id, status }: ObservedExchange): void => {
  if (status.value === UNAUTHORIZED) throw new NotReached(`${id} was refused for its token`)
}

/** Judges that a request was accepted that the token opens. @throws NotReached where it opens nothing. */
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
 * An application is NEW until a scenario is selected. Where the submission itself selects, it moves on in time.
 * @throws NotReached where so much of the target's time has passed that it may have moved on.
 */
export const isStillNew = (
  { scenario, timing }: Timed,
  submission: ObservedExchange,
  answer: ObservedExchange,
): void => {
  const passed = answer.sentAt.getTime() - submission.sentAt.getTime()
  if (scenario.kind === 'parameter' && passed >= timing.intervalMs - timing.toleranceMs)
    throw new NotReached(`the application may have moved on before ${answer.id}`)
}

const told = (answer: ObservedExchange): ObservedExchange => {
  if (wasNotProcessed(answer))
    throw new Inconclusive(`${answer.id} looked at nothing (${String(answer.status.value)})`)
  isGoodToken(answer)
  return answer
}

/**
 * The status that an answer tells; nothing where it tells none.
 * @throws NotReached where it was refused for its token.
 * @throws Inconclusive where the target broke down.
 */
export const statusIn = (answer: ObservedExchange, words: LoanWords) => loanStatus(told(answer), words)

/** The result code of an answer. Throws like `statusIn`. */
export const codeIn = (answer: ObservedExchange, words: LoanWords) => loanCode(told(answer), words)

/** The paths of the four scenarios, and what their scenarios have in common. */

export interface LoanPath {
  /** As the interface calls it, in the spelling of a file's name. */
  readonly name: string
  readonly scenario: LoanScenario
  readonly statuses: readonly (typeof STATUSES)[number][]
}

/** States and transitions, Loan application status. */
export const PATHS = {
  cancelled: {
    name: 'cancelled',
    scenario: 'cancelled',
    statuses: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'CANCELED'],
  },
  expired: {
    name: 'expired',
    scenario: 'expired',
    statuses: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'EXPIRED'],
  },
  nonClient: {
    name: 'non-client',
    scenario: 'nonClient',
    statuses: [
      'NEW',
      'CUSTOMER_CREATION_IN_PROGRESS',
      'LOAN_APPLICATION_IN_PROGRESS',
      'LOAN_APPLICATION_FINISHED',
      'LOAN_DISBURSED',
    ],
  },
  client: {
    name: 'client',
    scenario: 'client',
    statuses: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED', 'LOAN_DISBURSED'],
  },
} as const satisfies Readonly<Record<LoanScenario, LoanPath>>

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** About how long an application is followed: three minutes a step, and twice the longest interval at its end. */
export const followedFor = ({ statuses }: LoanPath): number =>
  (statuses.length - 1) * 3 * MINUTE_MS + 8 * MINUTE_MS

/** For a scenario that follows applications. */
export const following = (submitted: number, waitsMs: number) => ({
  effect: 'apply' as const,
  as: 'any' as const,
  needs: ['loans', 'clock'] as const satisfies readonly Need[],
  loans: { submitted },
  waitsMs,
})

/** With what a session follows applications. */
export const openFollowing = async (session: Session): Promise<Following> => ({
  clock: session.clock,
  loans: await session.loans(),
})

/** @throws Error where there is none: whoever follows one application gets one line. */
export const onlyLine = (lines: readonly LoanLine[]): LoanLine => {
  const [line] = lines
  if (line === undefined) throw new Error('no application was followed')
  return line
}

/** An application on that path, to be canceled as soon as it is seen in a status, where one is given. */
export const begin = (open: Following, path: LoanPath, cancelIn?: string): Promise<LoanLine> =>
  startLine(open, path.scenario, {
    name: path.name,
    path: path.statuses,
    ...(cancelIn !== undefined && { cancelIn }),
  })

export const hasLeftNew = ({ polls }: { readonly polls: readonly { readonly status?: string }[] }): boolean =>
  polls.some(({ status }) => status !== undefined && status !== 'NEW')
