import * as z from 'zod'
import type { EnvironmentName } from '../base-paths.ts'

/** The records of loans. They are replaced, never changed. */

export type LoanStatus =
  | 'NEW'
  | 'CUSTOMER_CREATION_IN_PROGRESS'
  | 'LOAN_APPLICATION_IN_PROGRESS'
  | 'LOAN_APPLICATION_FINISHED'
  | 'LOAN_DISBURSED'
  | 'CANCELED'
  | 'EXPIRED'

/** What is to become of an application, as it is called on the wire. */
export const SCENARIOS = ['CANCELLED', 'EXPIRED', 'NON_CLIENT', 'CLIENT'] as const

export type Scenario = (typeof SCENARIOS)[number]

export const isScenario = (word: unknown): word is Scenario => SCENARIOS.some((scenario) => scenario === word)

/** What somebody earns and spends in a month, in EUR. */
export interface Household {
  readonly income: number
  readonly expenses: number
  readonly children: number
}

/** What a precalculation asks for. */
export interface Calculation {
  /** In EUR. */
  readonly amount: number
  /** Nothing, if the request does not speak of it. */
  readonly household: Household | undefined
}

/** One way to pay a loan back. */
export interface Offer {
  readonly amount: number
  /** How many instalments there are, one a month. */
  readonly months: number
  /** In percent a year. */
  readonly interestRate: number
  /** The annual percentage rate: what a year costs with interest on interest, in percent. */
  readonly annualRate: number
  /** In EUR, to the cent. */
  readonly instalment: number
  readonly isPreferred: boolean
}

/** What a submission asks for. */
export interface LoanRequest {
  readonly orderNo: string
  /** In EUR. */
  readonly amount: number
  /** A scenario that is selected along with the submission. */
  readonly scenario: Scenario | undefined
}

interface Recorded {
  readonly environment: EnvironmentName
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
  /** What was selected for it; nothing before the selection. */
  readonly scenario: Scenario | undefined
  readonly status: LoanStatus
  /** The statuses of its scenario, in order; none before the selection, and after a cancellation. */
  readonly path: readonly LoanStatus[]
  /** How far on its path it is. */
  readonly step: number
  /** When the next step of its path is due; nothing if there is none. */
  readonly nextAt: Date | undefined
}

/** Opens the loan operations to an application. */
export interface LoanToken extends Recorded {
  readonly value: string
  readonly clientId: string
  /** What a revocation names: a loan token descends from no customer's grant, and has a name of its own. */
  readonly grantId: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

const DURATIONS = [6, 12, 24] as const

/** The duration that the bank would advise. */
const ADVISED = 12

/** In percent a year. */
const INTEREST_RATE = 9.9

/** Of an annuity, to the cent. */
const instalmentOf = (amount: number, months: number): number => {
  const rate = INTEREST_RATE / 100 / 12
  return Math.round((amount * rate * 100) / (1 - (1 + rate) ** -months)) / 100
}

/** In percent a year. Nothing but the interest is paid for a loan. */
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

/** The bodies of the loan operations. What has not its form is no request at all; what it asks for is for the rules. */

const whole = z.number().refine(Number.isInteger)

const calculation = z.object({
  loanAmount: whole,
  capacityInfo: z
    .object({ monthlyIncome: whole, monthlyExpenses: whole, numberOfChildren: whole })
    .optional(),
})

/** Two decimals at most, as JSON writes a number: goods have their cents. */
const hasCents = (value: number): boolean => /^-?\d+(\.\d{1,2})?$/.test(String(value))

const LONGEST_ORDER_NUMBER = 64

const order = z.object({
  orderNo: z.string().min(1).max(LONGEST_ORDER_NUMBER),
  totalAmount: z.number().refine(hasCents),
  orderItems: z.array(z.record(z.string(), z.unknown())).optional(),
})

const submission = z.object({
  financeApplication: z.object({ order, applicant: z.record(z.string(), z.unknown()).optional() }),
  scenario: z.enum(SCENARIOS).optional(),
})

const selection = z.object({ scenario: z.enum(SCENARIOS) })

/** Where the problem is; what stands there is not repeated. */
const problemOf = ({ issues }: z.ZodError): string => {
  const places = new Set(issues.map(({ path }) => (path.length === 0 ? 'the body' : path.join('.'))))
  return `The request has not its form at ${[...places].join(', ')}.`
}

export const readCalculation = (body: unknown): Calculation | string => {
  const told = calculation.safeParse(body)
  if (!told.success) return problemOf(told.error)
  const { loanAmount: amount, capacityInfo: info } = told.data
  const household = info && {
    income: info.monthlyIncome,
    expenses: info.monthlyExpenses,
    children: info.numberOfChildren,
  }
  return { amount, household }
}

export const readLoanRequest = (body: unknown): LoanRequest | string => {
  const told = submission.safeParse(body)
  if (!told.success) return problemOf(told.error)
  const { financeApplication, scenario } = told.data
  const { orderNo, totalAmount: amount } = financeApplication.order
  return { orderNo, amount, scenario }
}

/** The scenario that a body selects; nothing if it selects none. */
export const readSelection = (body: unknown): Scenario | undefined => selection.safeParse(body).data?.scenario
