import type { CheckResult } from '../check/result.ts'

/** What the trials show: the kill matrix, which `npm run prove` prints and writes. */

export interface DefectTrial {
  readonly id: string
  readonly chapter: string
  /** The requirements that the defect says it breaks. */
  readonly breaks: readonly string[]
  /** The requirements on which a check saw a violation. */
  readonly caughtBy: readonly string[]
  /** A requirement that it breaks and no check saw broken. */
  readonly survived: boolean
  /** Requirements that turned red though the defect does not name them. */
  readonly collateral: readonly string[]
  /** Checks that crashed: a defect that is caught only because something crashed is not caught. */
  readonly crashed: readonly string[]
}

export interface VariationTrial {
  readonly id: string
  /** Requirements whose checks did anything but pass. */
  readonly alarms: readonly string[]
  /** Why, one line for each check that raised one. */
  readonly reasons: readonly string[]
}

export interface Proof {
  readonly defects: readonly DefectTrial[]
  readonly variations: readonly VariationTrial[]
  readonly score: {
    readonly defects: number
    readonly caught: number
    readonly variations: number
    readonly alarms: number
  }
}

const requirementsOf = (results: readonly CheckResult[]): readonly string[] =>
  [...new Set(results.map(({ requirement }) => requirement))].sort()

export const judgeDefect = (
  defect: {
    readonly id: string
    readonly chapter: string
    readonly breaks: readonly string[]
  },
  results: readonly CheckResult[],
): DefectTrial => {
  const { breaks } = defect
  const red = requirementsOf(results.filter(({ violation }) => violation !== undefined))
  const crashed = results.filter(({ verdict }) => verdict === 'harness-error')
  return {
    id: defect.id,
    chapter: defect.chapter,
    breaks,
    caughtBy: red.filter((id) => breaks.includes(id)),
    survived: breaks.length === 0 || breaks.some((id) => !red.includes(id)),
    collateral: red.filter((id) => !breaks.includes(id)),
    crashed: crashed.map(({ id, because }) => `${id}: ${because ?? ''}`),
  }
}

const reasonOf = ({ id, verdict, because, violation }: CheckResult): string =>
  `${id} ${verdict}: ${because ?? (violation && `${violation.subject}: expected ${violation.expected}; received ${violation.received}`) ?? ''}`

export const judgeVariation = (id: string, results: readonly CheckResult[]): VariationTrial => {
  const alarmed = results.filter(({ verdict }) => verdict !== 'pass')
  return { id, alarms: requirementsOf(alarmed), reasons: alarmed.map(reasonOf) }
}

export const isCaught = ({ survived, collateral, crashed }: DefectTrial): boolean =>
  !survived && collateral.length === 0 && crashed.length === 0

export const assembleProof = (
  defects: readonly DefectTrial[],
  variations: readonly VariationTrial[],
): Proof => ({
  defects,
  variations,
  score: {
    defects: defects.length,
    caught: defects.filter(isCaught).length,
    variations: variations.length,
    alarms: variations.filter(({ alarms }) => alarms.length > 0).length,
  },
})
