import { typed } from '../../evidence/command-names.ts'
import { paragraph, PLAIN, table } from '../terminal/text.ts'
import { onlyKindLine } from '../conclude.ts'
import { plural } from './page.ts'
import type { RequirementReport } from '../schema.ts'
import type { Colors } from '../terminal/text.ts'
import type { CatalogueDocument, Counts, Row, UndisclosedRow } from './schema.ts'

/** One requirement for a terminal of 80 columns: what it says, and what to examine when it fails. */

const WIDTH = 80
const INDENT = '  '

const indented = (text: string, indent = INDENT): readonly string[] => paragraph(indent, text, WIDTH)

const listed = (text: string): readonly string[] => paragraph(`${INDENT}- `, text, WIDTH)

const part = (title: string, lines: readonly string[], { bold }: Colors): readonly string[] =>
  lines.length === 0 ? [] : ['', bold(title), ...lines]

const origin = (source: string, place: string): string =>
  source === 'interface' ? `interface, ${place}` : `${source}, ${place}`

const checkLines = ({
  scenario,
  file,
  property,
  effect,
  needs,
}: Row['checks'][number]): readonly string[] => [
  ...listed(`${scenario}${property ? ' (a property: tried with many values)' : ''}`),
  ...indented(`${file}, effect ${effect}`, INDENT + INDENT),
  ...(needs.length === 0 ? [] : indented(`needs ${needs.join('; ')}`, INDENT + INDENT)),
]

const lastWord = (found: RequirementReport | undefined): readonly string[] => {
  if (found === undefined) return []
  const told = found.checks.find(({ violation, because }) => (violation ?? because) !== undefined)
  const seen = told?.violation
  const reason =
    seen === undefined
      ? (told?.because ?? found.because)
      : `${seen.subject}: expected ${seen.expected}, received ${seen.received} (exchange ${seen.exchange})`
  return indented(reason === undefined ? found.verdict : `${found.verdict}: ${reason}`)
}

const assertions = (count: number): string => plural(count, 'assertion')

/** What each check found, and each facet: a pass with few assertions says less than one with many. */
const judgedLines = (found: RequirementReport | undefined): readonly string[] => {
  if (found === undefined) return []
  const { checks, facets, claim, judgedOnlyFor } = found
  return [
    ...checks.flatMap(({ title, verdict, judged }) =>
      listed(`${title.replace(`${claim}: `, '')}: ${verdict}, ${assertions(judged)}`),
    ),
    ...facets.flatMap(({ facet, verdict, judged }) =>
      indented(`facet ${facet}: ${verdict}, ${assertions(judged)}`),
    ),
    ...(judgedOnlyFor === undefined ? [] : indented(onlyKindLine(judgedOnlyFor))),
  ]
}

const advice = ({ id, checks }: Row): readonly string[] => [
  ...listed('the exchange in evidence.jsonl that the report refers to'),
  ...listed(
    'the keys of the profile that bind what the interface leaves open; a wrong key looks like a fault of the target',
  ),
  ...(checks.some(({ property }) => property)
    ? listed('the counterexample: the smallest value with which the check fails')
    : []),
  ...listed(`reproduce only this: ${typed('run', `--only ${id}`)} (with the options that name the target)`),
]

const headOf = (id: string, level: string, claim: string, colors: Colors): readonly string[] => [
  `${colors.bold(id)}  ${level}`,
  ...indented(claim),
]

/** @param found its result in the last run. */
export const explainRow = (
  row: Row,
  found: RequirementReport | undefined,
  colors: Colors = PLAIN,
): string => {
  const { id, level, claim, quote, place, source, reading, fromProfile, because, checks, defects } = row
  return [
    ...headOf(id, level, claim, colors),
    ...part('Source text', [...indented(`"${quote}"`), ...indented(origin(source, place))], colors),
    ...part('Interpretation', reading === undefined ? [] : indented(reading), colors),
    ...part(
      'Compared with the profile',
      fromProfile === undefined ? [] : indented(`${fromProfile}: the interface does not give the value`),
      colors,
    ),
    ...part('Checked in', checks.flatMap(checkLines), colors),
    ...part('Not judged', because === undefined ? [] : indented(because), colors),
    ...part('The last run', [...lastWord(found), ...judgedLines(found)], colors),
    ...part('When it fails, examine', checks.length === 0 ? [] : advice(row), colors),
    ...part(
      `Detected in ${plural(defects.length, 'defect')}`,
      defects.flatMap((defect) => listed(`${defect.id}: ${defect.story}`)),
      colors,
    ),
  ].join('\n')
}

/** @param observed what the last run recorded of it. */
export const explainUndisclosed = (
  { id, subject, quote, place, recordedOf }: UndisclosedRow,
  observed: readonly string[],
  colors: Colors = PLAIN,
): string =>
  [
    ...headOf(id, 'not shown', `${subject}: not specified by the interface, so not judged`, colors),
    ...part('Source text', [...indented(`"${quote}"`), ...indented(origin('interface', place))], colors),
    ...part('Recorded in', recordedOf.flatMap(listed), colors),
    ...part('Seen in the last run', observed.flatMap(listed), colors),
  ].join('\n')

/** The counts of the catalogue, within 80 columns. */

const COLUMNS: readonly (keyof Counts)[] = [
  'MUST',
  'SHOULD',
  'MAY',
  'checked',
  'unchecked',
  'undisclosed',
  'checks',
  'defects',
]

const row = (name: string, counts: Counts): readonly string[] => [
  name,
  ...COLUMNS.map((key) => String(counts[key])),
]

export const renderSummary = ({ chapters, counts, suite, variations }: CatalogueDocument): string =>
  [
    `Catalogue of ${suite.name} ${suite.version}`,
    '',
    ...table(
      [
        ['', ...COLUMNS.map((key) => (key === 'undisclosed' ? 'not shown' : key))],
        ...chapters.map((each) => row(each.chapter, each.counts)),
        row('all', counts),
      ],
      2,
    ),
    '',
    `${variations.length} permitted variations of the reference bank: no check fails on them.`,
  ].join('\n')
