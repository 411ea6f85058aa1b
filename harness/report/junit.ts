import junit from 'junit-report-builder'
import { labelOf } from './chapter-titles.ts'
import { onOneLine, printable } from './run-observer.ts'
import { outcomeOf, sentenceOf } from './conclude.ts'
import { staleSentence, waiverSentence, type WaiverReport } from './waivers.ts'
import { headlineOf } from './headline.ts'
import { chaptersIn, countVerdicts, NO_REASON } from './rows.ts'
import type { Verdict } from '../check/verdict.ts'
import type { CheckReport, Report, RequirementReport } from './schema.ts'

/** `junit.xml` for CI servers: a suite for the run, and one for each chapter with a case for each check. It is red if the exit code is not 0. */

type Suite = ReturnType<ReturnType<typeof junit.newBuilder>['testSuite']>
type Case = ReturnType<Suite['testCase']>

interface Writing {
  readonly report: Report
  /** The notes of the skipped cases, in the order of the cases. */
  readonly notes: string[]
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The builder mishandles `]]>`, and `<skipped/>` is replaced below. */
const inSection = (text: string): string =>
  printable(text).replaceAll(']]>', ']] >').replaceAll('<skipped/>', '<skipped />')

const seconds = (ms: number): number => Math.round(ms) / 1000

const evidenceOf = ({ quote, place }: RequirementReport, check: CheckReport): string =>
  [
    `interface: "${quote}" (${place})`,
    sentenceOf(check),
    ...check.exchanges.map((id) => `exchange ${id}`),
    `reproduce: ${check.reproduce}`,
  ].join('\n')

/** The facts of a check. The schema of Jenkins has no properties and no file for a case. */
const factsOf = (requirement: RequirementReport, check: CheckReport): string =>
  [
    `verdict: ${check.verdict}`,
    `level: ${requirement.level}`,
    `assertions: ${check.judged}`,
    `file: ${check.file}`,
    ...(requirement.judgedOnlyFor === undefined ? [] : [`judged only for: ${requirement.judgedOnlyFor}`]),
  ].join('\n')

const newCase = (suite: Suite, className: string, name: string, ms = 0): Case =>
  suite.testCase().className(printable(className)).name(printable(name)).time(seconds(ms))

const addCheck = (
  suite: Suite,
  requirement: RequirementReport,
  check: CheckReport,
  { report, notes }: Writing,
): void => {
  const { id, chapter, level } = requirement
  const test = newCase(suite, `${chapter}.${id}`, `${id} ${check.title}`, check.durationMs)
  const note = onOneLine(`${check.verdict}: ${sentenceOf(check)}`)
  const evidence = inSection(evidenceOf(requirement, check))
  const facts = inSection(factsOf(requirement, check))
  test.standardOutput(check.verdict === 'warn' ? `${facts}\n${evidence}` : facts)
  const outcome = outcomeOf(check.verdict, level, report.run.strict, requirement.verdict)
  if (outcome === 'failed') {
    test.failure(onOneLine(sentenceOf(check)), 'violation')
    test.stacktrace(evidence)
  } else if (outcome === 'broken') test.error(note, check.verdict, evidence)
  else if (outcome === 'skipped') {
    test.skipped()
    notes.push(note)
  }
}

/** A requirement that no check judged is a case of its own, so that it is visible. */
const addUnchecked = (suite: Suite, requirement: RequirementReport, { notes }: Writing): void => {
  const { id, chapter, claim, verdict, because = NO_REASON } = requirement
  newCase(suite, `${chapter}.${id}`, `${id} ${claim}`).skipped()
  notes.push(onOneLine(`${verdict}: ${because}`))
}

/** `3 (pass 2, fail 1)` */
const countsOf = (judged: readonly { readonly verdict: Verdict }[]): string => {
  const named = Object.entries(countVerdicts(judged))
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${word} ${count}`)
  return `${judged.length} (${named.join(', ')})`
}

const addCounts = (suite: Suite, requirements: readonly RequirementReport[]): void =>
  void suite
    .property('requirements', countsOf(requirements))
    .property('checks', countsOf(requirements.flatMap(({ checks }) => checks)))

const addChapter = (
  suite: Suite,
  [chapter, requirements]: ReturnType<typeof chaptersIn>[number],
  writing: Writing,
): void => {
  const { report } = writing
  const checks = requirements.flatMap((requirement) => requirement.checks)
  suite
    .name(printable(labelOf(chapter, report)))
    .timestamp(report.run.startedAt)
    .time(seconds(checks.reduce((sum, { durationMs }) => sum + durationMs, 0)))
    .property('seed', String(report.run.seed))
    .property('target', printable(`${report.target.name} ${report.target.baseUrl}`))
    .property('environment', report.target.environment)
  addCounts(suite, requirements)
  for (const requirement of requirements) {
    for (const check of requirement.checks) addCheck(suite, requirement, check, writing)
    if (requirement.checks.length === 0) addUnchecked(suite, requirement, writing)
  }
}

/** Conclusions that a failed case shows already, or that are no fault. */
const SHOWN: readonly Report['gate'][] = ['conforms', 'nonconforming']

const waiverSection = (waivers: readonly WaiverReport[]): string =>
  waivers.map((one) => `${one.requirement} ${waiverSentence(one)}`).join('\n')

/** The run as a whole: its headline, and an error if it is stopped by something that no check shows. */
const addRun = (suite: Suite, { report }: Writing): void => {
  const { run, gate, waivers = [] } = report
  const headline = onOneLine(headlineOf(report))
  suite.name('run').timestamp(run.startedAt).time(0).property('headline', headline)
  addCounts(suite, report.requirements)
  const test = newCase(suite, 'run.conclusion', headline)
  if (waivers.length > 0) test.standardOutput(inSection(`accepted exceptions:\n${waiverSection(waivers)}`))
  if (!SHOWN.includes(gate)) test.error(headline, gate, `exit code ${report.exitCode}`)
  for (const waiver of waivers.filter(({ state }) => state === 'stale'))
    newCase(
      suite,
      `run.${waiver.requirement}`,
      `${waiver.requirement} its accepted exception is needed`,
    ).error(onOneLine(staleSentence(waiver)), 'stale-waiver', inSection(waiverSection([waiver])))
}

/** The schema knows no attribute `skipped` of all suites together. */
const withoutTotal = (xml: string): string => xml.replace(/(<testsuites [^>]*?) skipped="\d+"/, '$1')

export const renderJunit = (report: Report): string => {
  const builder = junit.newBuilder().name(printable(report.suite.name))
  const notes: string[] = []
  const writing: Writing = { report, notes }
  addRun(builder.testSuite(), writing)
  for (const chapter of chaptersIn(report)) addChapter(builder.testSuite(), chapter, writing)
  // The builder writes a skipped case without its note. Text is escaped, so each <skipped/> is a case of its own.
  let next = 0
  return withoutTotal(builder.build()).replaceAll(
    '<skipped/>',
    () => `<skipped message="${attribute(notes[next++] ?? '')}"/>`,
  )
}
