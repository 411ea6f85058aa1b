import { EFFECTS } from '../evidence/effect.ts'
import { costLines } from './render-plan.ts'
import { writeLines } from './writes.ts'
import type { Effect } from '../evidence/effect.ts'
import type { Plan } from './plan.ts'
import type { PlanHeading } from './render-plan.ts'

/** What a run does in production beyond reading and consents: whoever starts it is asked back. */

const HARMLESS: ReadonlySet<Effect> = new Set(['read', 'consent'])

/** The effects of that kind, the mildest first; none where nothing needs to be asked. */
export const graveEffects = (plan: Plan, environment: string): readonly Effect[] => {
  const effects = plan.checks
    .filter(({ heldBack }) => heldBack === undefined)
    .flatMap(({ effect, elsewhere }) => (environment === 'production' ? [effect] : (elsewhere ?? [])))
  return EFFECTS.filter((effect) => effects.includes(effect) && !HARMLESS.has(effect))
}

/** What is told before it is asked, a line each; nothing where nothing needs to be asked. */
export const renderGravity = (
  plan: Plan,
  heading: Pick<PlanHeading, 'target' | 'environment' | 'payment' | 'written'>,
): readonly string[] => {
  const effects = graveEffects(plan, heading.environment)
  if (effects.length === 0) return []
  return [
    `${heading.target}: this run acts in production, beyond reading and consents.`,
    `  effects          ${effects.join(', ')}`,
    ...costLines(plan, heading),
    ...(heading.written === undefined ? [] : ['', 'Where it writes', ...writeLines(plan, heading.written)]),
  ]
}
