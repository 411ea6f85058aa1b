import { labelOf } from '../chapter-titles.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { minuteOf } from '../../evidence/signals.ts'
import { coverageOf } from '../drawing/model.ts'
import { compareStatuses } from '../order.ts'
import { LATEST, resumeCommand } from '../run-folder.ts'
import { onOneLine } from '../run-observer.ts'
import { onlyKindSummary } from '../conclude.ts'
import { typed } from '../../evidence/command-names.ts'
import { groupBy, idRanges, plural } from '../../plan/lists.ts'
import { waiverSentence } from '../waivers.ts'
import { headlineOf } from '../headline.ts'
import { bySize, chaptersIn, NO_REASON, ordersIn, withoutRemedy, withVerdict } from '../rows.ts'
import { withoutExchanges } from './unjudged.ts'
import { durationText, paragraph, PLAIN, table, wrap, type Colors } from './text.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { ReasonKind } from '../../plan/reason.ts'
import type { Report, RequirementReport } from '../schema.ts'

/** The end of a run: an overview before the findings, and after them the conclusion, which stays on the screen. */

interface SummaryStyle {
  readonly out?: string
  readonly colors?: Colors
  /** Columns; 80 if left out. */
  readonly width?: number
  /** Whether a file of the output was written; by default all files were. */
  readonly isThere?: (name: string) => boolean
}

/** Without a terminal. */
const DEFAULT_WIDTH = 80

type Requirements = readonly RequirementReport[]

/** The columns of the table, each with its title. */
const COLUMNS: readonly (readonly [title: string, ...verdicts: readonly Verdict[]])[] = [
  ['pass', 'pass'],
  ['fail', 'fail'],
  ['warn', 'warn'],
  ['accepted\nexception', 'waived'],
  ['harness\nerror', 'harness-error'],
  ['not\nreached', 'not-reached', 'inconclusive'],
  ['not\ntested', 'not-tested'],
  ['not\napplicable', 'not-applicable'],
]

const paintCount = ([verdict]: readonly Verdict[], count: number, colors: Colors): string => {
  if (count === 0) return ''
  const text = String(count)
  if (verdict === 'fail' || verdict === 'harness-error') return colors.red(text)
  if (verdict === 'warn' || verdict === 'waived') return colors.yellow(text)
  return verdict === 'pass' ? colors.green(text) : colors.dim(text)
}

/** What was not selected is left out: who selected knows it. */
const selectedIn = ({ requirements }: Report): Report['requirements'] =>
  requirements.filter(({ reason }) => reason !== 'not-selected')

const countsByChapter = (report: Report, colors: Colors): readonly string[] => {
  const requirements = selectedIn(report)
  const columns = COLUMNS.filter(
    ([title, ...verdicts]) => title === 'pass' || withVerdict(requirements, ...verdicts).length > 0,
  )
  const row = (name: string, own: Requirements): readonly string[] => [
    name,
    ...columns.map(([, ...verdicts]) => paintCount(verdicts, withVerdict(own, ...verdicts).length, colors)),
  ]
  const chapters = chaptersIn({ requirements })
  return table(
    [
      ['requirements', ...columns.map(([title]) => title)].map(colors.dim),
      ...chapters.map(([chapter, own]) => row(labelOf(chapter, report), own)),
      ...(chapters.length > 1 ? [row('all', requirements)] : []),
    ],
    2,
  )
}

/** Without the exchange, which differs from scenario to scenario: the cause does not. */
const reasonOf = ({ verdict, because = NO_REASON }: RequirementReport): string =>
  onOneLine(`${OPEN.includes(verdict) ? `${verdict}: ` : ''}${withoutExchanges(because)}`)

/** A key that does not fit the target is described above the summary, once. */
const reasonIn =
  ({ bindings = [] }: Report) =>
  (requirement: RequirementReport): string => {
    const { verdict, because = '' } = requirement
    const binding = bindings.find(({ key }) => because.includes(`\`${key}\` of the profile`))
    return binding === undefined
      ? reasonOf(requirement)
      : `${verdict}: ${binding.key} of the profile does not fit the target`
  }

/** The reasons of requirements, the most frequent first, each after its number of requirements. */
const section = (
  title: string,
  requirements: Requirements,
  report: Report,
  width: number,
): readonly string[] => {
  if (requirements.length === 0) return []
  const lines = bySize(groupBy(requirements, reasonIn(report))).flatMap(([reason, { length }]) =>
    paragraph(`${String(length).padStart(5)}  `, reason, width),
  )
  return ['', title, ...lines]
}

/** A waived requirement was judged: it is listed among the accepted exceptions. */
const OPEN: readonly Verdict[] = ['not-reached', 'inconclusive', 'harness-error']

/** What is open, and what no change of the profile makes applicable, each with its reasons. */
const reasonLines = (report: Report, colors: Colors, width: number): readonly string[] => {
  const { requirements } = report
  return [
    ...section('not judged', withVerdict(requirements, ...OPEN), report, width),
    ...section('not tested', withoutRemedy(report), report, width),
    ...section('not applicable', withVerdict(requirements, 'not-applicable'), report, width),
  ].map(colors.dim)
}

const waiverLines = ({ waivers = [] }: Report, colors: Colors, width: number): readonly string[] => {
  if (waivers.length === 0) return []
  const lines = waivers.flatMap((one) =>
    paragraph(`  ${one.requirement}  `, onOneLine(waiverSentence(one)), width).map(
      one.state === 'stale' ? colors.yellow : colors.dim,
    ),
  )
  return ['', 'accepted exceptions', ...lines]
}

/** To the tenth of a second in the first minute. */
const duration = (ms: number): string => (ms < 59_500 ? `${tenths(ms)} s` : durationText(ms))

const paintHeadline = ({ gate }: Report, { red, yellow, green }: Colors) => {
  if (gate === 'conforms') return green
  return gate === 'nonconforming' || gate === 'harness-error' ? red : yellow
}

const bindingsLine = ({ bindings = [] }: Report): string | undefined =>
  bindings.length === 0
    ? undefined
    : `the profile does not fit the target in ${plural(bindings.length, 'place')}: ${bindings.map(({ key }) => key).join(', ')}`

interface Ids {
  readonly isWritten: boolean
  readonly width: number
}

/** Without report.json, nothing else has the ids. */
const idLines = (
  groups: Iterable<readonly [string, readonly { readonly id: string }[]]>,
  { isWritten, width }: Ids,
): readonly string[] =>
  isWritten
    ? []
    : [...groups].flatMap(([name, own]) =>
        paragraph(`  ${onOneLine(name)}  `, onOneLine(own.map(({ id }) => id).join(', ')), width),
      )

/** The objects that the run created at the target, counted by status in the order of the interface. */
const createdLines = (
  what: string,
  records: readonly { readonly status?: string | undefined; readonly id: string }[],
  idName: string,
  ids: Ids,
): readonly string[] => {
  if (records.length === 0) return []
  const groups = [...groupBy(records, ({ status = 'no status' }) => status)].sort(([one], [other]) =>
    compareStatuses(one, other),
  )
  const counted = groups.map(([status, own]) => `${own.length} ${onOneLine(status)}`).join(', ')
  const where = ids.isWritten ? `${idName} in ${OUTPUT.report}` : `their ${idName}:`
  return [...wrap(`${what}: ${counted}; ${where}`, ids.width), ...idLines(groups, ids)]
}

/** The objects that were not deleted at the target, the largest number first. */
const leftLines = (report: Report, ids: Ids): readonly string[] => {
  const { created = [] } = report
  const left = created.filter(({ cleaned }) => !cleaned)
  if (left.length === 0) return []
  const counted = bySize(groupBy(left, ({ kind }) => kind)).map(
    ([kind, { length }]) => `${length} ${length === 1 || kind.endsWith('s') ? kind : `${kind}s`}`,
  )
  const { payments, loans } = ordersIn(report)
  const above = new Set([...payments, ...loans].map(({ id }) => id))
  const notAbove = left.filter(({ id }) => !above.has(id))
  const others = bySize(groupBy(notAbove, ({ kind }) => kind))
  const where = ids.isWritten ? `; reasons in ${OUTPUT.report}` : others.length > 0 ? '; their ids:' : ''
  return [...wrap(`not deleted: ${counted.join(', ')}${where}`, ids.width), ...idLines(others, ids)]
}

/** More would hide the conclusion. */
const MOST_DELETABLE = 20

/** What can be deleted later, with the command; a run that waits is resumed anyway. */
const deletableLines = (
  { created = [], waiting = [], conclusion, run: { command } }: Report,
  { out, width }: { readonly out: string; readonly width: number },
): readonly string[] => {
  const deletable = created.filter((one) => one.deletable === true)
  if (deletable.length === 0 || waiting.length > 0 || conclusion === 'interrupted') return []
  const more = deletable.length - MOST_DELETABLE
  return [
    ...deletable
      .slice(0, MOST_DELETABLE)
      .flatMap(({ kind, id, because = '' }) =>
        paragraph('  ', onOneLine(`${kind} ${id}: ${withoutExchanges(because)}`), width),
      ),
    ...(more > 0 ? [`  and ${more} more`] : []),
    'to delete them later:',
    resumeLine(command, out),
  ]
}

/** Never folded. */
const resumeLine = (command: string, out: string): string => `  ${resumeCommand(command, out)}`

/** Distinguishes a target that calls a wrong URL from one that makes no call. */
const strayLine = ({ strays = [] }: Report): string | undefined => {
  const [first] = strays
  if (first === undefined) return undefined
  return `webhook sink: ${plural(strays.length, 'call')} at an address that the target was not given: ${onOneLine(`${first.method} ${first.url}`)}`
}

/** Until when scenarios wait, and the command that resumes the run, which is never folded. */
const waitingLines = (
  { waiting = [], target, conclusion, run: { command } }: Report,
  out: string,
): readonly string[] => {
  const resume = resumeLine(command, out)
  // Nothing of the embedded bank outlives its run.
  if (conclusion === 'interrupted') return target.baseUrl === 'embedded' ? [] : ['to resume the run:', resume]
  const [next] = waiting
  const last = waiting.at(-1)
  if (next === undefined || last === undefined) return []
  const from = minuteOf(new Date(next.until))
  const to = minuteOf(new Date(last.until))
  const count = plural(waiting.length, 'scenario waits', 'scenarios wait')
  return [`${count} until ${from === to ? from : `${from} or later`}; then resume the run:`, resume]
}

/** In seconds, to the tenth. */
const tenths = (ms: number): string => (ms / 1000).toFixed(1).replace('-0.0', '0.0')

/** How far the target's clock is ahead: a reader of its times needs to know. */
const clockOffset = ({ target: { clockOffsetMs } }: Report): string => {
  if (clockOffsetMs === undefined) return ''
  const { least, most } = clockOffsetMs
  const [from, to] = [tenths(least), tenths(most)]
  if (from === to && from === '0.0') return ''
  return least <= 0 && most >= 0
    ? ` · its clock equal to ours (±${tenths(Math.max(-least, most))} s)`
    : ` · its clock ${from} to ${to} s ahead`
}

/** The files for the reader; the Allure page is generated after the summary. */
const FILES = [OUTPUT.report, OUTPUT.junit, OUTPUT.evidence]

/** Wraps lines of a report; a line that is not there is left out. */
const lineWrapper =
  (width: number) =>
  (line: string | undefined, paint = (text: string): string => text): readonly string[] =>
    line === undefined ? [] : wrap(line, width).map(paint)

/** What a run judged, by chapter, and what it did at the target. Empty if the target cannot be reached. */
export const renderOverview = (
  report: Report,
  { out = LATEST, colors = PLAIN, width = DEFAULT_WIDTH, isThere = () => true }: SummaryStyle = {},
): string => {
  const { target, models = [], conclusion } = report
  const { payments, loans } = ordersIn(report)
  if (conclusion === 'unreachable') return ''
  const ids = { isWritten: isThere(OUTPUT.report), width }
  const unverified = 'its certificates were not verified: another server may have answered'
  const wrapped = lineWrapper(width)
  const done = [
    ...wrapped(target.certificates === undefined ? undefined : unverified, colors.yellow),
    ...wrapped(onlyKindSummary(report)?.line, colors.yellow),
    ...createdLines('payments', payments, 'orderIds', ids),
    ...createdLines('loans', loans, 'application-ids', ids),
    ...leftLines(report, ids),
    ...deletableLines(report, { out, width }),
    ...wrapped(strayLine(report)),
    ...models
      .filter(({ drawing }) => isThere(drawing))
      .flatMap((model) => wrapped(`${coverageOf(model)}, drawing: ${model.drawing}`)),
  ]
  return [
    ...countsByChapter(report, colors),
    ...reasonLines(report, colors, width),
    ...waiverLines(report, colors, width),
    ...(done.length === 0 ? [] : ['', ...done]),
  ].join('\n')
}

const FOUND: readonly (readonly [one: string, many: string, verdicts: readonly Verdict[]])[] = [
  ['failed', 'failed', ['fail']],
  ['harness error', 'harness errors', ['harness-error']],
  ['warning', 'warnings', ['warn']],
  ['accepted exception', 'accepted exceptions', ['waived']],
  ['not judged', 'not judged', ['not-reached', 'inconclusive']],
]

/** More would hide the conclusion. */
const MOST_RANGES = 8

/** `1 failed: TOK-05 · 4 warnings: AUT-42 … AUT-45`; undefined if everything passed. */
const foundLine = ({ requirements, conclusion }: Report): string | undefined => {
  if (conclusion === 'unreachable') return undefined
  const parts = FOUND.flatMap(([one, many, verdicts]) => {
    const own = withVerdict(requirements, ...verdicts)
    if (own.length === 0) return []
    const ranges = idRanges(own.map(({ id }) => id))
    const more = ranges.length > MOST_RANGES ? ', …' : ''
    return [`${plural(own.length, one, many)}: ${ranges.slice(0, MOST_RANGES).join(', ')}${more}`]
  })
  return parts.length === 0 ? undefined : parts.join(' · ')
}

/** What requirements need that were not tested. */
const NEEDS: Readonly<Partial<Record<ReasonKind, string>>> = {
  'not-selected': 'not selected',
  'missing-in-profile': 'need more in the profile',
  'effect-not-allowed': 'need --allow',
  'too-long': 'need more time',
  'too-many-prompts': 'need more authorizations by a person',
  pending: 'have no check yet',
}

/** `356 not tested: 121 not selected, 235 need more in the profile (npm run plan lists them)` */
const notTestedLine = ({ requirements, testable = [], conclusion }: Report): string | undefined => {
  const left = withVerdict(requirements, 'not-tested')
  if (left.length === 0 || conclusion === 'unreachable') return undefined
  const counts = Object.entries(NEEDS).flatMap(([kind, words]) => {
    const { length } = left.filter(({ reason }) => reason === kind)
    return length === 0 ? [] : [`${length} ${words}`]
  })
  if (left.every(({ reason }) => reason === 'not-selected')) return counts.join('')
  const where = testable.length === 0 ? '' : ` (${typed('plan')} lists them)`
  return `${left.length} not tested: ${counts.join(', ')}${where}`
}

/** The conclusion with its coverage, what failed, how a run is resumed, the exit code and where the reports are. */
export const renderConclusion = (
  report: Report,
  { out = LATEST, colors = PLAIN, width = DEFAULT_WIDTH, isThere = () => true }: SummaryStyle = {},
): string => {
  const { target, run, exitCode } = report
  const wrapped = lineWrapper(width)
  return [
    ...wrapped(onOneLine(`${target.name} · ${target.baseUrl} · ${target.environment}`)),
    ...wrapped(headlineOf(report), (line) => colors.bold(paintHeadline(report, colors)(line))),
    ...wrapped(foundLine(report)),
    ...wrapped(bindingsLine(report), colors.yellow),
    ...wrapped(notTestedLine(report)),
    ...waitingLines(report, out),
    ...wrapped(
      `${duration(run.durationMs)} · seed ${run.seed} · exit code ${exitCode}${clockOffset(report)}`,
    ),
    `${onOneLine(out)}: ${FILES.filter(isThere).join(' ')}`,
  ].join('\n')
}
