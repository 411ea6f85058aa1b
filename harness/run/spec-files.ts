import type { Plan, PlannedCheck } from '../plan/plan.ts'

/** The checks of a plan that run. */
export const running = ({ checks }: Pick<Plan, 'checks'>): readonly PlannedCheck[] =>
  checks.filter(({ heldBack }) => heldBack === undefined)

/** The spec file that states a check: `specs/tokens/exchange.spec.ts`. */
export const specFileOf = ({ key }: Pick<PlannedCheck, 'key'>): string => key.slice(0, key.indexOf('#'))

/** The files that state them. */
export const specFilesOf = (plan: Pick<Plan, 'checks'>): readonly string[] => [
  ...new Set(running(plan).map(specFileOf)),
]

/**
 * What stands for all spec files of a run as one, on a target that all scenarios share: so that scenarios of every
 * chapter are under way at once, and wait at the same time.
 */
export const EVERY_SHELF = 'specs/shelves.ts'
