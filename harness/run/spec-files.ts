import { join } from 'node:path'
import { moduleFile, ROOT } from '../modules.ts'
import type { Plan, PlannedCheck } from '../plan/plan.ts'

/** The checks of a plan that run. */
export const running = ({ checks }: Pick<Plan, 'checks'>): readonly PlannedCheck[] =>
  checks.filter(({ heldBack }) => heldBack === undefined)

/** The modules that state them, by their paths. */
export const specFilesOf = (plan: Pick<Plan, 'checks'>): readonly string[] => [
  ...new Set(running(plan).map(({ key }) => moduleFile(join(ROOT, key.replace(/#\d+$/, ''))))),
]
