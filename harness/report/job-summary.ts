import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHAPTERS } from '../check/requirement.ts'
import { VERDICTS, type Verdict } from '../check/verdict.ts'
import { OUTPUT } from '../evidence/output.ts'
import { codeSpan, escapeMarkdown, onOneLine } from './run-observer.ts'
import { conclusionOf, onlyKindSummary, scopeLines, sentenceOf } from './conclude.ts'
import type { CheckReport, Report, RequirementReport } from './schema.ts'

/** `summary.md`: the report as Markdown, for the summary of a CI job and for merge requests. */

const MARKS: Readonly<Record<Report['conclusion'], string>> = {
  conforms: '✅',
  nonconforming: '❌',
  incomplete: '⚠️',
  unreachable: '⚠️',
  'harness-error': '❌',
  interrupted: '⚠️',
}

/** Verdicts whose checks are listed; the others are counted. */
const TOLD: readonly Verdict[] = ['fail', 'harness-error', 'warn', 'inconclusive', 'not-reached', 'waived']
/** The summary of a job is limited to one megabyte. */
const MOST_TOLD = 100

const cell = (text: string): string => escapeMarkdown(text)

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
]

const countOf = (rows: readonly RequirementReport[], word: Verdict): string => {
  const count = rows.filter(({ verdict }) => verdict === word).length
  return count === 0 ? '' : String(count)
}

const byChapter = ({ requirements }: Report): readonly string[] => {
  const words = VERDICTS.filter((word) => countOf(requirements, word) !== '')
  const row = (name: string, own: readonly RequirementReport[]): readonly string[] => [
    name,
    ...words.map((word) => countOf(own, word)),
  ]
  const chapters = CHAPTERS.map(
    (chapter) => [chapter, requirements.filter((one) => one.chapter === chapter)] as const,
  )
  return tableOf(
    ['', ...words],
    [
      ...chapters.filter(([, own]) => own.length > 0).map(([chapter, own]) => row(chapter, own)),
      row('**all**', requirements),
    ],
  )
}

const finding = (requirement: RequirementReport, check: CheckReport): readonly string[] => [
  `**${requirement.id}** ${check.verdict}`,
  cell(requirement.claim),
  cell(sentenceOf(check)),
  codeSpan(check.reproduce).replaceAll('|', '\\|'),
]

const findings = ({ requirements }: Report): readonly string[] => {
  const told = TOLD.flatMap((word) =>
    requirements.flatMap((requirement) =>
      requirement.checks
        .filter(({ verdict }) => verdict === word)
        .map((check) => finding(requirement, check)),
    ),
  )
  if (told.length === 0) return []
  const rest = told.length - MOST_TOLD
  return [
    '',
    '### Checks that did not pass',
    '',
    ...tableOf(['requirement', 'claim', 'finding', 'reproduce'], told.slice(0, MOST_TOLD)),
    ...(rest > 0 ? ['', `and ${rest} more, in ${OUTPUT.report}`] : []),
  ]
}

const onlyKind = (report: Report): readonly string[] => {
  const only = onlyKindSummary(report)
  return only === undefined ? [] : ['', `**${only.line}.**`, '', only.ids.join(', ')]
}

const bindings = ({ bindings: misfits = [] }: Report): readonly string[] =>
  misfits.length === 0
    ? []
    : [
        '',
        '### Keys of the profile that do not fit the target',
        '',
        ...tableOf(
          ['key', 'bound to', 'received', 'not judged because of it'],
          misfits.map(({ key, bound, expected, shown, requirements }) => [
            codeSpan(key),
            cell(bound),
            cell(`no ${expected} there; ${shown}`),
            cell(requirements.join(', ')),
          ]),
        ),
      ]

export const renderJobSummary = (report: Report): string => {
  const { conclusion, exitCode, target, run } = report
  return [
    `## ${MARKS[conclusion]} ${conclusionOf(report)}`,
    '',
    `${cell(target.name)}, ${codeSpan(target.baseUrl)}, ${target.environment}, clock: ${target.clock}; ` +
      `${(run.durationMs / 1000).toFixed(1)} s, seed ${run.seed}, exit code ${exitCode}`,
    ...scopeLines(report).flatMap((line) => ['', line]),
    '',
    ...byChapter(report),
    ...onlyKind(report),
    ...bindings(report),
    ...findings(report),
    '',
  ].join('\n')
}

export const writeJobSummary = (report: Report, outDir: string): void =>
  writeFileSync(join(outDir, OUTPUT.jobSummary), renderJobSummary(report))

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

const annotation = (
  kind: 'error' | 'warning',
  { id, claim }: RequirementReport,
  check: CheckReport,
): string => {
  const title = escapeProperty(onOneLine(`${id} ${claim}`))
  return `::${kind} title=${title}::${escapeMessage(`${onOneLine(sentenceOf(check))}\n${check.reproduce}`)}`
}

const KINDS = { fail: 'error', 'harness-error': 'error', warn: 'warning' } as const

/** Lines for the job's log, the worst verdict first. */
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

/** Whether the run is a job of GitHub Actions. */
export const isAnnotated = (env: Readonly<Record<string, string | undefined>>): boolean =>
  env['GITHUB_ACTIONS'] === 'true'
