import { CHAPTERS } from '../../check/requirement.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { minuteOf } from '../../evidence/signals.ts'
import { coverageOf } from '../drawing/model.ts'
import { compareStatuses } from '../assemble.ts'
import { onOneLine } from '../run-observer.ts'
import { conclusionOf, onlyKindSummary, scopeLines } from '../conclude.ts'
import { paragraph, PLAIN, table, wrap } from './text.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { Report, RequirementReport } from '../schema.ts'
import type { Colors } from './text.ts'

/** The end of a run, in 80 columns: the conclusion last, so that it stays on the screen. */

export interface SummaryStyle {
  /** The output directory, as the user named it. */
  readonly out?: string
  readonly colors?: Colors
  /** Whether a file of the output was written; by default all files were. */
  readonly isThere?: (name: string) => boolean
}

const WIDTH = 80
const MOST_REASONS = 4

type Requirements = readonly RequirementReport[]

/** The columns of the table: the verdicts that judge, and one for all that do not. */
const COLUMNS: readonly (readonly [title: string, verdicts: readonly Verdict[]])[] = [
  ['pass', ['pass']],
  ['fail', ['fail']],
  ['warn', ['warn']],
  ['waived', ['waived']],
  ['harness-error', ['harness-error']],
  ['not judged', ['not-reached', 'inconclusive', 'not-applicable']],
]

const countOf = (requirements: Requirements, verdicts: readonly Verdict[]): number =>
  requirements.filter(({ verdict }) => verdicts.includes(verdict)).length

const paintCount = (title: string, count: number, colors: Colors): string => {
  if (count === 0) return ''
  const text = String(count)
  if (title === 'fail' || title === 'harness-error') return colors.red(text)
  if (title === 'warn' || title === 'waived') return colors.yellow(text)
  return title === 'pass' ? colors.green(text) : colors.dim(text)
}

const countsByChapter = ({ requirements }: Report, colors: Colors): readonly string[] => {
  const columns = COLUMNS.filter(
    ([title, verdicts]) => title === 'pass' || countOf(requirements, verdicts) > 0,
  )
  const row = (name: string, own: Requirements): readonly string[] => [
    name,
    ...columns.map(([title, verdicts]) => paintCount(title, countOf(own, verdicts), colors)),
  ]
  const chapters = CHAPTERS.map(
    (chapter) => [chapter, requirements.filter((one) => one.chapter === chapter)] as const,
  )
  return table([
    ['', ...columns.map(([title]) => colors.dim(title))],
    ...chapters.filter(([, own]) => own.length > 0).map(([chapter, own]) => row(chapter, own)),
    row('all', requirements),
  ])
}

/** All pending requirements share one reason. */
const reasonOf = ({ verdict, because = 'no reason was recorded' }: RequirementReport): string =>
  because.startsWith('pending') ? 'pending: no check yet' : onOneLine(`${verdict}: ${because}`)

const reasonLines = ({ requirements }: Report, colors: Colors): readonly string[] => {
  const counts = new Map<string, number>()
  const judged: readonly Verdict[] = ['pass', 'fail', 'warn']
  for (const requirement of requirements.filter(({ verdict }) => !judged.includes(verdict)))
    counts.set(reasonOf(requirement), (counts.get(reasonOf(requirement)) ?? 0) + 1)
  if (counts.size === 0) return []
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  const rest = sorted.length - MOST_REASONS
  return [
    '',
    'not judged',
    ...sorted
      .slice(0, MOST_REASONS)
      .flatMap(([reason, count]) => paragraph(`${String(count).padStart(5)}  `, reason, WIDTH)),
    ...(rest > 0
      ? [`       and ${rest} more ${rest === 1 ? 'reason' : 'reasons'}, in ${OUTPUT.report}`]
      : []),
  ].map((line) => colors.dim(line))
}

const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

const paintConclusion = (report: Report, { bold, red, yellow, green }: Colors): string => {
  const { conclusion } = report
  const text = conclusionOf(report)
  if (conclusion === 'conforms') return bold(green(text))
  return bold(conclusion === 'nonconforming' || conclusion === 'harness-error' ? red(text) : yellow(text))
}

const places = (count: number): string => (count === 1 ? '1 place' : `${count} places`)

const bindingsLine = ({ bindings = [] }: Report): string | undefined =>
  bindings.length === 0
    ? undefined
    : `the profile does not fit the target in ${places(bindings.length)}: ${bindings.map(({ key }) => key).join(', ')}`

/** The objects that the run created at the target, counted by status in the order of the interface. */
const createdLine = (
  what: string,
  records: readonly { readonly status?: string | undefined }[],
  ids: string,
): string | undefined => {
  if (records.length === 0) return undefined
  const counts = new Map<string, number>()
  for (const { status = 'no status' } of records) counts.set(status, (counts.get(status) ?? 0) + 1)
  const counted = [...counts]
    .sort(([one], [other]) => compareStatuses(one, other))
    .map(([status, count]) => `${count} ${onOneLine(status)}`)
    .join(', ')
  return `${what}: ${counted}; ${ids} in ${OUTPUT.report}`
}

/** The objects that were not deleted at the target, the largest number first. */
const leftLine = ({ created = [] }: Report): string | undefined => {
  const counts = new Map<string, number>()
  for (const { kind, cleaned } of created) if (!cleaned) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  if (counts.size === 0) return undefined
  const counted = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${count} ${count === 1 || kind.endsWith('s') ? kind : `${kind}s`}`)
  return `not deleted: ${counted.join(', ')}; reasons in ${OUTPUT.report}`
}

/** Distinguishes a target that calls a wrong URL from one that makes no call. */
const strayLine = ({ strays = [] }: Report): string | undefined => {
  const [first] = strays
  if (first === undefined) return undefined
  const calls = strays.length === 1 ? '1 call' : `${strays.length} calls`
  return `webhook sink: ${calls} at an address that the target was not given: ${onOneLine(`${first.method} ${first.url}`)}`
}

const waitingLine = ({ waiting = [], target, conclusion, merged }: Report): string | undefined => {
  // A shard is resumed in its own folder.
  if (merged !== undefined)
    return waiting.length === 0 ? undefined : 'scenarios wait: resume their shard, then merge again'
  if (target.clock === 'wall' && conclusion === 'interrupted') return 'npm test -- --resume resumes it'
  const [next] = waiting
  const last = waiting.at(-1)
  if (next === undefined || last === undefined) return undefined
  const from = minuteOf(new Date(next.until))
  const to = minuteOf(new Date(last.until))
  const count = waiting.length === 1 ? '1 scenario waits' : `${waiting.length} scenarios wait`
  return `${count} until ${from === to ? from : `${from} or later`}: npm test -- --resume`
}

/** In seconds, to the tenth. */
const tenths = (ms: number): string => (ms / 1000).toFixed(1).replace('-0.0', '0.0')

/** How far the target's clock is ahead: a reader of its times needs to know. */
const clockOffset = ({ target: { clockOffsetMs } }: Report): string => {
  if (clockOffsetMs === undefined) return ''
  const [least, most] = [tenths(clockOffsetMs.least), tenths(clockOffsetMs.most)]
  return least === most && least === '0.0' ? '' : ` · its clock ${least} to ${most} s ahead`
}

/** The files for the reader; the Allure page is generated after the summary. */
const FILES = [OUTPUT.report, OUTPUT.junit, OUTPUT.evidence]

const wrapped = (line: string | undefined, paint = (text: string): string => text): readonly string[] =>
  line === undefined ? [] : wrap(line, WIDTH).map(paint)

export const renderSummary = (
  report: Report,
  { out = 'reports/latest', colors = PLAIN, isThere = () => true }: SummaryStyle = {},
): string => {
  const { target, run, exitCode, payments = [], applications = [], models = [] } = report
  const unverified = 'its certificates were not verified: another server may have answered'
  return [
    ...countsByChapter(report, colors),
    ...reasonLines(report, colors),
    '',
    paintConclusion(report, colors),
    ...scopeLines(report).flatMap((line) => wrapped(line)),
    ...wrapped(onOneLine(`${target.name} · ${target.baseUrl} · ${target.environment}`)),
    ...wrapped(target.certificates === undefined ? undefined : unverified, colors.yellow),
    ...wrapped(onlyKindSummary(report)?.line, colors.yellow),
    ...wrapped(bindingsLine(report), colors.yellow),
    ...wrapped(createdLine('payments', payments, 'orderIds')),
    ...wrapped(createdLine('loans', applications, 'application-ids')),
    ...wrapped(leftLine(report)),
    ...wrapped(strayLine(report)),
    ...models.flatMap((model) => wrapped(`${coverageOf(model)}, drawing: ${model.drawing}`)),
    ...wrapped(waitingLine(report)),
    ...wrapped(
      `${duration(run.durationMs)} · seed ${run.seed} · exit code ${exitCode}${clockOffset(report)}`,
    ),
    `${onOneLine(out)}: ${FILES.filter(isThere).join(' ')}`,
  ].join('\n')
}
