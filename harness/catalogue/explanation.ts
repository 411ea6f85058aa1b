import { PLAIN } from '../report/terminal/colors.ts'
import { wrap } from '../report/terminal/layout.ts'
import { plural } from './words.ts'
import type { Colors } from '../report/terminal/colors.ts'
import type { RequirementReport } from '../report/schema.ts'
import type { Row, UndisclosedRow } from './schema.ts'

/** One row of the catalogue for a person at a terminal of 80 columns: what it says, and what to do when it fails. */

const WIDTH = 80
const INDENT = '  '

const indented = (text: string, indent = INDENT): readonly string[] =>
  wrap(text, WIDTH - indent.length).map((line) => indent + line)

const listed = (text: string): readonly string[] => {
  const [first = '', ...rest] = wrap(text, WIDTH - INDENT.length - 2)
  return [`${INDENT}- ${first}`, ...rest.map((line) => `${INDENT}  ${line}`)]
}

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

const advice = ({ id, checks }: Row): readonly string[] => [
  ...listed('the exchange that the report names, in evidence.jsonl: it is what the check has seen'),
  ...listed(
    'the keys of the profile that bind what the interface leaves open; a wrong one looks like a wrong target',
  ),
  ...(checks.some(({ property }) => property)
    ? listed('the counterexample: it is the smallest value with which the target goes wrong')
    : []),
  ...listed(`the same again, alone: npm test -- --only ${id} (with the options that name the target)`),
]

const headOf = (id: string, level: string, claim: string, colors: Colors): readonly string[] => [
  `${colors.bold(id)}  ${level}`,
  ...indented(claim),
]

/** @param found what the last run said of it. */
export const explainRow = (
  row: Row,
  found: RequirementReport | undefined,
  colors: Colors = PLAIN,
): string => {
  const { id, level, claim, quote, place, source, reading, because, checks, defects } = row
  return [
    ...headOf(id, level, claim, colors),
    ...part('Says', [...indented(`"${quote}"`), ...indented(origin(source, place))], colors),
    ...part('Read as', reading === undefined ? [] : indented(reading), colors),
    ...part('Judged of', checks.flatMap(checkLines), colors),
    ...part('Not judged', because === undefined ? [] : indented(because), colors),
    ...part('The last run', lastWord(found), colors),
    ...part('When it fails, look at', checks.length === 0 ? [] : advice(row), colors),
    ...part(
      `Proved on ${plural(defects.length, 'bank')} that ${defects.length === 1 ? 'breaks' : 'break'} it`,
      defects.flatMap((defect) => listed(`${defect.id}: ${defect.story}`)),
      colors,
    ),
  ].join('\n')
}

/** @param observed what the last run has seen of it. */
export const explainUndisclosed = (
  { id, subject, quote, place, recordedOf }: UndisclosedRow,
  observed: readonly string[],
  colors: Colors = PLAIN,
): string =>
  [
    ...headOf(id, 'not shown', `${subject}: the interface does not say, so that nothing is judged`, colors),
    ...part('Says', [...indented(`"${quote}"`), ...indented(origin('interface', place))], colors),
    ...part('Recorded of', recordedOf.flatMap(listed), colors),
    ...part('Seen in the last run', observed.flatMap(listed), colors),
  ].join('\n')
