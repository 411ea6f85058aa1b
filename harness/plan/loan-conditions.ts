import type { Need } from '../check/scenario.ts'
import type { Profile } from '../profile/schema.ts'

type LoanNeed = Extract<Need, 'loans' | `loan-${string}`>

/** Which needs of the loan API a profile meets: there is a sandbox of it, and nothing in production. */
export const loanConditions = ({ loans, environment }: Profile): Readonly<Record<LoanNeed, boolean>> => ({
  loans: loans !== undefined && environment === 'sandbox',
  'loan-api': loans !== undefined,
  'loan-selection-after-submission': loans !== undefined && loans.scenario.kind !== 'parameter',
  'loan-code': loans?.status.code !== undefined,
  'loan-cause': loans?.precalculation.cause !== undefined,
})
