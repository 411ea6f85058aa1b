import pc from 'picocolors'
import { isCaught } from './proof.ts'
import type { DefectTrial, Proof, VariationTrial } from './proof.ts'

/** The kill matrix in words: a line for each defect and variation, what went wrong below it. */

const defectLines = (trial: DefectTrial): readonly string[] => {
  const { id, breaks, caughtBy, collateral, crashed } = trial
  const missed = breaks.filter((requirement) => !caughtBy.includes(requirement))
  return [
    `${isCaught(trial) ? pc.green('✓') : pc.red('✗')} ${id.padEnd(58)} ${breaks.join(' ')}`,
    ...(breaks.length === 0 ? ['    it breaks nothing: name a requirement in its `breaks`'] : []),
    ...(missed.length > 0 ? [`    survived    no check of ${missed.join(', ')} saw a violation`] : []),
    ...(collateral.length > 0 ? [`    collateral  ${collateral.join(', ')} turned red as well`] : []),
    ...crashed.map((line) => `    crashed     ${line}`),
  ]
}

const variationLines = ({ id, alarms, reasons }: VariationTrial): readonly string[] => [
  `${alarms.length === 0 ? pc.green('✓') : pc.red('✗')} ${id}`,
  ...reasons.map((reason) => `    alarm       ${reason}`),
]

export const renderMatrix = ({ defects, variations, score }: Proof): string =>
  [
    ...[...new Set(defects.map(({ chapter }) => chapter))].flatMap((chapter) => [
      '',
      pc.bold(`${chapter}: defects, and the requirements that they break`),
      ...defects.filter((trial) => trial.chapter === chapter).flatMap(defectLines),
    ]),
    '',
    pc.bold('variations: different, and right'),
    ...variations.flatMap(variationLines),
    '',
    `${score.caught} of ${score.defects} defects caught, ${score.alarms} of ${score.variations} variations raised an alarm`,
  ].join('\n')
