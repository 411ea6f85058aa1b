/** What is told of an application, and which one a request is about. */
import { empty, json } from '../answers.ts'
import { factsOf, Refusal, type Call } from '../call.ts'
import type { LoanAnswer, LoanAnswerFacts } from '../rules/loan-rules-of-answers.ts'
import type { Client } from '../world.ts'
import type { LoanApplication } from './loan.ts'

const PRIVATE = { 'cache-control': 'no-store' } as const

export const answer = (
  call: Call,
  client: Client,
  application: LoanApplication,
  wording: (facts: LoanAnswerFacts) => LoanAnswer,
): Response => {
  const facts = { ...factsOf(call), client, application }
  const status = call.rules.loanStatusTold({ ...facts, endpoint: call.endpoint })
  const { http, body } = wording({ ...facts, status })
  return body === undefined ? empty(http, PRIVATE) : json(http, body, PRIVATE)
}

const UNKNOWN = 'There is no such application.'

/** Nobody finds an application any more whose time is over. */
export const isKept = (call: Call, application: LoanApplication): boolean =>
  call.rules.applicationIsKept({ ...factsOf(call), application })

/** The application of the path; that of somebody else is answered like one that does not exist. */
export const openApplication = (call: Call, client: Client): LoanApplication => {
  const { endpoint, ledger } = call
  const facts = { ...factsOf(call), client, endpoint }
  const applicationId = call.parameter('applicationId')
  const { applications } = ledger
  const application = call.rules.applicationNamed({ ...facts, applicationId, applications })
  if (!application || !isKept(call, application)) throw new Refusal('application_unknown', UNKNOWN)
  const told = { ...facts, application }
  if (!call.rules.mayOpenApplication(told)) {
    throw new Refusal(call.rules.refusalOfForeignApplication(told), UNKNOWN)
  }
  return application
}
