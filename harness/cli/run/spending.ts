import { requestCounts } from '../../report/evidence-file.ts'
import { createBudget, type Limits } from '../../session/http/budget.ts'
import type { Certification } from '../../engine/certification.ts'
import type { Operation } from '../../evidence/effect.ts'
import type { Preparation } from './prepare.ts'

/** What a run may send, where it has a budget. */
export const limitsOf = ({
  options,
  subject,
}: Pick<Preparation, 'options' | 'subject'>): Limits | undefined => {
  const { budget } = subject.profile
  const requests = options.budget ?? budget.requests
  return requests === undefined && Object.keys(budget.perOperation).length === 0
    ? undefined
    : { ...budget, requests }
}

/** The same, with what the evidence says was sent of it: by the probe, and before the run was gone on with. */
export const budgetOf = (
  preparation: Pick<Preparation, 'options' | 'subject'>,
  evidence: string,
): Pick<Certification, 'budget'> => {
  const limits = limitsOf(preparation)
  return limits === undefined ? {} : { budget: { limits, spent: requestCounts(evidence) } }
}

/** Whether one more request of that operation may be sent. */
export const isLeft = ({ budget }: Pick<Certification, 'budget'>, operation: Operation): boolean => {
  if (budget === undefined) return true
  try {
    createBudget(budget.limits, budget.spent).spend(operation)
    return true
  } catch {
    return false
  }
}
