import { randomBytes, randomUUID } from 'node:crypto'
import {
  offersFor,
  readCalculation,
  readLoanRequest,
  type Calculation,
  type Household,
  type LoanApplication,
  type LoanRequest,
  type LoanStatus,
  type LoanToken,
  type Offer,
  type Scenario,
} from '../loans/loan.ts'
import { clientRules, type Credentials } from './authorization-rules.ts'
import {
  DAY,
  MINUTE,
  newSecret,
  SECOND,
  type Awaitable,
  type ClientFacts,
  type Endpoint,
  type Facts,
  type Variant,
} from './facts.ts'
import type { PaymentToken } from '../payments/payment.ts'
import type { RefusalWord } from './account-rules.ts'
import type { Client } from '../seed-data.ts'
import type { AccessToken, Grant } from '../state.ts'

/** What may be lent and on which terms, the life of a loan application, and what is answered about it. */

/** Why nothing is lent. */
export type LoanCause = 'negative_value' | 'loan_too_low' | 'loan_too_high' | 'capacity_insufficient'

interface BodyFacts extends ClientFacts {
  /** Nothing if it is not JSON. */
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
  /** What a body asks to be calculated, or what is wrong with its form. */
  readonly calculationOf: (facts: BodyFacts) => Calculation | string
  /** What a body applies for, or what is wrong with its form. */
  readonly loanRequestOf: (facts: BodyFacts) => LoanRequest | string
  readonly isTooSmallALoan: (facts: AmountFacts) => boolean
  readonly isTooLargeALoan: (facts: AmountFacts) => boolean
  /** The causes that a calculation is looked through for, the first one that holds being the one told. */
  readonly loanCausesLookedFor: (facts: CalculationFacts) => readonly LoanCause[]
  readonly hasNegativeValue: (facts: CalculationFacts) => boolean
  /** What is counted of a household; nothing if nothing is known of one. */
  readonly householdCounted: (facts: CalculationFacts) => Household | undefined
  /** What a household can carry. */
  readonly capacityOf: (facts: ClientFacts & Household) => number
  readonly hasCapacity: (facts: CalculationFacts & { readonly capacity: number }) => boolean
  /** What a positive result offers. */
  readonly loanOffers: (facts: CalculationFacts) => readonly Offer[]
  /** One offer, member by member, in order. */
  readonly offerBody: (
    facts: CalculationFacts & { readonly offer: Offer },
  ) => Readonly<Record<string, unknown>>
  readonly precalculationBody: (facts: CalculationFacts & { readonly offers: readonly unknown[] }) => unknown
  /** HTTP status of a positive result. */
  readonly precalculationStatus: (facts: CalculationFacts) => number
}

/** Both are lent. */
const SMALLEST = 100
const LARGEST = 2000

/** What a child costs in a month. */
const COST_OF_A_CHILD = 150

/** How many months' savings a household may owe. */
const MONTHS = 3

/** In EUR, what a loan costs beside its interest. */
const FEE = 0

const valuesOf = ({ amount, household }: Calculation): readonly number[] =>
  household ? [amount, household.income, household.expenses, household.children] : [amount]

export const loanCalculationRules: LoanCalculationRules = {
  calculationOf: ({ body }) => readCalculation(body),
  loanRequestOf: ({ body }) => readLoanRequest(body),
  isTooSmallALoan: ({ amount }) => amount < SMALLEST,
  isTooLargeALoan: ({ amount }) => amount > LARGEST,
  loanCausesLookedFor: () => ['negative_value', 'loan_too_low', 'loan_too_high', 'capacity_insufficient'],
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

/** Of an operation on one application, and whose operation it is. */
interface CallerFacts extends ApplicationFacts, ClientFacts {
  readonly endpoint: Endpoint
}

/** One move along a path. */
interface StepFacts extends ApplicationFacts {
  /** The first move of a path is 1. */
  readonly step: number
  readonly from: LoanStatus
  readonly to: LoanStatus
  /** All applications that there are. */
  readonly applications: Applications
}

/** What a cancellation, granted or not, makes of an application. */
export interface Outcome {
  readonly status: LoanStatus
  /** Whether it goes on along its path. */
  readonly goesOn: boolean
}

export interface LoanRules {
  /** Unlike those of all applications there are. */
  readonly newApplicationId: (
    facts: ClientFacts & { readonly applications: Applications },
  ) => Awaitable<string>
  /** The secret part of the page's address. */
  readonly newApplicationLink: (facts: ClientFacts) => string
  readonly firstLoanStatus: (facts: ClientFacts & { readonly amount: number }) => LoanStatus
  /** The scenario that a submission selects along the way; nothing if it leaves that for later. */
  readonly scenarioOfSubmission: (
    facts: ClientFacts & { readonly request: LoanRequest },
  ) => Scenario | undefined
  /** Which application a request means that names this id. */
  readonly applicationNamed: (
    facts: ClientFacts & {
      readonly endpoint: Endpoint
      readonly applicationId: string
      readonly applications: Applications
    },
  ) => LoanApplication | undefined
  /** Whether an application is still there; one that is not is unknown. */
  readonly applicationIsKept: (facts: ApplicationFacts) => boolean
  /** Whether the application is there for this client. */
  readonly mayOpenApplication: (facts: CallerFacts) => boolean
  /** What is said of an application that is there for somebody else. */
  readonly refusalOfForeignApplication: (facts: CallerFacts) => RefusalWord

  /** Whether this scenario can be selected now. */
  readonly mayBeSelected: (facts: ApplicationFacts & { readonly scenario: Scenario }) => boolean
  /** The statuses of a scenario, in order, the first one being that of the selection. */
  readonly loanPath: (facts: ApplicationFacts & { readonly scenario: Scenario }) => readonly LoanStatus[]
  /** What follows on the last status of a path, if anything does. */
  readonly loanPathBeyondItsEnd: (facts: ApplicationFacts) => readonly LoanStatus[]
  /** How long the status before a move lasts, in ms. */
  readonly loanStepDelay: (facts: StepFacts) => number
  /** Whether a move happens when it is due, without being asked for. */
  readonly loanMovesByItself: (facts: ApplicationFacts) => boolean
  /** Whether a move happens because the status is asked for, before it is told; `due` is when the next one is. */
  readonly loanMovesWhenAsked: (facts: ApplicationFacts & { readonly due: Date }) => boolean
  /** The ids of those that move when this one does. */
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

const CANCELABLE: readonly LoanStatus[] = [
  'NEW',
  'CUSTOMER_CREATION_IN_PROGRESS',
  'LOAN_APPLICATION_IN_PROGRESS',
]

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

  // A scenario is selected once. One that was canceled before has nowhere to go.
  mayBeSelected: ({ application }) => application.scenario === undefined && application.status === 'NEW',
  loanPath: ({ scenario }) => PATHS[scenario],
  loanPathBeyondItsEnd: () => [],
  loanStepDelay: () => STEP,
  loanMovesByItself: () => true,
  loanMovesWhenAsked: () => false,
  applicationsMoved: ({ application }) => [application.applicationId],

  mayCancelLoan: ({ status }) => CANCELABLE.includes(status),
  outcomeOfCancellation: () => ({ status: 'CANCELED', goesOn: false }),
  outcomeOfRefusedCancellation: ({ application }) => ({ status: application.status, goesOn: true }),
}

export interface LoanAnswerFacts extends ClientFacts {
  readonly application: LoanApplication
  /** What is said to be its status. */
  readonly status: LoanStatus
}

interface PageFacts extends Facts {
  readonly application: LoanApplication
}

/** An answer without a body has none, not even an empty one. */
export interface LoanAnswer {
  readonly http: number
  readonly body: Readonly<Record<string, unknown>> | undefined
}

export interface LoanAnswerRules {
  /** What an answer says to be the status of an application. */
  readonly loanStatusTold: (
    facts: ClientFacts & { readonly application: LoanApplication; readonly endpoint: Endpoint },
  ) => LoanStatus
  /** The address of the page on which a scenario is selected. */
  readonly processUrl: (
    facts: Facts & { readonly application: LoanApplication; readonly origin: string; readonly path: string },
  ) => string
  readonly submissionAnswer: (facts: LoanAnswerFacts & { readonly processUrl: string }) => LoanAnswer
  readonly statusAnswer: (facts: LoanAnswerFacts) => LoanAnswer
  readonly cancellationAnswer: (facts: LoanAnswerFacts) => LoanAnswer
  /** To a selection by a call, not to one on the page. */
  readonly selectionAnswer: (facts: LoanAnswerFacts) => LoanAnswer
  /** Whether the page welcomes its visitor before it asks. */
  readonly selectionBeginsWithWelcome: (facts: PageFacts) => boolean
  /** Whether the browser is sent back to the page after a selection, or shown its result. */
  readonly selectionReturnsToThePage: (facts: PageFacts) => boolean
}

const OK = 'OK'

export const loanAnswerRules: LoanAnswerRules = {
  loanStatusTold: ({ application }) => application.status,
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

/** The tokens of the loan operations: who gets them, how long they live, and what else opens what. */

interface CarryingFacts extends Facts {
  readonly endpoint: Endpoint
}

interface LoanTokenFacts extends CarryingFacts {
  readonly token: LoanToken
}

export interface LoanTokenRules {
  /** What a request for a token says about its client: in the header, or else in the form. */
  readonly loanCredentials: (
    facts: Facts & { readonly header: string | undefined; readonly form: URLSearchParams },
  ) => Credentials | undefined
  readonly loanSecretMatches: (facts: ClientFacts & { readonly secret: string }) => Awaitable<boolean>
  readonly loanGrantTypeIsAccepted: (facts: ClientFacts & { readonly grantType: string }) => boolean
  /** Whether loans can be asked for under this scope; nothing if the request names none. */
  readonly loanScopeIsAccepted: (facts: ClientFacts & { readonly scope: string | undefined }) => boolean
  /** Given all tokens there are: one that is issued again lives anew. */
  readonly newLoanToken: (facts: ClientFacts & { readonly tokens: ReadonlyMap<string, LoanToken> }) => string
  /** In ms. */
  readonly loanTokenLifetime: (facts: ClientFacts) => number
  /** Whether an older token of the client dies when it gets a new one. */
  readonly newLoanTokenEnds: (facts: ClientFacts & { readonly older: LoanToken }) => boolean
  /** The token response, member by member, in order; `lifetime` is in ms. */
  readonly loanTokenBody: (
    facts: ClientFacts & { readonly value: string; readonly lifetime: number; readonly scope: string },
  ) => Readonly<Record<string, unknown>>

  /** The token that a loan operation carries; nothing if it carries none in the Authorization header. */
  readonly loanTokenCarried: (
    facts: CarryingFacts & { readonly header: string | undefined },
  ) => string | undefined
  /** Which token carries this value. */
  readonly loanTokenNamed: (
    facts: CarryingFacts & { readonly value: string; readonly tokens: ReadonlyMap<string, LoanToken> },
  ) => LoanToken | undefined
  readonly loanTokenIsFresh: (facts: LoanTokenFacts) => boolean
  readonly loanTokenIsRevoked: (facts: LoanTokenFacts & { readonly revokedAt: Date | undefined }) => boolean
  /** Whom a loan operation is taken for that carries no token, or one that nobody knows. */
  readonly loanCallerOtherwise: (
    facts: CarryingFacts & { readonly value: string | undefined; readonly clients: readonly Client[] },
  ) => Client | undefined
  /** Whether a token that was issued for accounts or payments, in whichever environment, opens loans. */
  readonly foreignTokenOpensLoans: (
    facts: CarryingFacts & {
      readonly token: AccessToken | PaymentToken
      readonly kind: 'accounts' | 'payments'
    },
  ) => boolean
  /** The customer's grant that a loan token is taken for by an operation of accounts. */
  readonly grantOfLoanToken: (
    facts: LoanTokenFacts & { readonly variant: Variant; readonly grants: ReadonlyMap<string, Grant> },
  ) => Grant | undefined
}

const LOAN_SCOPE = 'PAY_LATER'

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i

/** RFC 6749 §2.3.1, in the request body. */
const credentialsIn = (form: URLSearchParams): Credentials | undefined => {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
  return clientId === null || secret === null ? undefined : { clientId, secret }
}

export const loanTokenRules: LoanTokenRules = {
  loanCredentials: ({ header, form, environment, now }) =>
    header === undefined
      ? credentialsIn(form)
      : clientRules.basicCredentials({ environment, now, header, endpoint: 'loan-token' }),
  loanSecretMatches: ({ client, secret }) => client.secret === secret,
  loanGrantTypeIsAccepted: ({ grantType }) => grantType === 'client_credentials',
  loanScopeIsAccepted: ({ scope }) => scope === LOAN_SCOPE,
  newLoanToken: newSecret,
  loanTokenLifetime: () => DAY,
  newLoanTokenEnds: () => false,
  loanTokenBody: ({ value, lifetime, scope }) => ({
    access_token: value,
    token_type: 'Bearer',
    expires_in: Math.floor(lifetime / SECOND),
    scope,
  }),

  loanTokenCarried: ({ header }) => (header === undefined ? undefined : BEARER.exec(header)?.[1]),
  loanTokenNamed: ({ value, tokens }) => tokens.get(value),
  loanTokenIsFresh: ({ token, now }) => now < token.expiresAt,
  loanTokenIsRevoked: ({ revokedAt }) => revokedAt !== undefined,
  loanCallerOtherwise: () => undefined,
  foreignTokenOpensLoans: () => false,
  grantOfLoanToken: () => undefined,
}
