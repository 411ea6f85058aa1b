import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHAPTERS } from '../../check/requirement.ts'
import { VERDICTS } from '../../check/verdict.ts'
import { codeSpan, escapeMarkdown } from './markdown.ts'
import { OUTPUT } from '../output.ts'
import { sentenceOf } from '../sentence.ts'
import { partLines, wordOf } from '../word.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { CheckReport, Report, RequirementReport } from '../schema.ts'

/** `summary.md`: the report as Markdown, for the summary of a job in CI, and for whoever reads it in a merge request. */

const MARKS: Readonly<Record<Report['conclusion'], string>> = {
  conforms: '✅',
  nonconforming: '❌',
  incomplete: '⚠️',
  unreachable: '⚠️',
  'harness-error': '❌',
  interrupted: '⚠️',
}

/** What a reader must see by name; what passed is counted. */
const TOLD: readonly Verdict[] = ['fail', 'harness-error', 'warn', 'inconclusive', 'not-reached', 'waived']
/** A target that breaks everything fills a screen, not the megabyte at which a job's summary ends. */
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
    '### What did not pass',
    '',
    ...tableOf(['requirement', 'claim', 'finding', 'again'], told.slice(0, MOST_TOLD)),
    ...(rest > 0 ? ['', `and ${rest} more, in ${OUTPUT.report}`] : []),
  ]
}

const bindings = ({ bindings: misfits = [] }: Report): readonly string[] =>
  misfits.length === 0
    ? []
    : [
        '',
        '### Where the profile does not fit the target',
        '',
        ...tableOf(
          ['key', 'bound to', 'what came', 'not judged for it'],
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
    `## ${MARKS[conclusion]} ${wordOf(report)}`,
    '',
    `${cell(target.name)}, ${codeSpan(target.baseUrl)}, ${target.environment}, clock: ${target.clock}; ` +
      `${(run.durationMs / 1000).toFixed(1)} s, seed ${run.seed}, exit code ${exitCode}`,
    ...partLines(report).flatMap((line) => ['', line]),
    '',
    ...byChapter(report),
    ...bindings(report),
    ...findings(report),
    '',
  ].join('\n')
}

export const writeJobSummary = (report: Report, outDir: string): void =>
  writeFileSync(join(outDir, OUTPUT.jobSummary), renderJobSummary(report))
