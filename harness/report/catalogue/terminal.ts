import { quoteArgument, typed } from '../../evidence/command-names.ts'
import { DECIDED_BY } from '../../check/result.ts'
import { paragraph, PLAIN, type Colors } from '../terminal/text.ts'
import { onlyKindLine } from '../conclude.ts'
import { plural } from '../../plan/lists.ts'
import type { RequirementReport } from '../schema.ts'
import type { Row, NotShownRow } from './schema.ts'

/** One requirement for a terminal: what it says, and what to examine when it fails. */

interface ExplainStyle {
  /** Columns of the terminal. */
  readonly width: number
  readonly colors?: Colors
  /** The folder of own checks, as typed. */
  readonly ownChecks?: string | undefined
}

/** A paragraph after an indent or a bullet. */
type Paragraph = readonly [prefix: string, text: string]
type Part = readonly [title: string, content: readonly Paragraph[]]

const INDENT = '  '
const indented = (text: string): Paragraph => [INDENT, text]
const listed = (text: string): Paragraph => [`${INDENT}- `, text]
const belowListed = (text: string): Paragraph => [INDENT + INDENT, text]

/** No paragraph, if there is no text. */
const note = (text: string | undefined): readonly Paragraph[] => (text === undefined ? [] : [indented(text)])

/** Parts without content are left out. */
const render = (
  { id, level, claim }: Readonly<Record<'id' | 'level' | 'claim', string>>,
  parts: readonly Part[],
  { width, colors = PLAIN }: ExplainStyle,
): string =>
  [
    `${colors.bold(id)}  ${level}`,
    ...paragraph(INDENT, claim, width),
    ...parts
      .filter(([, content]) => content.length > 0)
      .flatMap(([title, content]) => [
        '',
        colors.bold(title),
        ...content.flatMap(([prefix, text]) => paragraph(prefix, text, width)),
      ]),
  ].join('\n')

const sourceText = (quote: string, source: string, place: string): Part => [
  'Source text',
  [indented(`"${quote}"`), indented(`${source}, ${place}`)],
]

const aboutCheck = ({ scenario, file, property, effect, needs }: Row['checks'][number]) => [
  listed(`${scenario}${property ? ' (a property: tried with many values)' : ''}`),
  belowListed(`${file}, effect ${effect}`),
  ...(needs.length === 0 ? [] : [belowListed(`needs ${needs.join('; ')}`)]),
]

const reasonOf = ({ checks, because }: RequirementReport): string | undefined => {
  const reported = checks.find((check) => (check.violation ?? check.because) !== undefined)
  const seen = reported?.violation
  return seen === undefined
    ? (reported?.because ?? because)
    : `${seen.subject}: expected ${seen.expected}, received ${seen.received} (exchange ${seen.exchange})`
}

/** What was found, by each check and in each facet: a pass with few assertions says less than one with many. */
const lastRun = (found: RequirementReport): readonly Paragraph[] => {
  const { verdict, checks, facets, claim, judgedOnlyFor } = found
  const reason = reasonOf(found)
  return [
    indented(reason === undefined ? verdict : `${verdict}: ${reason}`),
    ...checks.map(({ title, verdict: own, judged, decidedBy }) => {
      const decided = decidedBy === undefined ? '' : `, decided after the judge: ${DECIDED_BY[decidedBy]}`
      return listed(`${title.replace(`${claim}: `, '')}: ${own}, ${plural(judged, 'assertion')}${decided}`)
    }),
    ...facets.map(({ facet, verdict: own, judged }) =>
      indented(`facet ${facet}: ${own}, ${plural(judged, 'assertion')}`),
    ),
    ...note(judgedOnlyFor && onlyKindLine(judgedOnlyFor)),
  ]
}

const advice = ({ id, checks }: Row, ownChecks: string | undefined): readonly Paragraph[] => {
  if (checks.length === 0) return []
  const catalogue = ownChecks === undefined ? '' : `--catalogue ${quoteArgument(ownChecks)} `
  return [
    'the exchange in evidence.jsonl that the report refers to',
    'the keys of the profile that bind what the interface leaves open; a wrong key looks like a fault of the target',
    ...(checks.some(({ property }) => property)
      ? ['the counterexample: the smallest value with which the check fails']
      : []),
    `reproduce only this: ${typed('run', `${catalogue}--only ${id}`)} (with the options that name the target)`,
  ].map(listed)
}

export const explainRow = (row: Row, found: RequirementReport | undefined, style: ExplainStyle): string => {
  const { quote, place, source, reading, fromProfile, because, checks, defects } = row
  const parts: readonly Part[] = [
    sourceText(quote, source, place),
    ['Interpretation', note(reading)],
    [
      'Compared with the profile',
      note(fromProfile && `${fromProfile}: the interface does not give the value`),
    ],
    ['Checked in', checks.flatMap(aboutCheck)],
    ['Not judged', note(because)],
    ['The last run', found === undefined ? [] : lastRun(found)],
    ['When it fails, examine', advice(row, style.ownChecks)],
    [
      `Detected in ${plural(defects.length, 'defect')}`,
      defects.map(({ id, title }) => listed(`${id}: ${title}`)),
    ],
  ]
  return render(row, parts, style)
}

export const explainNotShown = (
  { id, subject, quote, place, recordedOf }: NotShownRow,
  observed: readonly string[],
  style: ExplainStyle,
): string =>
  render(
    { id, level: 'not shown', claim: `${subject}: not specified by the interface, so not judged` },
    [
      sourceText(quote, 'interface', place),
      ['Recorded in', recordedOf.map(listed)],
      ['Seen in the last run', observed.map(listed)],
    ],
    style,
  )
