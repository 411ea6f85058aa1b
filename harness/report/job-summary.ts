import { labelOf } from './chapter-titles.ts'
import { VERDICTS, type Verdict } from '../check/verdict.ts'
import { OUTPUT } from '../evidence/output.ts'
import { codeSpan, escapeMarkdown } from './run-observer.ts'
import { onlyKindSummary, sentenceOf } from './conclude.ts'
import { countWords, headlineOf } from './headline.ts'
import { groupBy, plural } from '../plan/lists.ts'
import { chaptersIn, checksWith, countVerdicts, withoutRemedy, withVerdict, type CheckOf } from './rows.ts'
import { idsOf, unjudgedGroups } from './terminal/unjudged.ts'
import type { CheckReport, Report } from './schema.ts'

/** `summary.md`: the report as Markdown, for the summary of a CI job and for merge requests. */

const MARKS: Readonly<Record<Report['gate'], string>> = {
  conforms: '✅',
  nonconforming: '❌',
  incomplete: '⚠️',
  unreachable: '⚠️',
  'harness-error': '❌',
  'stale-waiver': '⚠️',
  interrupted: '⚠️',
}

/** Verdicts whose checks are listed. What was not judged is listed by cause, and the others are counted. */
const SHOWN: readonly Verdict[] = ['fail', 'harness-error', 'warn', 'waived']
/** The summary of a job is limited to one megabyte. */
const MOST_SHOWN = 100

const codeCell = (text: string): string => codeSpan(text).replaceAll('|', '\\|')

type Rows = readonly (readonly string[])[]

const tableOf = (head: readonly string[], rows: Rows): readonly string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
]

/** A table with its title, if it has rows. @param more what further rows are. */
const tablePart = (title: string, head: readonly string[], rows: Rows, more = 'more'): readonly string[] => {
  if (rows.length === 0) return []
  const rest = rows.length - MOST_SHOWN
  return [
    ...['', `### ${title}`, ''],
    ...tableOf(head, rows.slice(0, MOST_SHOWN)),
    ...(rest > 0 ? ['', `and ${rest} ${more}, in ${OUTPUT.report}`] : []),
  ]
}

const byChapter = (report: Report): readonly string[] => {
  const { requirements } = report
  const all = countVerdicts(requirements)
  const words = VERDICTS.filter((word) => all[word] > 0)
  const row = (name: string, counts: typeof all): readonly string[] => [
    name,
    ...words.map((word) => (counts[word] === 0 ? '' : String(counts[word]))),
  ]
  return tableOf(
    ['requirements', ...words],
    [
      ...chaptersIn(report).map(([chapter, own]) =>
        row(escapeMarkdown(labelOf(chapter, report)), countVerdicts(own)),
      ),
      row('**all**', all),
    ],
  )
}

/** The exchange that shows a violation; otherwise the last one of the check, if it had any. */
const exchangeCell = ({ violation, exchanges }: CheckReport): string => {
  const id = violation?.exchange ?? exchanges.at(-1)
  return id === undefined ? '' : codeCell(id)
}

const finding = ({ requirement, check }: CheckOf): readonly string[] => [
  `**${requirement.id}** ${check.verdict}`,
  escapeMarkdown(requirement.claim),
  escapeMarkdown(sentenceOf(check)),
  exchangeCell(check),
  codeCell(check.reproduce),
]

const findings = (report: Report): readonly string[] =>
  tablePart(
    'Checks that did not pass',
    ['requirement', 'claim', 'finding', 'exchange', 'reproduce'],
    checksWith(report, ...SHOWN).map(finding),
  )

const countLine = (report: Report): string =>
  VERDICTS.filter((word) => report.counts.checks[word] + report.counts.requirements[word] > 0)
    .map((word) => `${word}: ${countWords(report, word)}`)
    .join(' · ')

const notTested = (report: Report): readonly string[] => {
  const { requirements, testable = [] } = report
  const untested = withVerdict(requirements, 'not-tested')
  const unselected = untested.filter(({ reason }) => reason === 'not-selected').length
  const left = untested.length - unselected
  if (untested.length === 0 && testable.length === 0) return []
  return [
    '',
    `### Not tested: ${plural(left, 'requirement')}${unselected === 0 ? '' : `, and ${unselected} not selected`}`,
    '',
    ...testable.slice(0, MOST_SHOWN).map(({ sentence }) => `- ${escapeMarkdown(sentence)}`),
    ...withoutRemedy(report)
      .slice(0, MOST_SHOWN)
      .map(({ id, because = '' }) => `- ${id}: ${escapeMarkdown(because)}`),
  ]
}

const notApplicable = ({ requirements }: Report): readonly string[] => {
  const rows = withVerdict(requirements, 'not-applicable')
  return tablePart(
    `Not applicable: ${plural(rows.length, 'requirement')}`,
    ['reason', 'requirements'],
    [...groupBy(rows, ({ because = '' }) => because)].map(([reason, own]) => [
      escapeMarkdown(reason),
      own.map(({ id }) => id).join(', '),
    ]),
  )
}

const waivers = ({ waivers: accepted = [] }: Report): readonly string[] =>
  tablePart(
    'Accepted exceptions',
    ['requirement', 'reason', 'owner', 'last day', 'state'],
    accepted.map(({ requirement, reason, owner, expires, state }) => [
      ...[requirement, reason, owner].map(escapeMarkdown),
      expires,
      state,
    ]),
  )

/** What was not judged, by cause: one row for hundreds of checks that one cause has stopped. */
const unjudged = (report: Report): readonly string[] =>
  tablePart(
    'Checks that were not judged, by cause',
    ['requirements', 'verdict', 'cause', 'exchange', 'reproduce'],
    unjudgedGroups(report).map((group) => [
      idsOf(group)
        .map((id) => `**${id}**`)
        .join(', '),
      group.verdict,
      escapeMarkdown(group.because),
      exchangeCell(group.findings[0].check),
      codeCell(group.findings[0].check.reproduce),
    ]),
    'more causes',
  )

/** Why the target cannot be reached: the same for every requirement. */
const unreachable = ({ conclusion, requirements }: Report): readonly string[] => {
  const because = requirements.find(({ verdict }) => verdict === 'not-reached')?.because
  return conclusion !== 'unreachable' || because === undefined ? [] : ['', `**${escapeMarkdown(because)}**`]
}

const onlyKind = (report: Report): readonly string[] => {
  const only = onlyKindSummary(report)
  return only === undefined ? [] : ['', `**${only.line}.**`, '', only.ids.join(', ')]
}

const bindings = ({ bindings: mismatches = [] }: Report): readonly string[] =>
  tablePart(
    'Keys of the profile that do not fit the target',
    ['key', 'bound to', 'received', 'not judged because of it'],
    mismatches.map(({ key, bound, expected, shown, requirements }) => [
      codeSpan(key),
      ...[bound, `no ${expected} there; ${shown}`, requirements.join(', ')].map(escapeMarkdown),
    ]),
  )

const statements = ({ statements: stated = [] }: Report): readonly string[] =>
  tablePart(
    'What the verdicts take as true from the profile',
    ['key', 'statement', 'requirements'],
    stated.map(({ key, states = 'its value', requirements }) => [
      codeSpan(key),
      ...[states, requirements.join(', ')].map(escapeMarkdown),
    ]),
  )

export const renderJobSummary = (report: Report): string => {
  const { gate, exitCode, target, run } = report
  return [
    `## ${MARKS[gate]} ${headlineOf(report)}`,
    '',
    `${escapeMarkdown(target.name)}, ${codeSpan(target.baseUrl)}, ${target.environment}, clock: ${target.clock}; ` +
      `${(run.durationMs / 1000).toFixed(1)} s, seed ${run.seed}, exit code ${exitCode}`,
    ...unreachable(report),
    '',
    ...byChapter(report),
    '',
    countLine(report),
    ...onlyKind(report),
    ...bindings(report),
    ...statements(report),
    ...waivers(report),
    ...findings(report),
    ...unjudged(report),
    ...notTested(report),
    ...notApplicable(report),
    '',
  ].join('\n')
}
