import { EXAMPLES } from './examples.ts'
import type { Verdict } from '../check/verdict.ts'

/** Why a requirement or a check is not judged, as data: reports count the kinds apart. */

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

/** What to change so that something is judged: an addition to the profile or to the command. */
export const CHANGES = ['profile', 'option'] as const

export interface Change {
  readonly change: (typeof CHANGES)[number]
  /** `a second customer (customers)`, `--allow pay`. */
  readonly what: string
  /** What it looks like in a profile. */
  readonly example?: string
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

export const missingInProfile = (what: string, example: string, because = `it needs ${what}`): Reason => ({
  kind: 'missing-in-profile',
  because,
  changes: [{ change: 'profile', what, example }],
})

export const missingKind = (kind: 'FAC' | 'TPP'): Reason =>
  missingInProfile(
    `an application of the kind ${kind} (applications)`,
    EXAMPLES[kind],
    `the profile has no application of the kind ${kind}`,
  )
