import { groupBy, plural } from './lists.ts'
import { facetOf, missingFacetOf, type Plan, type PlannedCheck } from './plan.ts'
import { missingKind, verdictFor, type Change, type Reason } from './reason.ts'
import { isFacetOf, scopeOf } from './scope.ts'

/** What is missing in the profile or the command, each thing once, with the requirements that it makes testable. */

export interface Testable {
  readonly change: Change
  /** Requirements that are not tested without it. */
  readonly requirements: readonly string[]
  /** Requirements that are tested, but not in every facet. */
  readonly partly: readonly string[]
  /** How many of both need something else as well. */
  readonly withOthers: number
}

/** A requirement that is not tested at all or not in a facet, with the reasons of its checks. */
interface NotTested {
  readonly requirement: string
  /** Whether another facet of it is tested. */
  readonly isPartly: boolean
  readonly reasons: readonly Reason[]
}

/** Why the facets of a check are not tested. What was not selected is left out: who selected knows it. */
const lacking = (check: PlannedCheck): readonly { readonly facet: string; readonly reason: Reason }[] => {
  const { heldBack, missingKind: kind } = check
  if (heldBack !== undefined && (verdictFor(heldBack) !== 'not-tested' || heldBack.kind === 'not-selected'))
    return []
  const missing = missingFacetOf(check)
  const own = heldBack === undefined ? [] : [{ facet: facetOf(check), reason: heldBack }]
  if (missing === undefined || kind === undefined) return own
  // An application of the other kind is held back for the same reason.
  const changes = [...(missingKind(kind).changes ?? []), ...(heldBack?.changes ?? [])]
  return [...own, { facet: missing, reason: { ...missingKind(kind), changes } }]
}

const notTestedIn = ({ checks, scope }: Plan): readonly NotTested[] =>
  [...groupBy(checks, ({ requirement }) => requirement)].flatMap(([requirement, own]): NotTested[] => {
    const tested = new Set(own.filter(({ heldBack }) => heldBack === undefined).map(facetOf))
    const untested = own.flatMap(lacking)
    if (tested.size === 0)
      return [{ requirement, isPartly: false, reasons: untested.map(({ reason }) => reason) }]
    return [...groupBy(untested, ({ facet }) => facet)]
      .filter(([facet]) => !tested.has(facet) && isFacetOf(scopeOf(scope), facet))
      .map(([, found]) => ({ requirement, isPartly: true, reasons: found.map(({ reason }) => reason) }))
  })

/** The sets of changes, each of which allows one of the checks to run. */
const setsOf = ({ reasons }: NotTested): readonly (readonly Change[])[] =>
  reasons.flatMap(({ changes = [] }) => (changes.length === 0 ? [] : [changes]))

const smallest = (one: NotTested): readonly (readonly Change[])[] => {
  const sets = setsOf(one)
  const least = Math.min(...sets.map(({ length }) => length))
  return sets.filter(({ length }) => length === least)
}

/** What most requirements need comes first. */
export const testableIn = (plan: Plan): readonly Testable[] => {
  const needed = notTestedIn(plan).flatMap((one) =>
    smallest(one).flatMap((set) => set.map((change) => ({ ...one, change, isAlone: set.length === 1 }))),
  )
  return [...groupBy(needed, ({ change: { what } }) => what).values()]
    .map((rows) => {
      const idsOf = (wanted: readonly (typeof rows)[number][]): readonly string[] => [
        ...new Set(wanted.map(({ requirement }) => requirement)),
      ]
      return {
        change: rows[0].change,
        requirements: idsOf(rows.filter(({ isPartly }) => !isPartly)),
        partly: idsOf(rows.filter(({ isPartly }) => isPartly)),
        withOthers: idsOf(rows.filter(({ isAlone }) => !isAlone)).length,
      }
    })
    .toSorted(
      (one, other) =>
        other.requirements.length - one.requirements.length || other.partly.length - one.partly.length,
    )
}

/** Changes that are made together, and how many requirements they make testable after those before them. */
interface Rung {
  readonly changes: readonly string[]
  readonly gained: number
}

/** The changes in the order in which they are best made: what gains most requirements by each change comes first. */
export const ladderOf = (plan: Plan): readonly Rung[] => {
  const climb = (open: readonly (readonly (readonly string[])[])[]): readonly Rung[] => {
    const [best] = open
      .flat()
      .map((changes) => ({ changes, gained: open.filter(isMetBy(changes)).length }))
      .toSorted((one, other) => other.gained / other.changes.length - one.gained / one.changes.length)
    if (best === undefined) return []
    const isLeft = (what: string): boolean => !best.changes.includes(what)
    const left = open.filter((sets) => !isMetBy(best.changes)(sets))
    return [best, ...climb(left.map((sets) => sets.map((set) => set.filter(isLeft))))]
  }
  const needs = notTestedIn(plan).flatMap((one) => (one.isPartly ? [] : [setsOf(one)]))
  const named = needs.map((sets) => sets.map((set) => set.map(({ what }) => what)))
  // A test hook that moves the clock takes the place of this option.
  return climb(named.map((sets) => sets.filter((set) => !set.includes('--time wall'))))
}

const isMetBy = (changes: readonly string[]) => (sets: readonly (readonly string[])[]) =>
  sets.some((set) => set.every((what) => changes.includes(what)))

export const counted = (count: number): string => plural(count, 'requirement')

/** `a second customer (customers): 7 requirements, 3 of them only with more of this list` */
export const testableSentence = ({ change, requirements, partly, withOthers }: Testable): string => {
  const [whole, all] = [requirements.length, requirements.length + partly.length]
  const counts = [
    ...(whole > 0 ? [counted(whole)] : []),
    ...(partly.length > 0 ? [`a further facet of ${counted(partly.length)}`] : []),
  ].join(' and ')
  if (withOthers === 0) return `${change.what}: ${counts}`
  return `${change.what}: ${counts}, ${withOthers === all ? '' : `${withOthers} of them `}only with more of this list`
}
