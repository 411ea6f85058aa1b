/** POST /v1/applications: an application for a loan. */
import { factsOf, Refusal, type Call } from '../call.ts'
import { branchOf } from '../parts.ts'
import type { Client } from '../world.ts'
import { answer, isKept } from './answers.ts'
import { authenticateLoanCaller } from './bearer.ts'
import type { LoanApplication, LoanRequest } from './loan.ts'
import { setOut } from './moves.ts'
import { jsonOf } from './requests.ts'

export const submitApplication = async (call: Call): Promise<Response> => {
  const client = authenticateLoanCaller(call)
  const facts = { ...factsOf(call), client }
  const request = call.rules.loanRequestOf({ ...facts, body: await jsonOf(call) })
  if (typeof request === 'string') throw new Refusal('invalid_request', request)
  checkAmount(call, client, request)
  sweep(call)
  const application = await newApplication(call, client, request)
  const branch = branchOf(call.parts, call.environment)
  call.ledger.applications.set(application.applicationId, application)
  const scenario = call.rules.scenarioOfSubmission({ ...facts, request })
  const kept = scenario === undefined ? application : setOut(branch, application, scenario)
  const path = `${call.base}/process/${kept.link}`
  const processUrl = call.rules.processUrl({ ...facts, application: kept, origin: call.url.origin, path })
  return answer(call, client, kept, (told) => call.rules.submissionAnswer({ ...told, processUrl }))
}

/** Those that nobody finds any more are given up when a new one comes; the oldest stand first. */
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
