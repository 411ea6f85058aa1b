import { isFacetOf, scopeOf, type Scope } from '../plan/scope.ts'
import { testableIn, testableSentence } from '../plan/testable.ts'
import { DECIDED } from './conclude.ts'
import { OWN_CHAPTER, type Level } from '../check/requirement.ts'
import type { Plan } from '../plan/plan.ts'
import type { Report, RequirementReport } from './schema.ts'

/** How much of its scope a run judged, and what would make the rest testable. */

type Rows = readonly RequirementReport[]
type Coverage = Report['scope']['coverage']

const isDecided = ({ verdict }: Pick<RequirementReport, 'verdict'>): boolean => DECIDED.has(verdict)

/** Whether it was judged, but a facet of the scope was left out of the run. */
const isPartly = (row: RequirementReport, scope: Scope): boolean =>
  isDecided(row) &&
  row.facets.some(({ facet, verdict }) => verdict === 'not-tested' && isFacetOf(scope, facet))

const levelOf = (rows: Rows, wanted: Level): Coverage['levels'][Level] => {
  const own = rows.filter(({ level }) => level === wanted)
  return { judged: own.filter(isDecided).length, of: own.length }
}

const coverageOf = (rows: Rows, scope: Scope): Coverage => {
  const applicable = rows.filter(({ verdict }) => verdict !== 'not-applicable')
  const judged = applicable.filter(isDecided).length
  const notTested = applicable.filter(({ verdict }) => verdict === 'not-tested').length
  const unchecked = rows.filter(({ reason }) => reason === 'unchecked').length
  return {
    of: applicable.length,
    judged,
    partly: applicable.filter((row) => isPartly(row, scope)).length,
    notTested,
    notReached: applicable.length - judged - notTested,
    declared: rows.length - applicable.length - unchecked,
    unchecked,
    levels: {
      MUST: levelOf(applicable, 'MUST'),
      SHOULD: levelOf(applicable, 'SHOULD'),
      MAY: levelOf(applicable, 'MAY'),
    },
  }
}

/** A scope is complete if everything in it was judged that applies to the target, and something in each chapter. */
const isComplete = (rows: Rows, { chapters }: Scope, { judged, of, partly }: Coverage): boolean =>
  judged === of &&
  partly === 0 &&
  chapters.every((chapter) => rows.some((row) => row.chapter === chapter && isDecided(row)))

/** The scope of a run, named if it was judged completely. */
export const reportScope = (requirements: Rows, { scope: asked }: Plan): Report['scope'] => {
  const named = scopeOf(asked)
  const hasOwn = requirements.some(({ chapter }) => chapter === OWN_CHAPTER)
  const scope = hasOwn ? { ...named, chapters: [...named.chapters, OWN_CHAPTER] } : named
  const rows = requirements.filter(({ chapter }) => scope.chapters.includes(chapter))
  const coverage = coverageOf(rows, scope)
  return {
    name: isComplete(rows, scope, coverage) ? asked : 'partial',
    asked,
    version: scope.version,
    chapters: [...scope.chapters],
    facets: [...scope.facets],
    requirements: rows.length,
    coverage,
  }
}

export const reportTestable = (plan: Plan): NonNullable<Report['testable']> =>
  testableIn(plan).map((one) => ({
    ...one.change,
    requirements: [...one.requirements],
    partly: [...one.partly],
    sentence: testableSentence(one),
  }))
