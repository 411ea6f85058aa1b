import { join } from 'node:path'
import junit from 'junit-report-builder'
import { CHAPTERS } from '../check/requirement.ts'
import { OUTPUT } from '../evidence/output.ts'
import { onOneLine, printable } from './run-observer.ts'
import { conclusionOf, sentenceOf } from './conclude.ts'
import { writeWhole } from './output-folder.ts'
import type { Chapter } from '../check/requirement.ts'
import type { CheckReport, Report, RequirementReport } from './schema.ts'

/** `junit.xml`: a suite for each chapter, a case for each check, for CI servers. */

type Suite = ReturnType<ReturnType<typeof junit.newBuilder>['testSuite']>
type Case = ReturnType<Suite['testCase']>

/** The notes of the skipped cases, in the order of the cases. */
type Notes = string[]

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The builder mishandles `]]>`, and `<skipped/>` is replaced below. */
const inSection = (text: string): string =>
  printable(text).replaceAll(']]>', ']] >').replaceAll('<skipped/>', '<skipped />')

const seconds = (ms: number): number => Math.round(ms) / 1000

const isError = ({ verdict }: CheckReport, { level }: RequirementReport): boolean =>
  verdict === 'harness-error' || (verdict === 'inconclusive' && level === 'MUST')

const evidenceOf = ({ quote, place }: RequirementReport, check: CheckReport): string =>
  [
    `interface: "${quote}" (${place})`,
    sentenceOf(check),
    ...check.exchanges.map((id) => `exchange ${id}`),
    `reproduce: ${check.reproduce}`,
  ].join('\n')

const addVerdict = (test: Case, requirement: RequirementReport, check: CheckReport, notes: Notes): void => {
  const note = onOneLine(`${check.verdict}: ${sentenceOf(check)}`)
  const evidence = inSection(evidenceOf(requirement, check))
  switch (check.verdict) {
    case 'pass':
      return
    case 'fail':
      test.failure(onOneLine(sentenceOf(check)), 'violation')
      test.stacktrace(evidence)
      return
    case 'warn':
      // A broken SHOULD does not fail a build, but is shown.
      test.standardOutput(`warn: ${evidence}`)
      return
    default:
      if (isError(check, requirement)) test.error(note, check.verdict, evidence)
      else {
        test.skipped()
        notes.push(note)
      }
  }
}

const addCheck = (suite: Suite, requirement: RequirementReport, check: CheckReport, notes: Notes): void => {
  const [file = check.file, line] = check.file.split(/:(?=\d+$)/)
  const test = suite
    .testCase()
    .className(printable(`${requirement.chapter}.${requirement.id}`))
    .name(printable(`${requirement.id} ${check.title}`))
    .file(printable(file))
    .time(seconds(check.durationMs))
    .property('requirement', printable(requirement.id))
    .property('level', requirement.level)
    .property('verdict', check.verdict)
    .property('assertions', String(check.judged))
  if (requirement.judgedOnlyFor !== undefined) test.property('judged only for', requirement.judgedOnlyFor)
  if (line !== undefined) test.property('line', line)
  addVerdict(test, requirement, check, notes)
}

/** A requirement that no check judged is a skipped case of its own, so that it is visible. */
const addUnchecked = (suite: Suite, requirement: RequirementReport, notes: Notes): void => {
  suite
    .testCase()
    .className(printable(`${requirement.chapter}.${requirement.id}`))
    .name(printable(`${requirement.id} ${requirement.claim}`))
    .time(0)
    .skipped()
  notes.push(onOneLine(`${requirement.verdict}: ${requirement.because ?? 'no reason was recorded'}`))
}

const addChapter = (suite: Suite, chapter: Chapter, report: Report, notes: Notes): void => {
  const requirements = report.requirements.filter((requirement) => requirement.chapter === chapter)
  const checks = requirements.flatMap((requirement) => requirement.checks)
  suite
    .name(chapter)
    .timestamp(report.run.startedAt)
    .time(seconds(checks.reduce((sum, { durationMs }) => sum + durationMs, 0)))
    .property('seed', String(report.run.seed))
    .property('target', printable(`${report.target.name} ${report.target.baseUrl}`))
    .property('environment', report.target.environment)
    .property('conclusion', conclusionOf(report))
  for (const requirement of requirements) {
    for (const check of requirement.checks) addCheck(suite, requirement, check, notes)
    if (requirement.checks.length === 0) addUnchecked(suite, requirement, notes)
  }
}

export const renderJunit = (report: Report): string => {
  const builder = junit.newBuilder().name(printable(report.suite.name))
  const notes: Notes = []
  const covered = CHAPTERS.filter((chapter) =>
    report.requirements.some((requirement) => requirement.chapter === chapter),
  )
  for (const chapter of covered) addChapter(builder.testSuite(), chapter, report, notes)
  // The builder writes a skipped case without its note. Text is escaped, so each <skipped/> is a case of its own.
  let next = 0
  return builder
    .build()
    .replaceAll('<skipped/>', () => `<skipped message="${attribute(notes[next++] ?? '')}"/>`)
}

export const writeJunit = (report: Report, outDir: string): void => {
  writeWhole(join(outDir, OUTPUT.junit), renderJunit(report))
}
