/** PUT /v1/applications/precalculation: whether a loan would be granted, and on which terms. */
import { json } from '../answers.ts'
import { factsOf, Refusal, type Call } from '../call.ts'
import type { Rules } from '../rules.ts'
import type { CalculationFacts, LoanCause } from '../rules/loan-rules-of-calculation.ts'
import { authenticateLoanCaller } from './bearer.ts'
import { jsonOf } from './requests.ts'

export const precalculate = async (call: Call): Promise<Response> => {
  const client = authenticateLoanCaller(call)
  const told = { ...factsOf(call), client }
  const calculation = call.rules.calculationOf({ ...told, body: await jsonOf(call) })
  if (typeof calculation === 'string') throw new Refusal('invalid_request', calculation)
  const facts = { ...told, calculation }
  const cause = call.rules.loanCausesLookedFor(facts).find((word) => HOLDS[word](call.rules, facts))
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
