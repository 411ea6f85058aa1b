import { loadCatalogue } from '../../plan/catalogue.ts'
import { compare, hasRegressed, renderComparison, type ComparisonStyle } from '../../report/diff.ts'
import { verifyCertificate } from '../../report/certificate/certificate.ts'
import { printable } from '../../report/run-observer.ts'
import { compareReports, type Difference } from './compare.ts'
import { integrityProblems } from './integrity.ts'
import { judgeAgain, type JudgingOptions } from './judge-again.ts'
import { readFolder } from './stored-folder.ts'
import type { Colors } from '../../report/terminal/text.ts'

/** Verifies the folder of a run: its files, its certificate, and that its verdicts follow from its records. */

interface RejudgeOptions {
  /** A public key in PEM, to verify the signature of the certificate. */
  readonly publicKey?: string
  readonly catalogue?: string | undefined
  readonly onStep?: JudgingOptions['onStep']
}

export type Rejudged = Awaited<ReturnType<typeof rejudgeFolder>>

export const rejudgeFolder = async (
  folder: string,
  { publicKey, catalogue, onStep }: RejudgeOptions = {},
) => {
  const stored = readFolder(folder, catalogue)
  const { report } = stored
  const judged = await judgeAgain(stored, { withCurrentChecks: false, onStep })
  const certificate = verifyCertificate(stored, judged, publicKey)
  const problems = [...integrityProblems(stored), ...certificate.problems]
  const { digest, own } = await loadCatalogue(stored.ownChecks)
  if (report.suite.ownChecks?.digest !== own?.digest)
    problems.push(
      `the own checks are other ones: ${report.suite.ownChecks?.digest.slice(0, 12) ?? 'none'} in the report, ${own?.digest.slice(0, 12) ?? 'none'} in --catalogue`,
    )
  if (report.suite.catalogueDigest !== digest)
    problems.push(
      `the catalogue is another one: ${report.suite.catalogueDigest.slice(0, 12)} in the report, ${digest.slice(0, 12)} here; judge with the version that ran it (${report.suite.version}, revision ${report.run.revision}), or with --with-current-checks`,
    )
  return {
    /** The files that were changed, and what does not fit together, one sentence each. */
    problems,
    differences: compareReports(report, judged),
    checks: stored.stored.checks.size,
    /** Those that a check can judge, and those that no check can judge. */
    requirements: report.requirements.filter(({ reason }) => reason !== 'unchecked').length,
    unchecked: report.requirements.filter(({ reason }) => reason === 'unchecked').length,
    ...(certificate.sentence !== undefined && { certificate: certificate.sentence }),
  }
}

/** The verdicts of today's checks on stored evidence, compared with those of the run. */
export const judgeWithCurrentChecks = async (
  folder: string,
  { catalogue, onStep, ...style }: ComparisonStyle & Omit<RejudgeOptions, 'publicKey'>,
): Promise<{ readonly text: string; readonly isWorse: boolean }> => {
  const stored = readFolder(folder, catalogue)
  const report = await judgeAgain(stored, { withCurrentChecks: true, onStep })
  const { digest } = await loadCatalogue(stored.ownChecks)
  const comparison = compare(stored.report, {
    ...report,
    suite: { ...report.suite, catalogueDigest: digest },
  })
  return {
    text: renderComparison(comparison, style),
    isWorse: hasRegressed(comparison),
  }
}

const MOST_SHOWN = 20

const renderDifference = ({ requirement, sentence, exchange }: Difference): string =>
  [
    printable(`  ${requirement === undefined ? '' : `${requirement}  `}${sentence}`),
    ...(exchange === undefined ? [] : [printable(`      exchange ${exchange}`)]),
  ].join('\n')

const some = (lines: readonly string[]): readonly string[] =>
  lines.length <= MOST_SHOWN
    ? lines
    : [...lines.slice(0, MOST_SHOWN), `  … and ${lines.length - MOST_SHOWN} more`]

export const renderRejudged = (rejudged: Rejudged, { red, green, bold }: Colors): string => {
  const { problems, differences, certificate, checks, requirements, unchecked } = rejudged
  const others = unchecked === 0 ? '' : ` and ${unchecked} that no check can judge`
  const isSame = problems.length === 0 && differences.length === 0
  return [
    ...(certificate === undefined ? [] : [certificate]),
    ...(problems.length === 0
      ? []
      : [red(bold('Changed since the run:')), ...some(problems.map((one) => `  ${printable(one)}`))]),
    ...(differences.length === 0
      ? []
      : [red(bold('Other verdicts, judged from the records:')), ...some(differences.map(renderDifference))]),
    isSame
      ? green(bold(`the same verdicts: ${requirements} requirements${others}, ${checks} checks in this run`))
      : bold(`changes of files: ${problems.length}, differences of verdicts: ${differences.length}`),
  ].join('\n')
}
