import { CHAPTERS } from '../../check/requirement.ts'
import { coverageOf } from '../drawing/svg.ts'
import { minuteOf } from '../../evidence/signals.ts'
import { compareStatuses } from '../in-order.ts'
import { onOneLine } from '../printable.ts'
import { OUTPUT } from '../output.ts'
import { partLines, wordOf } from '../word.ts'
import { bindingsLine } from './bindings.ts'
import { PLAIN } from './colors.ts'
import { clip, lengthOf, pad } from './layout.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { Report, RequirementReport } from '../schema.ts'
import type { Colors } from './colors.ts'

/** The end of a run on one screen: 80 columns, and never more than 24 lines. */

export interface SummaryStyle {
  /** The output directory, as the user named it. */
  readonly out?: string
  readonly colors?: Colors
  /** Whether a file of the output was written; each was, unless this says no. */
  readonly isThere?: (name: string) => boolean
}

const WIDTH = 80
const HEIGHT = 24
const MOST_REASONS = 4
const COLUMN_GAP = 3
const NAME_WIDTH = 13

type Requirements = readonly RequirementReport[]

/** The columns of the table: the words that judge, and one for all that do not. */
const COLUMNS: readonly (readonly [title: string, words: readonly Verdict[]])[] = [
  ['pass', ['pass']],
  ['fail', ['fail']],
  ['warn', ['warn']],
  ['waived', ['waived']],
  ['harness-error', ['harness-error']],
  ['not judged', ['not-reached', 'inconclusive', 'not-applicable']],
]

const countOf = (requirements: Requirements, words: readonly Verdict[]): number =>
  requirements.filter(({ verdict }) => words.includes(verdict)).length

const paintCount = (title: string, text: string, colors: Colors): string => {
  if (text.trim() === '') return text
  if (title === 'fail' || title === 'harness-error') return colors.red(text)
  if (title === 'warn' || title === 'waived') return colors.yellow(text)
  return title === 'pass' ? colors.green(text) : colors.dim(text)
}

const table = ({ requirements }: Report, colors: Colors): readonly string[] => {
  const columns = COLUMNS.filter(([title, words]) => title === 'pass' || countOf(requirements, words) > 0)
  const row = (name: string, own: Requirements): string =>
    pad(name, NAME_WIDTH) +
    columns
      .map(([title, words]) => {
        const count = countOf(own, words)
        const text = (count === 0 ? '' : String(count)).padStart(lengthOf(title) + COLUMN_GAP)
        return paintCount(title, text, colors)
      })
      .join('')
  const titles = columns.map(([title]) => title.padStart(lengthOf(title) + COLUMN_GAP)).join('')
  return [
    colors.dim(pad('', NAME_WIDTH) + titles),
    ...CHAPTERS.map((chapter) => [chapter, requirements.filter((one) => one.chapter === chapter)] as const)
      .filter(([, own]) => own.length > 0)
      .map(([chapter, own]) => row(chapter, own)),
    row('all', requirements),
  ]
}

/** A blank line, and one that says what follows. */
const HEADING = 2

/** What is pending is one reason, whatever each row still waits for. */
const reasonOf = ({ verdict, because = 'no reason was recorded' }: RequirementReport): string =>
  because.startsWith('pending') ? 'pending: no check of it yet' : onOneLine(`${verdict}: ${because}`)

/** @param room how many lines are left for them, with their heading. */
const reasons = ({ requirements }: Report, colors: Colors, room: number): readonly string[] => {
  const counts = new Map<string, number>()
  const judged: readonly Verdict[] = ['pass', 'fail', 'warn']
  for (const requirement of requirements.filter(({ verdict }) => !judged.includes(verdict)))
    counts.set(reasonOf(requirement), (counts.get(reasonOf(requirement)) ?? 0) + 1)
  if (counts.size === 0 || room <= HEADING) return []
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  const most = Math.min(MOST_REASONS, room - HEADING)
  const shown = sorted.length > most ? sorted.slice(0, Math.max(1, most - 1)) : sorted
  const rest = sorted.length - shown.length
  // A single line is better spent on a reason than on how many there are.
  const isTold = rest > 0 && shown.length < most
  return [
    '',
    'not judged, and why',
    ...shown.map(([reason, count]) => clip(`${String(count).padStart(5)}  ${reason}`, WIDTH)),
    ...(isTold ? [`       and ${rest} more reasons, in ${OUTPUT.report}`] : []),
  ].map((line) => colors.dim(line))
}

const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

const paintConclusion = (report: Report, { bold, red, yellow, green }: Colors): string => {
  const [word, conclusion] = [wordOf(report), report.conclusion]
  if (conclusion === 'conforms') return bold(green(word))
  return bold(conclusion === 'nonconforming' || conclusion === 'harness-error' ? red(word) : yellow(word))
}

/** What the target now knows of, and its owner may want to look for: by status, as the interface lists them. */
const createdLine = (
  what: string,
  records: readonly { readonly status?: string | undefined }[],
  ids: string,
): readonly string[] => {
  if (records.length === 0) return []
  const counts = new Map<string, number>()
  for (const { status = 'no status' } of records) counts.set(status, (counts.get(status) ?? 0) + 1)
  const told = [...counts]
    .sort(([one], [other]) => compareStatuses(one, other))
    .map(([status, count]) => `${count} ${onOneLine(status)}`)
    .join(', ')
  return [clip(`${what}: ${told}; ${ids} in ${OUTPUT.report}`, WIDTH)]
}

/** What somebody else may have to clean up, the most of it first. */
const leftLine = ({ created = [] }: Report): readonly string[] => {
  const counts = new Map<string, number>()
  for (const { kind, cleaned } of created) if (!cleaned) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  if (counts.size === 0) return []
  const told = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${count} ${count === 1 || kind.endsWith('s') ? kind : `${kind}s`}`)
  return [clip(`left behind: ${told.join(', ')}; why in ${OUTPUT.report}`, WIDTH)]
}

/** A target that calls the wrong address looks like one that does not call at all. */
const strayLine = ({ strays = [] }: Report): readonly string[] => {
  const [first] = strays
  if (first === undefined) return []
  const calls = strays.length === 1 ? '1 call' : `${strays.length} calls`
  const told = onOneLine(`${first.method} ${first.url}`)
  return [clip(`webhook sink: ${calls} at an address that nobody was told: ${told}`, WIDTH)]
}

/** What a run has not visited of a model is seen in its drawing. */
const modelLines = ({ models = [] }: Report): readonly string[] =>
  models.map((model) => clip(`${coverageOf(model)}, drawn in ${model.drawing}`, WIDTH))

/** What weakens every verdict of the run. */
const certificatesLine = ({ target }: Report, { yellow }: Colors): readonly string[] =>
  target.certificates === undefined
    ? []
    : [yellow('its certificates were not verified: whoever answered may be anybody')]

/** What a later run will tell. */
const waitingLine = ({ waiting = [], target, conclusion, merged }: Report): readonly string[] => {
  // It is gone on with in the folder of its shard.
  if (merged !== undefined) return waiting.length === 0 ? [] : ['what waits: resume its shard, merge again']
  if (target.clock === 'wall' && conclusion === 'interrupted') return ['npm test -- --resume goes on with it']
  const [next] = waiting
  const last = waiting.at(-1)
  if (next === undefined || last === undefined) return []
  const [from, to] = [minuteOf(new Date(next.until)), minuteOf(new Date(last.until))]
  const until = from === to ? `until ${from}` : `until ${from} and longer`
  const count = waiting.length === 1 ? '1 scenario waits' : `${waiting.length} scenarios wait`
  return [clip(`${count} ${until}: npm test -- --resume`, WIDTH)]
}

/** In seconds, to the tenth. */
const tenths = (ms: number): string => (ms / 1000).toFixed(1).replace('-0.0', '0.0')

/** How far the target's clock is ahead: the reader of its times wants to know. */
const offset = ({ target: { clockOffsetMs } }: Report): string => {
  if (clockOffsetMs === undefined) return ''
  const [least, most] = [tenths(clockOffsetMs.least), tenths(clockOffsetMs.most)]
  return least === most && least === '0.0' ? '' : ` · its clock ${least} to ${most} s ahead`
}

/** What a reader opens. */
const FILES = [OUTPUT.report, OUTPUT.junit, OUTPUT.evidence, `${OUTPUT.allureReport}/index.html`]

export const renderSummary = (
  report: Report,
  { out = 'reports/latest', colors = PLAIN, isThere = () => true }: SummaryStyle = {},
): string => {
  const { target, run, exitCode } = report
  const files = FILES.filter(isThere)
  const counted = table(report, colors)
  const end = [
    '',
    paintConclusion(report, colors),
    ...partLines(report).map((line) => clip(line, WIDTH)),
    clip(onOneLine(`${target.name} · ${target.baseUrl} · ${target.environment}`), WIDTH),
    ...certificatesLine(report, colors),
    ...bindingsLine(report, WIDTH).map((line) => colors.yellow(line)),
    ...createdLine('payments', report.payments ?? [], 'orderIds'),
    ...createdLine('loans', report.applications ?? [], 'application-ids'),
    ...leftLine(report),
    ...strayLine(report),
    ...modelLines(report),
    ...waitingLine(report),
    clip(`${duration(run.durationMs)} · seed ${run.seed} · exit code ${exitCode}${offset(report)}`, WIDTH),
    `${onOneLine(out)}: ${files.join(' ')}`,
  ]
  // Whatever else there is to tell, it stays on the screen.
  const room = HEIGHT - counted.length - end.length
  return [...counted, ...reasons(report, colors, room), ...end].join('\n')
}
