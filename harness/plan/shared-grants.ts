import { ownAuthorizations } from './select.ts'
import type { Variant } from '../profile/oauth.ts'
import { scenariosOf, type PlannedCheck } from './plan.ts'

/** Shared grants, and the number of prompts for a person. */

const BETWEEN = ' for '

/** The key of a shared grant. */
export const grantName = (application: string, customer: string, variant: Variant = 'first'): string =>
  `${application}${variant === 'second' ? ', second variant' : ''}${BETWEEN}${customer}`

/** The shared grants. Each is created once for all scenarios that only read. */
export const sharedGrants = (running: readonly PlannedCheck[]): readonly string[] => [
  ...new Set(running.flatMap(({ grants = [] }) => grants)),
]

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** The number of prompts for each customer. */
export const askedLines = (running: readonly PlannedCheck[], runs: number): readonly string[] => {
  const counts = new Map<string, number>()
  const add = (whom: string, count: number): void => {
    counts.set(whom, (counts.get(whom) ?? 0) + count)
  }
  for (const grant of sharedGrants(running)) add(grant.slice(grant.indexOf(BETWEEN) + BETWEEN.length), 1)
  for (const check of scenariosOf(running)) {
    const own = ownAuthorizations(check, runs)
    if (own > 0) add((check.customers ?? []).join(' or '), own)
  }
  return counts.size === 0
    ? []
    : [
        `  a person         is asked at most ${[...counts].map(([whom, count]) => `${times(count)} to act as ${whom}`).join(', ')}`,
      ]
}
