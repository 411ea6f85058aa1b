import type { Verdict } from '../check/verdict.ts'

/**
 * Why a requirement or a check is not judged, as data: reports count the kinds apart, and list what would make the
 * requirements testable.
 */

/** The reasons for which something does not apply to the bank, or cannot be judged by any check. */
const NOT_APPLICABLE = ['declared', 'unchecked'] as const

/** The reasons for which something is left out of a run. */
const NOT_TESTED = [
  'pending',
  'not-selected',
  'missing-in-profile',
  'effect-not-allowed',
  'too-long',
  'too-many-prompts',
] as const

export const REASON_KINDS = [...NOT_APPLICABLE, ...NOT_TESTED] as const

export type ReasonKind = (typeof REASON_KINDS)[number]

/** What to change so that something is judged: an addition to the profile or the command, or an option that is left out. */
export const CHANGES = ['profile', 'option', 'without'] as const

export interface Change {
  readonly change: (typeof CHANGES)[number]
  /** `a second customer (customers)`, `--allow pay`, `--only`. */
  readonly what: string
}

export interface Reason {
  readonly kind: ReasonKind
  /** A sentence without its full stop. */
  readonly because: string
  /** All changes that are necessary; left out if no change of the profile or the command helps. */
  readonly changes?: readonly Change[]
}

/** The verdict on what is left out for a reason. */
export const verdictFor = ({
  kind,
}: Pick<Reason, 'kind'>): Extract<Verdict, 'not-applicable' | 'not-tested'> =>
  NOT_APPLICABLE.some((one) => one === kind) ? 'not-applicable' : 'not-tested'

export const missingInProfile = (what: string, because = `it needs ${what}`): Reason => ({
  kind: 'missing-in-profile',
  because,
  changes: [{ change: 'profile', what }],
})

export const missingKind = (kind: 'FAC' | 'TPP'): Reason =>
  missingInProfile(
    `an application of the kind ${kind} (applications)`,
    `the profile has no application of the kind ${kind}`,
  )

/** What a set of changes makes testable. */
export interface Testable {
  readonly changes: readonly Change[]
  /** Requirements that are not tested. */
  readonly requirements: readonly string[]
  /** Requirements that are tested, but not in every facet. */
  readonly partly: readonly string[]
}

/** A requirement that is not tested at all or not in a facet, with the reasons of its checks. */
export interface NotTested {
  readonly requirement: string
  /** Whether another facet of it is tested. */
  readonly isPartly: boolean
  readonly reasons: readonly Reason[]
}

const keyOf = (changes: readonly Change[]): string =>
  changes
    .map(({ change, what }) => `${change} ${what}`)
    .sort()
    .join('\n')

/** Two obstacles may need the same change: `--skip time` leaves out a check, and what moves the clock for it. */
const unique = (changes: readonly Change[]): readonly Change[] => [
  ...new Map(changes.map((change) => [keyOf([change]), change])).values(),
]

/** The smallest sets of changes, each of which allows one of the checks to run. */
const smallest = ({ reasons }: NotTested): ReadonlyMap<string, readonly Change[]> => {
  const sets = reasons.flatMap(({ changes = [] }) => (changes.length === 0 ? [] : [unique(changes)]))
  const least = Math.min(...sets.map(({ length }) => length))
  return new Map(
    sets.filter(({ length }) => length === least).map((changes) => [keyOf(changes), changes] as const),
  )
}

/** Groups requirements by what makes them testable, the largest group first. */
export const groupTestable = (notTested: readonly NotTested[]): readonly Testable[] => {
  const groups = new Map<string, { changes: readonly Change[]; rows: NotTested[] }>()
  for (const one of notTested)
    for (const [key, changes] of smallest(one)) {
      const group = groups.get(key) ?? { changes, rows: [] }
      group.rows.push(one)
      groups.set(key, group)
    }
  return [...groups.values()]
    .map(({ changes, rows }) => {
      const requirements = idsOf(rows.filter(({ isPartly }) => !isPartly))
      const partly = idsOf(rows.filter(({ isPartly }) => isPartly))
      return { changes, requirements, partly }
    })
    .toSorted(
      (one, other) =>
        other.requirements.length - one.requirements.length || other.partly.length - one.partly.length,
    )
}

const idsOf = (rows: readonly NotTested[]): readonly string[] => [
  ...new Set(rows.map(({ requirement }) => requirement)),
]

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`

/** `adding a second customer (customers) makes 4 requirements testable` */
export const testableSentence = ({ changes, requirements, partly }: Testable): string => {
  const of = (wanted: Change['change']): readonly string[] =>
    changes.filter(({ change }) => change === wanted).map(({ what }) => what)
  const [removed, added] = [of('without'), [...of('option'), ...of('profile')]]
  const steps = [
    ...(removed.length > 0 ? [`leaving out ${listed(removed)}`] : []),
    ...(added.length > 0 ? [`adding ${listed(added)}`] : []),
  ]
  const more = changes.length > 1 ? ' more' : ''
  const whole = requirements.length === 0 ? [] : [`${counted(requirements, more)} testable`]
  const facets = partly.length === 0 ? [] : [`${counted(partly, more)} testable in a further facet`]
  return `${steps.join(' and ')} makes ${[...whole, ...facets].join(', and ')}`
}

const counted = ({ length }: readonly string[], more: string): string =>
  `${length}${more} ${length === 1 ? 'requirement' : 'requirements'}`
