import { createHash } from 'node:crypto'
import { LabelName, Severity, Stage, Status } from 'allure-js-commons'
import { escapeMarkup, onOneLine, plainQuote } from '../run-observer.ts'
import { onlyKindLine, onlyKindOf, outcomeOf, sentenceOf, type Outcome } from '../conclude.ts'
import { historyOf } from '../compliance/history.ts'
import { headlineOf } from '../headline.ts'
import type { Label, StatusDetails, TestResult } from 'allure-js-commons'
import type { Category } from 'allure-js-commons/sdk'
import { ALL_CHAPTERS, type Chapter, type Level } from '../../check/requirement.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { PlannedCheck } from '../../plan/plan.ts'
import type { CatalogueRow } from '../assemble.ts'
import type { CheckReport, Gate, Report } from '../schema.ts'

/** One check as one result of Allure, and the conclusion of the run as another. */

export interface ReportedCheck {
  readonly row: CatalogueRow
  /** Absent for a requirement that the plan leaves out. */
  readonly check?: PlannedCheck
  readonly report: CheckReport
  /** The verdict on its requirement, when the run has ended. */
  readonly ofRequirement?: Verdict | undefined
  readonly target: string
  /** ms since 1970. */
  readonly startedAt: number
  /** The failure block, in plain text; empty for a pass. */
  readonly block: string
  readonly note?: string
  readonly strict: boolean
}

const STATUS = {
  passed: Status.PASSED,
  failed: Status.FAILED,
  broken: Status.BROKEN,
  skipped: Status.SKIPPED,
} as const satisfies Record<Outcome, Status>

/** How severe it is to break a level. */
export const SEVERITY = {
  MUST: Severity.CRITICAL,
  SHOULD: Severity.NORMAL,
  MAY: Severity.MINOR,
} as const satisfies Record<Level, Severity>

/** A passed check needs no category. */
const CATEGORY_NAMES: Readonly<Record<Exclude<Verdict, 'pass'> | 'conclusion', string>> = {
  conclusion: 'conclusion: the run as a whole',
  fail: 'fail: a MUST is broken',
  'harness-error': 'harness-error: the suite is at fault',
  warn: 'warn: a SHOULD is broken',
  inconclusive: 'inconclusive: neither a violation nor conformance was observed',
  'not-reached': 'not-reached: a prerequisite did not happen',
  waived: 'waived: an accepted exception',
  'not-tested': 'not-tested: left out of the run',
  'not-applicable': 'not-applicable: the target does not have it, or no check can judge it',
}

/** `categories.json`: a category for each verdict, found by the first word of the message. */
export const categories = (): Category[] => [
  {
    name: 'configuration: a key of the profile does not fit the target',
    messageRegex: '^(not-reached|inconclusive): `[^`]+` of the profile [\\s\\S]*',
  },
  {
    name: 'waived: a MUST is broken, as an accepted exception',
    messageRegex: '^waived: a MUST: [\\s\\S]*',
  },
  ...Object.entries(CATEGORY_NAMES).map(([word, name]) => ({ name, messageRegex: `^${word}: [\\s\\S]*` })),
]

const label = (name: string, value: string): Label => ({ name, value: onOneLine(value) })

/** With a number, since the page sorts by name: `08 payments` is in the order of the interface. */
const chapterLabel = (chapter: Chapter): string =>
  `${String(ALL_CHAPTERS.indexOf(chapter) + 1).padStart(2, '0')} ${chapter}`

const labelsOf = ({ row, check, report, target }: ReportedCheck): Label[] => [
  label(LabelName.EPIC, target),
  label(LabelName.FEATURE, chapterLabel(row.chapter)),
  label(LabelName.STORY, `${row.id} ${row.claim}`),
  label(LabelName.SEVERITY, SEVERITY[row.level]),
  label('verdict', report.verdict),
  ...[row.id, row.level, report.verdict, ...(row.tags ?? [])].map((tag) => label(LabelName.TAG, tag)),
  ...(report.verdict === 'waived' ? [label(LabelName.TAG, `waived ${row.level}`)] : []),
  ...(report.bindings ?? []).map((key) => label(LabelName.TAG, key)),
  ...(check === undefined ? [] : [label(LabelName.TAG, `effect ${check.effect}`)]),
  ...(check?.application === undefined ? [] : [label(LabelName.TAG, `as ${check.application}`)]),
]

const code = (text: string): string => `<code>${escapeMarkup(text)}</code>`

const fact = (title: string, html: string): string => `<strong>${title}</strong> ${html}`

/** HTML, since converting the Markdown of a thousand results takes time. */
const descriptionOf = ({ row, check, report, note }: ReportedCheck): string => {
  const kind = check && onlyKindOf(check, report.verdict)
  const paragraphs = [
    `— ${escapeMarkup(`${row.source}, ${row.place}`)}`,
    row.reading && fact('Interpretation', escapeMarkup(row.reading)),
    [
      fact('Verdict', report.verdict),
      fact('Assertions', String(report.judged)),
      fact('Level', row.level),
      fact('Check', code(report.file)),
    ].join(' · '),
    check && fact('Scenario', code(check.scenario)),
    kind && fact('Kind of application', onlyKindLine(kind)),
    note && escapeMarkup(note),
    fact('Reproduce', code(report.reproduce)),
  ]
  return [
    `<blockquote>“${escapeMarkup(plainQuote(row.quote))}”</blockquote>`,
    ...paragraphs.flatMap((paragraph) => (paragraph === undefined ? [] : [`<p>${paragraph}</p>`])),
  ].join('\n')
}

const detailsOf = ({ row, report, block }: ReportedCheck): StatusDetails => {
  if (report.verdict === 'pass') return {}
  const { violation } = report
  return {
    message: `${report.verdict}: ${report.verdict === 'waived' ? `a ${row.level}: ` : ''}${onOneLine(sentenceOf(report))}`,
    trace: block,
    ...(violation && { expected: violation.expected, actual: violation.received }),
  }
}

/** The ids are the same in every run. */
const identityOf = (id: string): Pick<TestResult, 'fullName' | 'testCaseId' | 'historyId'> => {
  const digest = createHash('md5').update(id).digest('hex')
  return { fullName: id, testCaseId: digest, historyId: digest }
}

export const statusOfCheck = ({
  row,
  report,
  strict,
  ofRequirement,
}: Pick<ReportedCheck, 'row' | 'report' | 'strict' | 'ofRequirement'>): Status =>
  STATUS[outcomeOf(report.verdict, row.level, strict, ofRequirement)]

export const toTestResult = (one: ReportedCheck): Partial<TestResult> => {
  const { row, check, report, startedAt } = one
  const id = check?.id ?? row.id
  const witness = report.violation?.exchange
  return {
    name: onOneLine(`${row.id} ${row.level} ${report.title}`),
    ...identityOf(id),
    titlePath: [row.chapter, row.id],
    status: statusOfCheck(one),
    stage: Stage.FINISHED,
    statusDetails: detailsOf(one),
    descriptionHtml: descriptionOf(one),
    labels: labelsOf(one),
    parameters: [
      { name: 'reproduce', value: report.reproduce, excluded: true },
      ...(witness === undefined ? [] : [{ name: 'exchange', value: witness, excluded: true }]),
    ],
    start: Math.round(startedAt),
    stop: Math.round(startedAt + report.durationMs),
  }
}

const CONCLUSION = 'conclusion'

/** A run that is not red for the target is red for another reason. */
const statusOf = (gate: Gate): Status => {
  if (gate === 'conforms') return Status.PASSED
  return gate === 'nonconforming' ? Status.FAILED : Status.BROKEN
}

/** The conclusion of the run as a result of its own: the first one, since the page sorts by name. */
export const toConclusion = (report: Report): Partial<TestResult> => {
  const status = statusOf(report.gate)
  const headline = onOneLine(headlineOf(report))
  return {
    name: `Conclusion: ${headline}`,
    ...identityOf(CONCLUSION),
    titlePath: [CONCLUSION],
    status,
    stage: Stage.FINISHED,
    statusDetails: status === Status.PASSED ? {} : { message: `${CONCLUSION}: ${headline}` },
    labels: [
      label(LabelName.EPIC, report.target.name),
      label(LabelName.FEATURE, `00 ${CONCLUSION}`),
      ...Object.entries(historyOf(report)).map(([name, value]) => label(name, value)),
    ],
  }
}
