import * as z from 'zod'

/** How much a target may be asked in one run. */

/** The operations that a budget may name: those of the requests that a run sends. */
export const BUDGETED = [
  'createConsent',
  'deleteConsent',
  'authorize',
  'token',
  'listAccounts',
  'readAccount',
  'listTransactions',
  'refresh',
  'initiatePayment',
  'readPayment',
  'authorizePayment',
  'submitPayment',
  'loanToken',
  'precalculateLoan',
  'applyForLoan',
  'selectLoanScenario',
  'readLoan',
  'cancelLoan',
  'lever',
  'configureWebhook',
  'probe',
] as const

const limit = z.int().min(1)

/** A request above it is not sent; the check that needs it is not reached. */
export const budget = z.strictObject({
  /** Requests of all kinds in one run, with those that look whether the target is there and that clean up. `--budget` goes before it. */
  requests: limit.optional().meta({ examples: [5000] }),
  /** Requests of one operation: `token: 200`. */
  perOperation: z.partialRecord(z.enum(BUDGETED), limit).default({}),
})

export type BudgetProfile = z.output<typeof budget>
