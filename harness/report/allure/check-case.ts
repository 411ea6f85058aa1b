import { createHash, randomUUID } from 'node:crypto'
import { LabelName, Severity, Stage } from 'allure-js-commons'
import { escapeMarkup } from '../markup.ts'
import { onOneLine } from '../printable.ts'
import { sentenceOf } from '../sentence.ts'
import { BINDING_LABEL, STATUS, VERDICT_LABEL } from './categories.ts'
import type { Label, StatusDetails, TestResult } from 'allure-js-commons'
import type { Level } from '../../check/requirement.ts'
import type { KeptTimeLine, Visits } from '../../check/result.ts'
import type { PlannedCheck } from '../../plan/plan.ts'
import type { CatalogueRow } from '../assemble.ts'
import type { CheckReport } from '../schema.ts'

/** One check, as one result of the Allure report. */

export interface CheckCase {
  readonly row: CatalogueRow
  /** Absent for a requirement that the plan leaves out. */
  readonly check?: PlannedCheck
  readonly report: CheckReport
  /** The name of the target, under which its results stand together. */
  readonly target: string
  readonly startedAt: number
  /** The failure block, in plain text; empty for a pass. */
  readonly block: string
  readonly note?: string
  /** How often its scenario was where in a model: shown as a drawing. */
  readonly visits?: readonly Visits[]
  /** When its scenario saw an application in which status: shown as a drawing. */
  readonly timeLines?: readonly KeptTimeLine[]
}

/** How severe it is to break a level, in the words of the page. */
export const SEVERITY = {
  MUST: Severity.CRITICAL,
  SHOULD: Severity.NORMAL,
  MAY: Severity.MINOR,
} as const satisfies Record<Level, Severity>

const label = (name: string, value: string): Label => ({ name, value: onOneLine(value) })

const labelsOf = ({ row, check, report, target }: CheckCase): Label[] => [
  label(LabelName.EPIC, target),
  label(LabelName.FEATURE, row.chapter),
  label(LabelName.STORY, `${row.id} ${row.claim}`),
  label(LabelName.SEVERITY, SEVERITY[row.level]),
  label(VERDICT_LABEL, report.verdict),
  ...[row.id, row.level, report.verdict, ...(row.tags ?? [])].map((tag) => label(LabelName.TAG, tag)),
  ...(report.bindings === undefined ? [] : [BINDING_LABEL]),
  ...(report.bindings ?? []).map((key) => label(LabelName.TAG, key)),
  ...(check === undefined ? [] : [label(LabelName.TAG, `effect ${check.effect}`)]),
  ...(check?.application === undefined ? [] : [label(LabelName.TAG, `as ${check.application}`)]),
]

const code = (text: string): string => `<code>${escapeMarkup(text)}</code>`

/** HTML, as the page shows it: its maker would have to read two thousand texts in Markdown first. */
const descriptionOf = ({ row, check, report, note }: CheckCase): string =>
  [
    `<blockquote>“${escapeMarkup(row.quote)}”</blockquote>`,
    `<p>— ${escapeMarkup(`${row.source}, ${row.place}`)}</p>`,
    ...(row.reading === undefined ? [] : [`<p><strong>Reading</strong> ${escapeMarkup(row.reading)}</p>`]),
    `<p><strong>Verdict</strong> ${report.verdict} · <strong>Level</strong> ${row.level} · <strong>Check</strong> ${code(report.file)}</p>`,
    ...(check === undefined ? [] : [`<p><strong>Scenario</strong> ${code(check.scenario)}</p>`]),
    ...(note === undefined ? [] : [`<p>${escapeMarkup(note)}</p>`]),
    `<p><strong>Again</strong> ${code(report.reproduce)}</p>`,
  ].join('\n')

const detailsOf = ({ report, block }: CheckCase): StatusDetails => {
  if (report.verdict === 'pass') return {}
  const { violation } = report
  return {
    message: `${report.verdict}: ${onOneLine(sentenceOf(report))}`,
    trace: block,
    ...(violation && { expected: violation.expected, actual: violation.received }),
  }
}

/** The same for the same check in every run, whatever it found. */
const identityOf = (id: string): string => createHash('md5').update(id).digest('hex')

/** The result without its attachments. */
export const toTestResult = (one: CheckCase): TestResult => {
  const { row, check, report, startedAt } = one
  const id = check?.id ?? row.id
  const parameters = [
    { name: 'again', value: report.reproduce, excluded: true },
    ...(report.violation === undefined
      ? []
      : [{ name: 'exchange', value: report.violation.exchange, excluded: true }]),
  ]
  return {
    uuid: randomUUID(),
    name: onOneLine(report.title),
    fullName: id,
    testCaseId: identityOf(id),
    historyId: identityOf(id),
    titlePath: [row.chapter, row.id],
    status: STATUS[report.verdict],
    stage: Stage.FINISHED,
    statusDetails: detailsOf(one),
    descriptionHtml: descriptionOf(one),
    labels: labelsOf(one),
    links: [],
    parameters,
    steps: [],
    attachments: [],
    start: Math.round(startedAt),
    stop: Math.round(startedAt + report.durationMs),
  }
}
