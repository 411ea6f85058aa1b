import { ownAuthorizations } from './within-most.ts'
import type { PlannedCheck } from './plan.ts'

/** Grants that scenarios share, and who is asked for what. */

const BETWEEN = ' for '

/** What a grant that scenarios share is known by. */
export const grantName = (application: string, customer: string): string =>
  `${application}${BETWEEN}${customer}`

/** Each is made once, and serves all who only read. */
export const sharedGrants = (running: readonly PlannedCheck[]): readonly string[] => [
  ...new Set(running.flatMap(({ grants = [] }) => grants)),
]

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** How often the run asks whom: beforehand, for whoever has to be there. */
export const askedLines = (running: readonly PlannedCheck[], runs: number): readonly string[] => {
  const counts = new Map<string, number>()
  const add = (whom: string, count: number): void => {
    counts.set(whom, (counts.get(whom) ?? 0) + count)
  }
  for (const grant of sharedGrants(running)) add(grant.slice(grant.indexOf(BETWEEN) + BETWEEN.length), 1)
  const scenarios = new Map(running.map((check) => [check.scenario, check]))
  for (const check of scenarios.values()) {
    const own = ownAuthorizations(check, runs)
    if (own > 0) add((check.customers ?? []).join(' or '), own)
  }
  return counts.size === 0
    ? []
    : [
        `  a person         is asked at most ${[...counts].map(([whom, count]) => `${times(count)} to act as ${whom}`).join(', ')}`,
      ]
}
