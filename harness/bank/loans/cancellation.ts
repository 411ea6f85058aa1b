/** DELETE /v1/applications/{application-id}. */
import { factsOf, Refusal, type Call } from '../call.ts'
import { branchOf } from '../parts.ts'
import { answer, openApplication } from './answers.ts'
import { authenticateLoanCaller } from './bearer.ts'
import { settle } from './moves.ts'

export const cancelApplication = async (call: Call): Promise<Response> => {
  const client = authenticateLoanCaller(call)
  const application = openApplication(call, client)
  const branch = branchOf(call.parts, application.environment)
  const facts = { ...factsOf(call), client, endpoint: call.endpoint, application }
  if (!call.rules.mayCancelLoan({ ...facts, status: application.status })) {
    settle(branch, application, call.rules.outcomeOfRefusedCancellation(facts))
    throw new Refusal('cancellation_not_allowed', 'The application is in a status that cannot be canceled.')
  }
  const canceled = settle(branch, application, call.rules.outcomeOfCancellation(facts))
  return answer(call, client, canceled, (told) => call.rules.cancellationAnswer(told))
}
