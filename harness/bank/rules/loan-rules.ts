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
import { DAY, MINUTE, type Awaitable, type ClientFacts, type Endpoint, type Facts, rule } from './facts.ts'
import type { RefusalWord } from './refusal-rules.ts'

/** Precalculations, the statuses of loan applications, and the answers of the loan operations. */

/** The causes of a negative result. */
export type LoanCause = 'negative_value' | 'loan_too_low' | 'loan_too_high' | 'capacity_insufficient'

export interface BodyFacts extends ClientFacts {
  /** Undefined if it is not JSON. */
  readonly body: unknown
}

export interface AmountFacts extends ClientFacts {
  /** A precalculation or a submission. */
  readonly endpoint: Endpoint
  readonly amount: number
}

export interface CalculationFacts extends ClientFacts {
  readonly calculation: Calculation
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

export const loanCalculationRules = {
  /** The input of a precalculation, or the problem of the body. */
  calculationOf: rule<BodyFacts, Calculation | string>(({ body }) => readCalculation(body)),
  /** The input of an application, or the problem of the body. */
  loanRequestOf: rule<BodyFacts, LoanRequest | string>(({ body }) => readLoanRequest(body)),
  isTooSmallALoan: rule<AmountFacts>(({ amount }) => amount < SMALLEST),
  isTooLargeALoan: rule<AmountFacts>(({ amount }) => amount > LARGEST),
  /** The causes that are checked, in order: the first one that holds is answered. */
  loanCausesChecked: rule<CalculationFacts, readonly LoanCause[]>(() => [
    'negative_value',
    'loan_too_low',
    'loan_too_high',
    'capacity_insufficient',
  ]),
  hasNegativeValue: rule<CalculationFacts>(({ calculation }) =>
    valuesOf(calculation).some((value) => value < 0),
  ),
  /** The household that counts; undefined if the request has none. */
  householdCounted: rule<CalculationFacts, Household | undefined>(({ calculation }) => calculation.household),
  /** The amount that a household can repay. */
  capacityOf: rule<ClientFacts & Household, number>(
    ({ income, expenses, children }) => (income - expenses - COST_OF_A_CHILD * children) * MONTHS,
  ),
  hasCapacity: rule<CalculationFacts & { readonly capacity: number }>(
    ({ calculation, capacity }) => capacity >= calculation.amount,
  ),
  /** The offers of a positive result. */
  loanOffers: rule<CalculationFacts, readonly Offer[]>(({ calculation }) => offersFor(calculation.amount)),
  /** One offer, member by member, in order. */
  offerBody: rule<CalculationFacts & { readonly offer: Offer }, Readonly<Record<string, unknown>>>(
    ({ offer }) => ({
      LoanInterestRate: offer.interestRate,
      InstallmentAmount: offer.instalment,
      LoanDuration: offer.months,
      Preference: offer.isPreferred,
      MainPreference: offer.isPreferred,
      RPMN: offer.annualRate,
      LoanFee: FEE,
      TotalAmount: Math.round(offer.instalment * offer.months * 100) / 100,
    }),
  ),
  precalculationBody: rule<CalculationFacts & { readonly offers: readonly unknown[] }, unknown>(
    ({ offers }) => offers,
  ),
  /** HTTP status of a positive result. */
  precalculationStatus: rule<CalculationFacts, number>(() => 200),
}

type Applications = ReadonlyMap<string, LoanApplication>

export interface ApplicationFacts extends Facts {
  readonly application: LoanApplication
}

/** The facts of an operation on one application, and of the client that sends it. */
export interface CallerFacts extends ApplicationFacts, ClientFacts {
  readonly endpoint: Endpoint
}

/** One transition on a path. */
export interface StepFacts extends ApplicationFacts {
  /** The first transition of a path is 1. */
  readonly step: number
  readonly from: LoanStatus
  readonly to: LoanStatus
  readonly applications: Applications
}

/** The state of an application after a cancellation, whether it was granted or not. */
export interface Outcome {
  readonly status: LoanStatus
  /** Whether it continues on its path. */
  readonly continues: boolean
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

export const loanRules = {
  /** Different from the ids of all other applications. */
  newApplicationId: rule<ClientFacts & { readonly applications: Applications }, Awaitable<string>>(() =>
    randomBytes(12).toString('hex'),
  ),
  /** The secret part of the page's address. */
  newApplicationLink: rule<ClientFacts, string>(() => `${randomUUID()}${randomUUID()}`),
  firstLoanStatus: rule<ClientFacts & { readonly amount: number }, LoanStatus>(() => 'NEW'),
  /** The scenario that the submission itself selects; undefined if it selects none. */
  scenarioOfSubmission: rule<ClientFacts & { readonly request: LoanRequest }, Scenario | undefined>(
    ({ request }) => request.scenario,
  ),
  applicationNamed: rule<
    ClientFacts & {
      readonly endpoint: Endpoint
      readonly applicationId: string
      readonly applications: Applications
    },
    LoanApplication | undefined
  >(({ applicationId, applications }) => applications.get(applicationId)),
  /** Whether an application still exists. */
  applicationIsKept: rule<ApplicationFacts>(
    ({ application, now }) => now.getTime() < application.submittedAt.getTime() + RETENTION,
  ),
  /** Whether this client may use the application. */
  mayOpenApplication: rule<CallerFacts>(
    ({ application, client }) => application.clientId === client.clientId,
  ),
  /** The refusal for an application of another client. */
  refusalOfForeignApplication: rule<CallerFacts, RefusalWord>(() => 'application_unknown'),

  /** Whether this scenario can be selected now. */
  // A scenario is selected once, and not for a canceled application.
  mayBeSelected: rule<ApplicationFacts & { readonly scenario: Scenario }>(
    ({ application }) => application.scenario === undefined && application.status === 'NEW',
  ),
  /** The statuses of a scenario, in order; the first one is that at the selection. */
  loanPath: rule<ApplicationFacts & { readonly scenario: Scenario }, readonly LoanStatus[]>(
    ({ scenario }) => PATHS[scenario],
  ),
  /** The statuses after the last one of a path, if any. */
  loanPathBeyondItsEnd: rule<ApplicationFacts, readonly LoanStatus[]>(() => []),
  /** How long the status before a transition lasts, in ms. */
  loanStepDelay: rule<StepFacts, number>(() => STEP),
  /** Whether a transition happens when it is due, without a request. */
  loanMovesByItself: rule<ApplicationFacts>(() => true),
  /** Whether a request for the status causes the next transition, which is due at `due`. */
  loanMovesWhenAsked: rule<ApplicationFacts & { readonly due: Date }>(() => false),
  /** The ids of the applications whose status changes together with this one. */
  applicationsMoved: rule<ApplicationFacts & { readonly applications: Applications }, readonly string[]>(
    ({ application }) => [application.applicationId],
  ),

  mayCancelLoan: rule<CallerFacts & { readonly status: LoanStatus }>(({ status }) =>
    CANCELABLE.includes(status),
  ),
  outcomeOfCancellation: rule<CallerFacts, Outcome>(() => ({ status: 'CANCELED', continues: false })),
  outcomeOfRefusedCancellation: rule<CallerFacts, Outcome>(({ application }) => ({
    status: application.status,
    continues: true,
  })),
}

export interface LoanAnswerFacts extends ClientFacts {
  readonly application: LoanApplication
  readonly status: LoanStatus
}

export interface PageFacts extends Facts {
  readonly application: LoanApplication
}

/** `body` is undefined for an answer without a body. */
export interface LoanAnswer {
  readonly http: number
  readonly body: Readonly<Record<string, unknown>> | undefined
}

const OK = 'OK'

export const loanAnswerRules = {
  /** The status of an application in an answer. */
  reportedLoanStatus: rule<
    ClientFacts & { readonly application: LoanApplication; readonly endpoint: Endpoint },
    LoanStatus
  >(({ application }) => application.status),
  /** The address of the page on which a scenario is selected. */
  processUrl: rule<
    Facts & { readonly application: LoanApplication; readonly origin: string; readonly path: string },
    string
  >(({ origin, path }) => `${origin}${path}`),
  submissionAnswer: rule<LoanAnswerFacts & { readonly processUrl: string }, LoanAnswer>(
    ({ application, processUrl, status }) => ({
      http: 201,
      body: {
        applicationId: application.applicationId,
        applicationProcessUrl: processUrl,
        applicationStatus: status,
      },
    }),
  ),
  statusAnswer: rule<LoanAnswerFacts, LoanAnswer>(({ status }) => ({
    http: 200,
    body: { resultCode: OK, applicationStatus: status },
  })),
  cancellationAnswer: rule<LoanAnswerFacts, LoanAnswer>(({ status }) => ({
    http: 200,
    body: { resultCode: OK, applicationStatus: status },
  })),
  /** The answer to a selection by a call, not on the page. */
  selectionAnswer: rule<LoanAnswerFacts, LoanAnswer>(() => ({ http: 204, body: undefined })),
  /** Whether a welcome page comes before the choice. */
  selectionBeginsWithWelcome: rule<PageFacts>(() => false),
  /** Whether the browser is sent back to the page after a selection, or shown its result. */
  selectionReturnsToThePage: rule<PageFacts>(() => false),
}
