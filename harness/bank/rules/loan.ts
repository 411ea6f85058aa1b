import type { Recorded } from '../base-paths.ts'

/** The records of loans. They are replaced, never changed. */

export type LoanStatus =
  | 'NEW'
  | 'CUSTOMER_CREATION_IN_PROGRESS'
  | 'LOAN_APPLICATION_IN_PROGRESS'
  | 'LOAN_APPLICATION_FINISHED'
  | 'LOAN_DISBURSED'
  | 'CANCELED'
  | 'EXPIRED'

/** The scenarios of an application, as they are named on the wire. */
export const SCENARIOS = ['CANCELLED', 'EXPIRED', 'NON_CLIENT', 'CLIENT'] as const

export type Scenario = (typeof SCENARIOS)[number]

export const isScenario = (word: unknown): word is Scenario => SCENARIOS.some((scenario) => scenario === word)

/** Monthly income and expenses, in EUR. */
export interface Household {
  readonly income: number
  readonly expenses: number
  readonly children: number
}

/** The input of a precalculation. */
export interface Calculation {
  /** In EUR. */
  readonly amount: number
  /** Undefined if the request has none. */
  readonly household: Household | undefined
}

/** An offer: amount, duration and rates of a loan. */
export interface Offer {
  readonly amount: number
  /** The number of monthly instalments. */
  readonly months: number
  /** In percent a year. */
  readonly interestRate: number
  /** The annual percentage rate, with compound interest. */
  readonly annualRate: number
  /** In EUR, to the cent. */
  readonly instalment: number
  readonly isPreferred: boolean
}

/** The input of a submission. */
export interface LoanRequest {
  readonly orderNo: string
  /** In EUR. */
  readonly amount: number
  /** The scenario that the submission selects, if any. */
  readonly scenario: Scenario | undefined
}

export interface LoanApplication extends Recorded {
  readonly applicationId: string
  readonly orderNo: string
  /** In EUR. */
  readonly amount: number
  /** The unguessable part of the address of its page. */
  readonly link: string
  readonly clientId: string
  readonly submittedAt: Date
  /** The selected scenario; undefined before the selection. */
  readonly scenario: Scenario | undefined
  readonly status: LoanStatus
  /** The statuses of its scenario, in order; none before the selection, and after a cancellation. */
  readonly path: readonly LoanStatus[]
  /** The index of its status on the path. */
  readonly step: number
  /** When the next step of its path is due; undefined if there is none. */
  readonly nextAt: Date | undefined
}

/** An access token for the loan operations. */
export interface LoanToken extends Recorded {
  readonly value: string
  readonly clientId: string
  /** The id for a revocation: a loan token has no grant of a customer, and so an id of its own. */
  readonly grantId: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

const DURATIONS = [6, 12, 24] as const

/** The duration of the preferred offer, in months. */
const ADVISED = 12

/** In percent a year. */
const INTEREST_RATE = 9.9

/** Of an annuity, to the cent. */
const instalmentOf = (amount: number, months: number): number => {
  const rate = INTEREST_RATE / 100 / 12
  return Math.round((amount * rate * 100) / (1 - (1 + rate) ** -months)) / 100
}

/** In percent a year. A loan has no fee. */
const ANNUAL_RATE = Math.round(((1 + INTEREST_RATE / 100 / 12) ** 12 - 1) * 10_000) / 100

export const offersFor = (amount: number): readonly Offer[] =>
  DURATIONS.map((months) => ({
    amount,
    months,
    interestRate: INTEREST_RATE,
    annualRate: ANNUAL_RATE,
    instalment: instalmentOf(amount, months),
    isPreferred: months === ADVISED,
  }))
