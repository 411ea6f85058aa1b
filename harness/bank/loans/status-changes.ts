/** Changes the status of applications by the bank's clock, after the selection of a scenario. */
import { type BankContext, factsAt } from '../call.ts'
import type { Outcome } from '../rules/loan-rules.ts'
import type { LoanApplication, Scenario } from '../rules/loan.ts'

/** Puts an application on the path of a scenario, at its first status. */
export const startPath = (
  context: BankContext,
  application: LoanApplication,
  scenario: Scenario,
): LoanApplication => {
  const selected = { ...application, scenario }
  const path = context.rules.loanPath({ ...factsAt(context), application: selected, scenario })
  return arrive(context, { ...selected, path, step: 0, status: path[0] ?? application.status })
}

/** Stores the new status of an application, and schedules the next one. */
const arrive = (context: BankContext, arrived: LoanApplication): LoanApplication => {
  const path = continued(context, arrived)
  const nextAt = nextMoveOf(context, { ...arrived, path })
  const application = { ...arrived, path, nextAt }
  context.ledger.applications.set(application.applicationId, application)
  if (nextAt) context.clock.schedule(nextAt, () => follow(context, application))
  return application
}

/** The path, with the statuses after its end once that has been reached. */
const continued = (context: BankContext, application: LoanApplication): LoanApplication['path'] => {
  const { path, step } = application
  if (step < path.length - 1) return path
  return [...path, ...context.rules.loanPathBeyondItsEnd({ ...factsAt(context), application })]
}

const nextMoveOf = (context: BankContext, application: LoanApplication): Date | undefined => {
  const { status: from, path } = application
  const step = application.step + 1
  const to = path[step]
  if (to === undefined) return undefined
  const facts = factsAt(context)
  const { applications } = context.ledger
  const delay = context.rules.loanStepDelay({ ...facts, application, step, from, to, applications })
  return new Date(facts.now.getTime() + delay)
}

const follow = (context: BankContext, application: LoanApplication): void => {
  const { ledger, rules } = context
  const { applications } = ledger
  // Another change came first.
  if (applications.get(application.applicationId)?.nextAt !== application.nextAt) return
  const facts = { ...factsAt(context), application }
  if (!rules.loanMovesByItself(facts)) return
  for (const applicationId of rules.applicationsMoved({ ...facts, applications })) {
    const moved = applications.get(applicationId)
    if (moved) takeStep(context, moved)
  }
}

/** Moves the application to the next status of its path, if there is one. */
export const takeStep = (context: BankContext, application: LoanApplication): LoanApplication => {
  const step = application.step + 1
  const status = application.path[step]
  return status === undefined ? application : arrive(context, { ...application, step, status })
}

/** Stores the outcome of a cancellation. */
export const settle = (
  context: BankContext,
  application: LoanApplication,
  { status, continues }: Outcome,
): LoanApplication => {
  const settled = { ...application, status, ...(!continues && { path: [], step: 0, nextAt: undefined }) }
  context.ledger.applications.set(settled.applicationId, settled)
  return settled
}
