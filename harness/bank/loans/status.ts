/** GET /v1/applications/{application-id}/status. */
import { factsOf, type Call } from '../call.ts'
import { branchOf } from '../parts.ts'
import { answer, openApplication } from './answers.ts'
import { authenticateLoanCaller } from './bearer.ts'
import type { LoanApplication } from './loan.ts'
import { takeStep } from './moves.ts'

export const readStatus = async (call: Call): Promise<Response> => {
  const client = authenticateLoanCaller(call)
  const application = asked(call, openApplication(call, client))
  return answer(call, client, application, (told) => call.rules.statusAnswer(told))
}

/** The application as it is once it has been asked for. */
const asked = (call: Call, application: LoanApplication): LoanApplication => {
  const { nextAt: due } = application
  if (!due || !call.rules.loanMovesWhenAsked({ ...factsOf(call), application, due })) return application
  return takeStep(branchOf(call.parts, application.environment), application)
}
