import type { Need, ScenarioOptions } from '../../harness/session/index.ts'

/** The options that most scenarios have, by what is done in them. */

/** Customers grant that often, to applications of each kind. */
export const granting = (authorizations: number, ...needs: readonly Need[]): ScenarioOptions => ({
  effect: 'consent',
  as: 'each',
  authorizations,
  needs: ['customer', ...needs],
})

/** Customers grant a TPP that often, and something happens of which it is notified. */
export const notifying = (authorizations: number, ...needs: readonly Need[]): ScenarioOptions => ({
  ...granting(authorizations, ...needs),
  effect: 'notify',
  as: 'TPP',
})

/** So many loan applications are submitted. */
export const applying = (submitted: number, ...needs: readonly Need[]): ScenarioOptions => ({
  effect: 'apply',
  as: 'any',
  needs: ['loans', ...needs],
  loans: { submitted },
})
