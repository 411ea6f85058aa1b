import { quoteArgument, typed } from '../../evidence/command-names.ts'
import { DECIDED_BY } from '../../check/result.ts'
import { paragraph, PLAIN, type Colors } from '../terminal/text.ts'
import { onlyKindLine } from '../conclude.ts'
import { plural } from '../../plan/lists.ts'
import type { RequirementReport } from '../schema.ts'
import type { Row, NotShownRow } from './schema.ts'

/** One requirement for a terminal: what it says, and what to examine when it fails. */

const INDENT = '  '

interface Layout {
  readonly colors: Colors
  readonly indented: (text: string, indent?: string) => readonly string[]
  readonly listed: (text: string) => readonly string[]
}

interface ExplainStyle {
  /** Columns of the terminal. */
  readonly width: number
  readonly colors?: Colors
  /** The folder of own checks, as typed. */
  readonly ownChecks?: string | undefined
}

const layoutOf = ({ width, colors = PLAIN }: ExplainStyle): Layout => ({
  colors,
  indented: (text, indent = INDENT) => paragraph(indent, text, width),
  listed: (text) => paragraph(`${INDENT}- `, text, width),
})

const part = (title: string, lines: readonly string[], { colors }: Layout): readonly string[] =>
  lines.length === 0 ? [] : ['', colors.bold(title), ...lines]

/** A part of one paragraph. */
const note = (title: string, text: string | undefined, layout: Layout): readonly string[] =>
  part(title, text === undefined ? [] : layout.indented(text), layout)

const origin = (source: string, place: string): string =>
  source === 'interface' ? `interface, ${place}` : `${source}, ${place}`

const checkLines = (
  { scenario, file, property, effect, needs }: Row['checks'][number],
  { indented, listed }: Layout,
): readonly string[] => [
  ...listed(`${scenario}${property ? ' (a property: tried with many values)' : ''}`),
  ...indented(`${file}, effect ${effect}`, INDENT + INDENT),
  ...(needs.length === 0 ? [] : indented(`needs ${needs.join('; ')}`, INDENT + INDENT)),
]

const lastWord = (found: RequirementReport | undefined, { indented }: Layout): readonly string[] => {
  if (found === undefined) return []
  const reported = found.checks.find(({ violation, because }) => (violation ?? because) !== undefined)
  const seen = reported?.violation
  const reason =
    seen === undefined
      ? (reported?.because ?? found.because)
      : `${seen.subject}: expected ${seen.expected}, received ${seen.received} (exchange ${seen.exchange})`
  return indented(reason === undefined ? found.verdict : `${found.verdict}: ${reason}`)
}

/** What each check found, and each facet: a pass with few assertions says less than one with many. */
const judgedLines = (
  found: RequirementReport | undefined,
  { indented, listed }: Layout,
): readonly string[] => {
  if (found === undefined) return []
  const { checks, facets, claim, judgedOnlyFor } = found
  return [
    ...checks.flatMap(({ title, verdict, judged, decidedBy }) => {
      const decided = decidedBy === undefined ? '' : `, decided after the judge: ${DECIDED_BY[decidedBy]}`
      return listed(
        `${title.replace(`${claim}: `, '')}: ${verdict}, ${plural(judged, 'assertion')}${decided}`,
      )
    }),
    ...facets.flatMap(({ facet, verdict, judged }) =>
      indented(`facet ${facet}: ${verdict}, ${plural(judged, 'assertion')}`),
    ),
    ...(judgedOnlyFor === undefined ? [] : indented(onlyKindLine(judgedOnlyFor))),
  ]
}

const advice = ({ id, checks }: Row, { listed }: Layout, ownChecks?: string): readonly string[] => [
  ...listed('the exchange in evidence.jsonl that the report refers to'),
  ...listed(
    'the keys of the profile that bind what the interface leaves open; a wrong key looks like a fault of the target',
  ),
  ...(checks.some(({ property }) => property)
    ? listed('the counterexample: the smallest value with which the check fails')
    : []),
  ...listed(
    `reproduce only this: ${typed('run', `${ownChecks === undefined ? '' : `--catalogue ${quoteArgument(ownChecks)} `}--only ${id}`)} (with the options that name the target)`,
  ),
]

const headOf = (
  id: string,
  level: string,
  claim: string,
  { colors, indented }: Layout,
): readonly string[] => [`${colors.bold(id)}  ${level}`, ...indented(claim)]

/** @param found its result in the last run. */
export const explainRow = (row: Row, found: RequirementReport | undefined, style: ExplainStyle): string => {
  const layout = layoutOf(style)
  const { indented, listed } = layout
  const { id, level, claim, quote, place, source, reading, fromProfile, because, checks, defects } = row
  return [
    ...headOf(id, level, claim, layout),
    ...part('Source text', [...indented(`"${quote}"`), ...indented(origin(source, place))], layout),
    ...note('Interpretation', reading, layout),
    ...note(
      'Compared with the profile',
      fromProfile && `${fromProfile}: the interface does not give the value`,
      layout,
    ),
    ...part(
      'Checked in',
      checks.flatMap((each) => checkLines(each, layout)),
      layout,
    ),
    ...note('Not judged', because, layout),
    ...part('The last run', [...lastWord(found, layout), ...judgedLines(found, layout)], layout),
    ...part(
      'When it fails, examine',
      checks.length === 0 ? [] : advice(row, layout, style.ownChecks),
      layout,
    ),
    ...part(
      `Detected in ${plural(defects.length, 'defect')}`,
      defects.flatMap((defect) => listed(`${defect.id}: ${defect.title}`)),
      layout,
    ),
  ].join('\n')
}

/** @param observed what the last run recorded of it. */
export const explainNotShown = (
  { id, subject, quote, place, recordedOf }: NotShownRow,
  observed: readonly string[],
  style: ExplainStyle,
): string => {
  const layout = layoutOf(style)
  const { indented, listed } = layout
  return [
    ...headOf(id, 'not shown', `${subject}: not specified by the interface, so not judged`, layout),
    ...part('Source text', [...indented(`"${quote}"`), ...indented(origin('interface', place))], layout),
    ...part('Recorded in', recordedOf.flatMap(listed), layout),
    ...part('Seen in the last run', observed.flatMap(listed), layout),
  ].join('\n')
}
