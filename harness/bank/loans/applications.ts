/** The loan operations except the selection of a scenario: precalculation, submission, status and cancellation. */
import { contextOf, type Call, factsOf, jsonOf, Refusal } from '../call.ts'
import { empty, json } from '../responses.ts'
import type { Rules } from '../rules.ts'
import type { CalculationFacts, LoanAnswer, LoanAnswerFacts, LoanCause } from '../rules/loan-rules.ts'
import type { Client } from '../seed-data.ts'
import type { LoanApplication, LoanRequest } from '../rules/loan.ts'
import { startPath, settle, takeStep } from './status-changes.ts'
import { authenticateLoanCaller } from './tokens.ts'

const PRIVATE = { 'cache-control': 'no-store' } as const

export const answer = (
  call: Call,
  client: Client,
  application: LoanApplication,
  wording: (facts: LoanAnswerFacts) => LoanAnswer,
): Response => {
  const facts = { ...factsOf(call), client, application }
  const status = call.rules.reportedLoanStatus({ ...facts, endpoint: call.endpoint })
  const { http, body } = wording({ ...facts, status })
  return body === undefined ? empty(http, PRIVATE) : json(http, body, PRIVATE)
}

const UNKNOWN = 'There is no such application.'

/** Whether an application exists: one that is too old is unknown. */
export const isKept = (call: Call, application: LoanApplication): boolean =>
  call.rules.applicationIsKept({ ...factsOf(call), application })

/** The application in the path; that of another client is answered like one that does not exist. */
export const openApplication = (call: Call, client: Client): LoanApplication => {
  const { endpoint, ledger } = call
  const facts = { ...factsOf(call), client, endpoint }
  const applicationId = call.parameter('applicationId')
  const { applications } = ledger
  const application = call.rules.applicationNamed({ ...facts, applicationId, applications })
  if (!application || !isKept(call, application)) throw new Refusal('application_unknown', UNKNOWN)
  const caller = { ...facts, application }
  if (!call.rules.mayOpenApplication(caller)) {
    throw new Refusal(call.rules.refusalOfForeignApplication(caller), UNKNOWN)
  }
  return application
}

export const precalculate = async (call: Call): Promise<Response> => {
  const client = authenticateLoanCaller(call)
  const known = { ...factsOf(call), client }
  const calculation = call.rules.calculationOf({ ...known, body: await jsonOf(call) })
  if (typeof calculation === 'string') throw new Refusal('invalid_request', calculation)
  const facts = { ...known, calculation }
  const cause = call.rules.loanCausesChecked(facts).find((word) => HOLDS[word](call.rules, facts))
  if (cause !== undefined) throw new Refusal(cause, DESCRIPTIONS[cause])
  const offers = call.rules.loanOffers(facts).map((offer) => call.rules.offerBody({ ...facts, offer }))
  return json(call.rules.precalculationStatus(facts), call.rules.precalculationBody({ ...facts, offers }))
}

const HOLDS: Readonly<Record<LoanCause, (rules: Rules, facts: CalculationFacts) => boolean>> = {
  negative_value: (rules, facts) => rules.hasNegativeValue(facts),
  loan_too_low: (rules, facts) => rules.isTooSmallALoan(amountOf(facts)),
  loan_too_high: (rules, facts) => rules.isTooLargeALoan(amountOf(facts)),
  capacity_insufficient: (rules, facts) => {
    const household = rules.householdCounted(facts)
    if (!household) return false
    return !rules.hasCapacity({ ...facts, capacity: rules.capacityOf({ ...facts, ...household }) })
  },
}

const amountOf = ({ calculation, ...facts }: CalculationFacts) =>
  ({ ...facts, endpoint: 'loan-precalculation', amount: calculation.amount }) as const

const DESCRIPTIONS: Readonly<Record<LoanCause, string>> = {
  negative_value: 'A value is below zero.',
  loan_too_low: 'The amount is below the least that is lent.',
  loan_too_high: 'The amount is above the most that is lent.',
  capacity_insufficient: 'The income does not carry the loan.',
}

export const submitApplication = async (call: Call): Promise<Response> => {
  const client = authenticateLoanCaller(call)
  const facts = { ...factsOf(call), client }
  const request = call.rules.loanRequestOf({ ...facts, body: await jsonOf(call) })
  if (typeof request === 'string') throw new Refusal('invalid_request', request)
  checkAmount(call, client, request)
  sweep(call)
  const application = await newApplication(call, client, request)
  const context = contextOf(call.parts, call.environment)
  call.ledger.applications.set(application.applicationId, application)
  const scenario = call.rules.scenarioOfSubmission({ ...facts, request })
  const kept = scenario === undefined ? application : startPath(context, application, scenario)
  const path = `${call.base}/process/${kept.link}`
  const processUrl = call.rules.processUrl({ ...facts, application: kept, origin: call.url.origin, path })
  return answer(call, client, kept, (facts) => call.rules.submissionAnswer({ ...facts, processUrl }))
}

/** Deletes applications that are too old when a new one is submitted; the oldest are first. */
const sweep = (call: Call): void => {
  const { applications } = call.ledger
  for (const [name, application] of applications) {
    if (isKept(call, application)) return
    applications.delete(name)
  }
}

const checkAmount = (call: Call, client: Client, { amount }: LoanRequest): void => {
  const facts = { ...factsOf(call), client, endpoint: call.endpoint, amount }
  if (call.rules.isTooSmallALoan(facts)) {
    throw new Refusal('total_too_low', 'The total amount is below the least that is lent.')
  }
  if (call.rules.isTooLargeALoan(facts)) {
    throw new Refusal('total_too_high', 'The total amount is above the most that is lent.')
  }
}

const newApplication = async (
  call: Call,
  client: Client,
  { orderNo, amount }: LoanRequest,
): Promise<LoanApplication> => {
  const facts = { ...factsOf(call), client }
  const { applications } = call.ledger
  return {
    environment: call.environment,
    applicationId: await call.rules.newApplicationId({ ...facts, applications }),
    link: call.rules.newApplicationLink(facts),
    clientId: client.clientId,
    orderNo,
    amount,
    submittedAt: call.now,
    scenario: undefined,
    status: call.rules.firstLoanStatus({ ...facts, amount }),
    path: [],
    step: 0,
    nextAt: undefined,
  }
}

export const readStatus = async (call: Call): Promise<Response> => {
  const client = authenticateLoanCaller(call)
  const application = asked(call, openApplication(call, client))
  return answer(call, client, application, (facts) => call.rules.statusAnswer(facts))
}

/** The application after a request for its status. */
const asked = (call: Call, application: LoanApplication): LoanApplication => {
  const { nextAt: due } = application
  if (!due || !call.rules.loanMovesWhenAsked({ ...factsOf(call), application, due })) return application
  return takeStep(contextOf(call.parts, application.environment), application)
}

export const cancelApplication = async (call: Call): Promise<Response> => {
  const client = authenticateLoanCaller(call)
  const application = openApplication(call, client)
  const context = contextOf(call.parts, application.environment)
  const facts = { ...factsOf(call), client, endpoint: call.endpoint, application }
  if (!call.rules.mayCancelLoan({ ...facts, status: application.status })) {
    settle(context, application, call.rules.outcomeOfRefusedCancellation(facts))
    throw new Refusal('cancellation_not_allowed', 'The application is in a status that cannot be canceled.')
  }
  const canceled = settle(context, application, call.rules.outcomeOfCancellation(facts))
  return answer(call, client, canceled, (facts) => call.rules.cancellationAnswer(facts))
}
