/** The status of an application changes by the bank's clock, from the selection of a scenario on. */
import { type Branch, factsAt } from '../call.ts'
import type { Outcome } from '../rules/loan-rules.ts'
import type { LoanApplication, Scenario } from './loan.ts'

/** The application on the path of a scenario, at its first status. */
export const setOut = (branch: Branch, application: LoanApplication, scenario: Scenario): LoanApplication => {
  const selected = { ...application, scenario }
  const path = branch.rules.loanPath({ ...factsAt(branch), application: selected, scenario })
  return arrive(branch, { ...selected, path, step: 0, status: path[0] ?? application.status })
}

/** Writes down the status that an application has come to, and lets time do the rest. */
const arrive = (branch: Branch, arrived: LoanApplication): LoanApplication => {
  const path = continued(branch, arrived)
  const nextAt = nextMoveOf(branch, { ...arrived, path })
  const application = { ...arrived, path, nextAt }
  branch.ledger.applications.set(application.applicationId, application)
  if (nextAt) branch.clock.schedule(nextAt, () => follow(branch, application))
  return application
}

/** The path, with what follows on its end once that has been reached. */
const continued = (branch: Branch, application: LoanApplication): LoanApplication['path'] => {
  const { path, step } = application
  if (step < path.length - 1) return path
  return [...path, ...branch.rules.loanPathBeyondItsEnd({ ...factsAt(branch), application })]
}

const nextMoveOf = (branch: Branch, application: LoanApplication): Date | undefined => {
  const { status: from, path } = application
  const step = application.step + 1
  const to = path[step]
  if (to === undefined) return undefined
  const facts = factsAt(branch)
  const { applications } = branch.ledger
  const delay = branch.rules.loanStepDelay({ ...facts, application, step, from, to, applications })
  return new Date(facts.now.getTime() + delay)
}

const follow = (branch: Branch, application: LoanApplication): void => {
  const { ledger, rules } = branch
  const { applications } = ledger
  // Something else has moved it first.
  if (applications.get(application.applicationId)?.nextAt !== application.nextAt) return
  const facts = { ...factsAt(branch), application }
  if (!rules.loanMovesByItself(facts)) return
  for (const applicationId of rules.applicationsMoved({ ...facts, applications })) {
    const moved = applications.get(applicationId)
    if (moved) takeStep(branch, moved)
  }
}

/** The application at the next status of its path, if there is one. */
export const takeStep = (branch: Branch, application: LoanApplication): LoanApplication => {
  const step = application.step + 1
  const status = application.path[step]
  return status === undefined ? application : arrive(branch, { ...application, step, status })
}

/** What a cancellation has made of it. */
export const settle = (
  branch: Branch,
  application: LoanApplication,
  { status, goesOn }: Outcome,
): LoanApplication => {
  const settled = { ...application, status, ...(!goesOn && { path: [], step: 0, nextAt: undefined }) }
  branch.ledger.applications.set(settled.applicationId, settled)
  return settled
}
