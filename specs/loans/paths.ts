import {
  startLine,
  type LoanScenario,
  type Following,
  type Need,
  type Session,
} from '../../harness/session/index.ts'
import type { LOAN_STATUSES, LoanLine } from '../../harness/check/index.ts'

/** The paths of the four scenarios. */

export interface LoanPath {
  /** The interface's name, spelled as a file name. */
  readonly name: string
  readonly scenario: LoanScenario
  readonly statuses: readonly (typeof LOAN_STATUSES)[number][]
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

/** About how long an application is polled: three minutes a step, and twice the longest interval at its end. */
export const followedFor = ({ statuses }: LoanPath): number =>
  (statuses.length - 1) * 3 * MINUTE_MS + 8 * MINUTE_MS

/** The options of a scenario that polls applications. */
export const following = (submitted: number, waitsMs: number) => ({
  effect: 'apply' as const,
  as: 'any' as const,
  needs: ['loans', 'clock'] as const satisfies readonly Need[],
  loans: { submitted },
  waitsMs,
})

/** The clock and the loan operations of a session. */
export const openFollowing = async (session: Session): Promise<Following> => ({
  clock: session.clock,
  loans: await session.loans(),
})

/** @throws Error if there is none: polling one application gives one line. */
export const onlyLine = (lines: readonly LoanLine[]): LoanLine => {
  const [line] = lines
  if (line === undefined) throw new Error('no application was polled')
  return line
}

/** Starts an application on that path. It is canceled as soon as it is seen in the status `cancelIn`, if one is given. */
export const begin = (
  open: Following,
  { name, scenario, statuses: path }: LoanPath,
  { cancelIn, ...order }: { readonly cancelIn?: string; readonly amount?: number } = {},
): Promise<LoanLine> =>
  startLine(open, scenario, { name, path, ...(cancelIn !== undefined && { cancelIn }) }, order)

export const hasLeftNew = ({ polls }: { readonly polls: readonly { readonly status?: string }[] }): boolean =>
  polls.some(({ status }) => status !== undefined && status !== 'NEW')
