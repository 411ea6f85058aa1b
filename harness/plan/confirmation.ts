import { EFFECTS, type Effect } from '../evidence/exchange.ts'
import { HARMLESS } from './build-plan.ts'
import { costLines, type PlanHeading } from './render-plan.ts'
import { writeLines } from './writes.ts'
import { running, type Plan } from './plan.ts'

/** The confirmation question of a run that does more in production than reading and consents. */

/** The effects to confirm, the weakest first; empty if no confirmation is needed. */
const graveEffects = (plan: Plan, environment: string): readonly Effect[] => {
  const effects = running(plan).flatMap(({ effect, elsewhere }) =>
    environment === 'production' ? [effect] : (elsewhere ?? []),
  )
  return EFFECTS.filter((effect) => effects.includes(effect) && !HARMLESS.has(effect))
}

/** The lines before the question; empty if no confirmation is needed. */
export const renderConfirmation = (
  plan: Plan,
  heading: Pick<PlanHeading, 'target' | 'environment' | 'payment' | 'written'>,
): readonly string[] => {
  const effects = graveEffects(plan, heading.environment)
  if (effects.length === 0) return []
  return [
    `${heading.target}: this run does more in production than reading and consents.`,
    `  effects          ${effects.join(', ')}`,
    ...costLines(plan, heading),
    ...(heading.written === undefined
      ? []
      : ['', 'Addresses of writes', ...writeLines(plan, heading.written)]),
  ]
}
