import type { Need, ScenarioOptions } from '../../harness/session/index.ts'

/** The options of a scenario that initiates so many payments. */
export const initiating = (initiated: number, ...needs: readonly Need[]): ScenarioOptions => ({
  effect: 'pay',
  as: 'any',
  needs: ['payments', ...needs],
  payments: { initiated },
})

/** The options of a scenario in which a customer authorizes so many payments, and each is submitted. */
export const submitting = (count: number, ...needs: readonly Need[]): ScenarioOptions => ({
  ...initiating(count, 'customer', ...needs),
  authorizations: count,
  payments: { initiated: count, submitted: count },
})
