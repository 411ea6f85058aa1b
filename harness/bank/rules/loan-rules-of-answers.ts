/** What is told of a loan application, member by member, and the HTTP statuses beside it. */
import type { LoanApplication, LoanStatus } from '../loans/loan.ts'
import type { ClientFacts, Endpoint, Facts } from './facts.ts'

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
