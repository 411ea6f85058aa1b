import { sentenceOf } from './conclude.ts'
import { onOneLine } from './run-observer.ts'
import { checksWith, type CheckOf } from './rows.ts'
import { withoutCommands } from './terminal/output.ts'
import { staleSentence, type WaiverReport } from './waivers.ts'
import type { Report } from './schema.ts'

/**
 * Workflow commands of GitHub Actions: an annotation for each check that failed.
 * They contain no file: the fault is in the target, not in the repository of the job.
 */

/** GitHub shows ten of each kind for a step. */
const MOST = 10

const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const annotation = (kind: 'error' | 'warning', title: string, message: string): string =>
  `::${kind} title=${escapeProperty(withoutCommands(onOneLine(title)))}::${escapeMessage(withoutCommands(message))}`

const ofCheck = (kind: 'error' | 'warning', { requirement: { id, claim }, check }: CheckOf): string =>
  annotation(kind, `${id} ${claim}`, `${onOneLine(sentenceOf(check))}\n${check.reproduce}`)

const KINDS = { fail: 'error', 'harness-error': 'error', warn: 'warning' } as const

const staleAnnotation = (waiver: WaiverReport): string =>
  annotation(
    'error',
    `${waiver.requirement} an accepted exception that is no longer needed`,
    onOneLine(staleSentence(waiver)),
  )

/** Lines for the job's log: waivers that are no longer needed, then the worst verdict first. */
export const annotationsOf = ({ requirements, waivers = [] }: Report): readonly string[] => [
  ...waivers
    .filter(({ state }) => state === 'stale')
    .map(staleAnnotation)
    .slice(0, MOST),
  ...(Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((word) =>
    checksWith({ requirements }, word)
      .slice(0, MOST)
      .map((one) => ofCheck(KINDS[word], one)),
  ),
]

export const isAnnotated = (env: Readonly<Record<string, string | undefined>>): boolean =>
  env['GITHUB_ACTIONS'] === 'true'
