/** The life of a loan application: its identity, its path from status to status, and its end. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { LoanApplication, LoanRequest, LoanStatus, Scenario } from '../loans/loan.ts'
import { DAY, MINUTE, type Awaitable, type ClientFacts, type Endpoint, type Facts } from './facts.ts'
import type { RefusalWord } from './refusal-rules.ts'

type Applications = ReadonlyMap<string, LoanApplication>

export interface ApplicationFacts extends Facts {
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
