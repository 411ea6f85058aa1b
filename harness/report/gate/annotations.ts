import { sentenceOf } from '../sentence.ts'
import { onOneLine } from '../printable.ts'
import type { CheckReport, Report, RequirementReport } from '../schema.ts'

/**
 * Workflow commands of GitHub Actions: each check that broke a requirement is annotated where the job is looked at.
 * They name no file: the lines at fault are those of the target, not of the repository that runs the job.
 */

/** GitHub shows ten of each kind for a step; what is more would only bury them. */
const MOST = 10

const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const annotation = (
  kind: 'error' | 'warning',
  { id, claim }: RequirementReport,
  check: CheckReport,
): string => {
  const title = escapeProperty(onOneLine(`${id} ${claim}`))
  return `::${kind} title=${title}::${escapeMessage(`${onOneLine(sentenceOf(check))}\n${check.reproduce}`)}`
}

const KINDS = { fail: 'error', 'harness-error': 'error', warn: 'warning' } as const

/** Lines for the job's log; worst first. */
export const annotationsOf = ({ requirements }: Report): readonly string[] =>
  (Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((word) =>
    requirements
      .flatMap((requirement) =>
        requirement.checks
          .filter(({ verdict }) => verdict === word)
          .map((check) => annotation(KINDS[word], requirement, check)),
      )
      .slice(0, MOST),
  )

/** Whether somebody reads them. */
export const isAnnotated = (env: Readonly<Record<string, string | undefined>>): boolean =>
  env['GITHUB_ACTIONS'] === 'true'
