import { randomBytes, randomUUID } from '../random.ts'
import {
  offersFor,
  type Calculation,
  type Household,
  type LoanApplication,
  type LoanRequest,
  type LoanStatus,
  type Offer,
  type Scenario,
} from './loan.ts'
import { readCalculation, readLoanRequest } from './loan-bodies.ts'
import { DAY, MINUTE, type Awaitable, type ClientFacts, type Endpoint, type Facts } from './facts.ts'
import type { RefusalWord } from './refusal-rules.ts'

/** Precalculations, the statuses of loan applications, and the answers of the loan operations. */

/** The causes of a negative result. */
export type LoanCause = 'negative_value' | 'loan_too_low' | 'loan_too_high' | 'capacity_insufficient'

interface BodyFacts extends ClientFacts {
  /** Undefined if it is not JSON. */
  readonly body: unknown
}

interface AmountFacts extends ClientFacts {
  /** A precalculation or a submission. */
  readonly endpoint: Endpoint
  readonly amount: number
}

export interface CalculationFacts extends ClientFacts {
  readonly calculation: Calculation
}

export interface LoanCalculationRules {
  /** The input of a precalculation, or the problem of the body. */
  readonly calculationOf: (facts: BodyFacts) => Calculation | string
  /** The input of an application, or the problem of the body. */
  readonly loanRequestOf: (facts: BodyFacts) => LoanRequest | string
  readonly isTooSmallALoan: (facts: AmountFacts) => boolean
  readonly isTooLargeALoan: (facts: AmountFacts) => boolean
  /** The causes that are checked, in order: the first one that holds is answered. */
  readonly loanCausesChecked: (facts: CalculationFacts) => readonly LoanCause[]
  readonly hasNegativeValue: (facts: CalculationFacts) => boolean
  /** The household that counts; undefined if the request has none. */
  readonly householdCounted: (facts: CalculationFacts) => Household | undefined
  /** The amount that a household can repay. */
  readonly capacityOf: (facts: ClientFacts & Household) => number
  readonly hasCapacity: (facts: CalculationFacts & { readonly capacity: number }) => boolean
  /** The offers of a positive result. */
  readonly loanOffers: (facts: CalculationFacts) => readonly Offer[]
  /** One offer, member by member, in order. */
  readonly offerBody: (
    facts: CalculationFacts & { readonly offer: Offer },
  ) => Readonly<Record<string, unknown>>
  readonly precalculationBody: (facts: CalculationFacts & { readonly offers: readonly unknown[] }) => unknown
  /** HTTP status of a positive result. */
  readonly precalculationStatus: (facts: CalculationFacts) => number
}

/** Both are within the bounds. */
const SMALLEST = 100
const LARGEST = 2000

/** The monthly cost of a child, in EUR. */
const COST_OF_A_CHILD = 150

/** The number of months whose savings a household may owe. */
const MONTHS = 3

/** The cost of a loan in EUR, in addition to its interest. */
const FEE = 0

const valuesOf = ({ amount, household }: Calculation): readonly number[] =>
  household ? [amount, household.income, household.expenses, household.children] : [amount]

export const loanCalculationRules: LoanCalculationRules = {
  calculationOf: ({ body }) => readCalculation(body),
  loanRequestOf: ({ body }) => readLoanRequest(body),
  isTooSmallALoan: ({ amount }) => amount < SMALLEST,
  isTooLargeALoan: ({ amount }) => amount > LARGEST,
  loanCausesChecked: () => ['negative_value', 'loan_too_low', 'loan_too_high', 'capacity_insufficient'],
  hasNegativeValue: ({ calculation }) => valuesOf(calculation).some((value) => value < 0),
  householdCounted: ({ calculation }) => calculation.household,
  capacityOf: ({ income, expenses, children }) => (income - expenses - COST_OF_A_CHILD * children) * MONTHS,
  hasCapacity: ({ calculation, capacity }) => capacity >= calculation.amount,
  loanOffers: ({ calculation }) => offersFor(calculation.amount),
  offerBody: ({ offer }) => ({
    LoanInterestRate: offer.interestRate,
    InstallmentAmount: offer.instalment,
    LoanDuration: offer.months,
    Preference: offer.isPreferred,
    MainPreference: offer.isPreferred,
    RPMN: offer.annualRate,
    LoanFee: FEE,
    TotalAmount: Math.round(offer.instalment * offer.months * 100) / 100,
  }),
  precalculationBody: ({ offers }) => offers,
  precalculationStatus: () => 200,
}

type Applications = ReadonlyMap<string, LoanApplication>

interface ApplicationFacts extends Facts {
  readonly application: LoanApplication
}

/** The facts of an operation on one application, and of the client that sends it. */
interface CallerFacts extends ApplicationFacts, ClientFacts {
  readonly endpoint: Endpoint
}

/** One transition on a path. */
interface StepFacts extends ApplicationFacts {
  /** The first transition of a path is 1. */
  readonly step: number
  readonly from: LoanStatus
  readonly to: LoanStatus
  /** All applications. */
  readonly applications: Applications
}

/** The state of an application after a cancellation, whether it was granted or not. */
export interface Outcome {
  readonly status: LoanStatus
  /** Whether it continues on its path. */
  readonly continues: boolean
}

export interface LoanRules {
  /** Different from the ids of all other applications. */
  readonly newApplicationId: (
    facts: ClientFacts & { readonly applications: Applications },
  ) => Awaitable<string>
  /** The secret part of the page's address. */
  readonly newApplicationLink: (facts: ClientFacts) => string
  readonly firstLoanStatus: (facts: ClientFacts & { readonly amount: number }) => LoanStatus
  /** The scenario that the submission itself selects; undefined if it selects none. */
  readonly scenarioOfSubmission: (
    facts: ClientFacts & { readonly request: LoanRequest },
  ) => Scenario | undefined
  /** The application with this id. */
  readonly applicationNamed: (
    facts: ClientFacts & {
      readonly endpoint: Endpoint
      readonly applicationId: string
      readonly applications: Applications
    },
  ) => LoanApplication | undefined
  /** Whether an application still exists. */
  readonly applicationIsKept: (facts: ApplicationFacts) => boolean
  /** Whether this client may use the application. */
  readonly mayOpenApplication: (facts: CallerFacts) => boolean
  /** The refusal for an application of another client. */
  readonly refusalOfForeignApplication: (facts: CallerFacts) => RefusalWord

  /** Whether this scenario can be selected now. */
  readonly mayBeSelected: (facts: ApplicationFacts & { readonly scenario: Scenario }) => boolean
  /** The statuses of a scenario, in order; the first one is that at the selection. */
  readonly loanPath: (facts: ApplicationFacts & { readonly scenario: Scenario }) => readonly LoanStatus[]
  /** The statuses after the last one of a path, if any. */
  readonly loanPathBeyondItsEnd: (facts: ApplicationFacts) => readonly LoanStatus[]
  /** How long the status before a transition lasts, in ms. */
  readonly loanStepDelay: (facts: StepFacts) => number
  /** Whether a transition happens when it is due, without a request. */
  readonly loanMovesByItself: (facts: ApplicationFacts) => boolean
  /** Whether a request for the status causes the next transition, which is due at `due`. */
  readonly loanMovesWhenAsked: (facts: ApplicationFacts & { readonly due: Date }) => boolean
  /** The ids of the applications whose status changes together with this one. */
  readonly applicationsMoved: (
    facts: ApplicationFacts & { readonly applications: Applications },
  ) => readonly string[]

  readonly mayCancelLoan: (facts: CallerFacts & { readonly status: LoanStatus }) => boolean
  readonly outcomeOfCancellation: (facts: CallerFacts) => Outcome
  readonly outcomeOfRefusedCancellation: (facts: CallerFacts) => Outcome
}

const PATHS: Readonly<Record<Scenario, readonly LoanStatus[]>> = {
  CANCELLED: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'CANCELED'],
  EXPIRED: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'EXPIRED'],
  NON_CLIENT: [
    'NEW',
    'CUSTOMER_CREATION_IN_PROGRESS',
    'LOAN_APPLICATION_IN_PROGRESS',
    'LOAN_APPLICATION_FINISHED',
    'LOAN_DISBURSED',
  ],
  CLIENT: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED', 'LOAN_DISBURSED'],
}

/** Those before LOAN_APPLICATION_FINISHED. */
const CANCELABLE = PATHS.NON_CLIENT.slice(0, 3)

const STEP = 3 * MINUTE

const RETENTION = 7 * DAY

export const loanRules: LoanRules = {
  newApplicationId: () => randomBytes(12).toString('hex'),
  newApplicationLink: () => `${randomUUID()}${randomUUID()}`,
  firstLoanStatus: () => 'NEW',
  scenarioOfSubmission: ({ request }) => request.scenario,
  applicationNamed: ({ applicationId, applications }) => applications.get(applicationId),
  applicationIsKept: ({ application, now }) => now.getTime() < application.submittedAt.getTime() + RETENTION,
  mayOpenApplication: ({ application, client }) => application.clientId === client.clientId,
  refusalOfForeignApplication: () => 'application_unknown',

  // A scenario is selected once, and not for a canceled application.
  mayBeSelected: ({ application }) => application.scenario === undefined && application.status === 'NEW',
  loanPath: ({ scenario }) => PATHS[scenario],
  loanPathBeyondItsEnd: () => [],
  loanStepDelay: () => STEP,
  loanMovesByItself: () => true,
  loanMovesWhenAsked: () => false,
  applicationsMoved: ({ application }) => [application.applicationId],

  mayCancelLoan: ({ status }) => CANCELABLE.includes(status),
  outcomeOfCancellation: () => ({ status: 'CANCELED', continues: false }),
  outcomeOfRefusedCancellation: ({ application }) => ({ status: application.status, continues: true }),
}

export interface LoanAnswerFacts extends ClientFacts {
  readonly application: LoanApplication
  /** The status that is reported. */
  readonly status: LoanStatus
}

interface PageFacts extends Facts {
  readonly application: LoanApplication
}

/** `body` is undefined for an answer without a body. */
export interface LoanAnswer {
  readonly http: number
  readonly body: Readonly<Record<string, unknown>> | undefined
}

export interface LoanAnswerRules {
  /** The status of an application in an answer. */
  readonly reportedLoanStatus: (
    facts: ClientFacts & { readonly application: LoanApplication; readonly endpoint: Endpoint },
  ) => LoanStatus
  /** The address of the page on which a scenario is selected. */
  readonly processUrl: (
    facts: Facts & { readonly application: LoanApplication; readonly origin: string; readonly path: string },
  ) => string
  readonly submissionAnswer: (facts: LoanAnswerFacts & { readonly processUrl: string }) => LoanAnswer
  readonly statusAnswer: (facts: LoanAnswerFacts) => LoanAnswer
  readonly cancellationAnswer: (facts: LoanAnswerFacts) => LoanAnswer
  /** The answer to a selection by a call, not on the page. */
  readonly selectionAnswer: (facts: LoanAnswerFacts) => LoanAnswer
  /** Whether a welcome page comes before the choice. */
  readonly selectionBeginsWithWelcome: (facts: PageFacts) => boolean
  /** Whether the browser is sent back to the page after a selection, or shown its result. */
  readonly selectionReturnsToThePage: (facts: PageFacts) => boolean
}

const OK = 'OK'

export const loanAnswerRules: LoanAnswerRules = {
  reportedLoanStatus: ({ application }) => application.status,
  processUrl: ({ origin, path }) => `${origin}${path}`,
  submissionAnswer: ({ application, processUrl, status }) => ({
    http: 201,
    body: {
      applicationId: application.applicationId,
      applicationProcessUrl: processUrl,
      applicationStatus: status,
    },
  }),
  statusAnswer: ({ status }) => ({ http: 200, body: { resultCode: OK, applicationStatus: status } }),
  cancellationAnswer: ({ status }) => ({ http: 200, body: { resultCode: OK, applicationStatus: status } }),
  selectionAnswer: () => ({ http: 204, body: undefined }),
  selectionBeginsWithWelcome: () => false,
  selectionReturnsToThePage: () => false,
}
