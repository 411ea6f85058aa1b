import { CHAPTERS, OWN_CHAPTER, type Chapter, type Requirement } from '../check/requirement.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { nearest } from '../profile/nearest.ts'
import { groupBy } from './lists.ts'
import { scopeOf, type ScopeName } from './scope.ts'
import type { PlannedCheck } from './plan.ts'
import type { Reason } from './reason.ts'

type Row = Requirement & { readonly chapter: Chapter }

/** A selector is a chapter, a requirement's id or a tag. */
const names = (row: Row): readonly string[] => [row.chapter, row.id, ...(row.tags ?? [])]

const matches = (row: Row, selector: string): boolean =>
  names(row).some((name) => name.toLowerCase() === selector.toLowerCase())

/** @throws ConfigurationError for a selector that matches nothing. */
const verify = (rows: readonly Row[], option: string, selectors: readonly string[]): void => {
  const known = [...new Set([...CHAPTERS, ...rows.flatMap(names)])]
  const problems = selectors
    .filter((selector) => !rows.some((row) => matches(row, selector)))
    .map((selector) => {
      const right = nearest(selector, known)
      const hint = right === undefined ? '' : `; did you mean ${right}?`
      return `${option} ${selector}: no chapter, requirement id or tag has this name${hint}`
    })
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** Why a requirement is not selected; undefined for a selected one. */
export const createSelection = (
  rows: readonly Row[],
  { only, skip, scope = 'full' }: Selectors,
): ((row: Row) => Reason | undefined) => {
  verify(rows, '--only', only)
  verify(rows, '--skip', skip)
  const { chapters } = scopeOf(scope)
  return (row) => {
    const skipped = skip.find((selector) => matches(row, selector))
    const left = (because: string): Reason => ({ kind: 'not-selected', because })
    // Own checks are added to any scope.
    if (row.chapter !== OWN_CHAPTER && !chapters.includes(row.chapter))
      return left(`not in the scope ${scope}`)
    if (only.length > 0 && !only.some((selector) => matches(row, selector)))
      return left('not selected by --only')
    return skipped === undefined ? undefined : left(`left out by --skip ${skipped}`)
  }
}

interface Selectors {
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly scope?: ScopeName | undefined
}

/** Limits the plan to the authorizations that a person may be asked for. */

/** A scenario with customer authorizations. */
interface Candidate {
  readonly scenario: string
  readonly own: number
  /** The grants that it shares with others. */
  readonly grants: readonly string[]
  readonly checks: readonly PlannedCheck[]
}

interface Choice {
  readonly chosen: ReadonlySet<Candidate>
  readonly grants: ReadonlySet<string>
  readonly spent: number
  readonly judged: ReadonlySet<string>
}

/** The number of a scenario's own authorizations. A property authorizes in each of its runs. */
export const ownAuthorizations = (
  { authorizations, property }: Pick<PlannedCheck, 'authorizations' | 'property'>,
  runs: number,
): number => authorizations * (property ? runs : 1)

const candidatesIn = (checks: readonly PlannedCheck[], runs: number): readonly Candidate[] => {
  const groups = groupBy(checks, ({ scenario }) => scenario)
  return [...groups].map(([scenario, own]) => ({
    scenario,
    own: Math.max(...own.map((check) => ownAuthorizations(check, runs))),
    grants: [...new Set(own.flatMap(({ grants = [] }) => grants))],
    checks: own,
  }))
}

const costOf = ({ own, grants }: Candidate, made: ReadonlySet<string>): number =>
  own + grants.filter((grant) => !made.has(grant)).length

/** Adds a candidate, and all scenarios that need only the grants that then exist. */
const withAll = (choice: Choice, candidate: Candidate, all: readonly Candidate[]): Choice => {
  const grants = new Set([...choice.grants, ...candidate.grants])
  const free = all.filter((one) => costOf(one, grants) === 0)
  const chosen = new Set([...choice.chosen, candidate, ...free])
  return {
    chosen,
    grants,
    spent: choice.spent + costOf(candidate, choice.grants),
    judged: new Set([...chosen].flatMap(({ checks }) => checks.map(({ requirement }) => requirement))),
  }
}

/** The priority of a candidate. */
type Worth = (requirements: number, checks: number, cost: number) => number

/** New requirements per authorization first; without new requirements, further checks. */
const BY_RATIO: Worth = (requirements, checks, cost) => requirements / cost + checks / cost / 1000
const BY_GAIN: Worth = (requirements, checks) => requirements + checks / 1000

const choose = (all: readonly Candidate[], most: number, worth: Worth): Choice => {
  const nothing: Choice = { chosen: new Set(), grants: new Set(), spent: 0, judged: new Set() }
  const free = all.filter((one) => costOf(one, nothing.grants) === 0)
  let choice = free.reduce((sum, one) => withAll(sum, one, all), nothing)
  for (;;) {
    const steps = all
      .filter((one) => !choice.chosen.has(one) && choice.spent + costOf(one, choice.grants) <= most)
      .map((one) => ({ next: withAll(choice, one, all), cost: costOf(one, choice.grants) }))
    const worthOf = ({ next, cost }: (typeof steps)[number]): number =>
      worth(
        next.judged.size - choice.judged.size,
        [...next.chosen].filter((one) => !choice.chosen.has(one)).flatMap(({ checks }) => checks).length,
        cost,
      )
    const [first, ...rest] = steps
    if (first === undefined) return choice
    choice = rest.reduce((best, step) => (worthOf(step) > worthOf(best) ? step : best), first).next
  }
}

const ordinal = (count: number): string => {
  const tens = count % 100
  const suffix = ['th', 'st', 'nd', 'rd'][tens > 10 && tens < 14 ? 0 : count % 10] ?? 'th'
  return `${count}${suffix}`
}

/**
 * Holds back the scenarios that exceed the authorizations of a person. It selects by two simple rules and keeps the
 * selection that judges more requirements.
 * @param most the maximum of authorizations in one run.
 */
export const withinMost = (
  checks: readonly PlannedCheck[],
  most: number,
  runs: number,
): readonly PlannedCheck[] => {
  const candidates = candidatesIn(
    checks.filter(({ heldBack }) => heldBack === undefined),
    runs,
  )
  const [ratio, gain] = [choose(candidates, most, BY_RATIO), choose(candidates, most, BY_GAIN)]
  const { chosen } = gain.judged.size > ratio.judged.size ? gain : ratio
  const kept = new Set([...chosen].map(({ scenario }) => scenario))
  const heldBack: Reason = {
    kind: 'too-many-prompts',
    because: `it would need a ${ordinal(most + 1)} authorization by a person (authorization.most: ${most})`,
    changes: [
      {
        change: 'profile',
        what: 'more authorizations by a person (authorization.most)',
        example: `authorization: { most: ${2 * most} }`,
      },
    ],
  }
  return checks.map((check) =>
    check.heldBack !== undefined || kept.has(check.scenario) ? check : { ...check, heldBack },
  )
}
