import pc from 'picocolors'
import type { CheckResult } from '../check/result.ts'

/** What the trials show: which defects are caught, and which variations raise an alarm. */

export interface DefectResult {
  readonly id: string
  readonly chapter: string
  /** The requirements that the defect says it breaks. */
  readonly breaks: readonly string[]
  /** The requirements of `breaks` on which a check saw a violation. */
  readonly caughtBy: readonly string[]
  /** Whether there is a requirement in `breaks` on which no check saw a violation. */
  readonly survived: boolean
  /** Requirements that turned red though they are not in `breaks`. */
  readonly collateral: readonly string[]
  /** Checks that crashed: a defect that only makes a check crash is not caught. */
  readonly crashed: readonly string[]
}

export interface VariationResult {
  readonly id: string
  /** Requirements with a check that did not pass. */
  readonly alarms: readonly string[]
  /** Why, one line for each of these checks. */
  readonly reasons: readonly string[]
}

export interface Proof {
  readonly defects: readonly DefectResult[]
  readonly variations: readonly VariationResult[]
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
  { id, chapter, breaks }: Pick<DefectResult, 'id' | 'chapter' | 'breaks'>,
  results: readonly CheckResult[],
): DefectResult => {
  const red = requirementsOf(results.filter(({ violation }) => violation !== undefined))
  const crashed = results.filter(({ verdict }) => verdict === 'harness-error')
  return {
    ...{ id, chapter, breaks },
    caughtBy: red.filter((requirement) => breaks.includes(requirement)),
    survived: breaks.length === 0 || breaks.some((requirement) => !red.includes(requirement)),
    collateral: red.filter((requirement) => !breaks.includes(requirement)),
    crashed: crashed.map((check) => `${check.id}: ${check.because ?? ''}`),
  }
}

const reasonOf = ({ id, verdict, because, violation }: CheckResult): string =>
  `${id} ${verdict}: ${because ?? (violation && `${violation.subject}: expected ${violation.expected}; received ${violation.received}`) ?? ''}`

export const judgeVariation = (id: string, results: readonly CheckResult[]): VariationResult => {
  const alarmed = results.filter(({ verdict }) => verdict !== 'pass')
  return { id, alarms: requirementsOf(alarmed), reasons: alarmed.map(reasonOf) }
}

export const isCaught = ({ survived, collateral, crashed }: DefectResult): boolean =>
  !survived && collateral.length === 0 && crashed.length === 0

export const assembleProof = (results: readonly (DefectResult | VariationResult)[]): Proof => {
  const defects = results.filter((result) => 'breaks' in result)
  const variations = results.filter((result) => 'alarms' in result)
  const score = {
    defects: defects.length,
    caught: defects.filter(isCaught).length,
    variations: variations.length,
    alarms: variations.filter(({ alarms }) => alarms.length > 0).length,
  }
  return { defects, variations, score }
}

const mark = (isGood: boolean): string => (isGood ? pc.green('✓') : pc.red('✗'))

const defectLines = (result: DefectResult): readonly string[] => {
  const { id, breaks, caughtBy, collateral, crashed } = result
  const missed = breaks.filter((requirement) => !caughtBy.includes(requirement))
  return [
    `${mark(isCaught(result))} ${id.padEnd(58)} ${breaks.join(' ')}`,
    ...(breaks.length === 0 ? ['    it breaks nothing: list a requirement in its `breaks`'] : []),
    ...(missed.length > 0 ? [`    survived    no check of ${missed.join(', ')} saw a violation`] : []),
    ...(collateral.length > 0 ? [`    collateral  ${collateral.join(', ')} turned red as well`] : []),
    ...crashed.map((line) => `    crashed     ${line}`),
  ]
}

const variationLines = ({ id, alarms, reasons }: VariationResult): readonly string[] => [
  `${mark(alarms.length === 0)} ${id}`,
  ...reasons.map((reason) => `    alarm       ${reason}`),
]

/** A line for each defect and variation, with what went wrong below it, and the score. */
export const renderProof = ({ defects, variations, score }: Proof): string =>
  [
    ...[...new Set(defects.map(({ chapter }) => chapter))].flatMap((chapter) => [
      '',
      pc.bold(`${chapter}: defects, and the requirements that they break`),
      ...defects.filter((result) => result.chapter === chapter).flatMap(defectLines),
    ]),
    '',
    pc.bold('permitted variations'),
    ...variations.flatMap(variationLines),
    '',
    `${score.caught} of ${score.defects} defects caught, ${score.alarms} of ${score.variations} variations raised an alarm`,
  ].join('\n')
