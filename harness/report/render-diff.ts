import { onOneLine } from './run-observer.ts'
import { paragraph, PLAIN, wrap, type Colors } from './terminal/text.ts'
import { COURSES, movementOf, type Course, type Change, type Comparison } from './diff.ts'

/** The comparison for a terminal: the worst first. */

export interface ComparisonStyle {
  /** Columns of the terminal. */
  readonly width: number
  readonly colors?: Colors
}

const INDENT = '    '

const TITLES: Readonly<Record<Course, string>> = {
  regressed: 'worse than before, or no longer judged',
  improved: 'better than before',
  came: 'new in the catalogue',
  went: 'removed from the catalogue',
}

const paint = (course: Course, text: string, { red, green, dim }: Colors): string => {
  if (course === 'regressed') return red(text)
  return course === 'improved' ? green(text) : dim(text)
}

const line = (change: Change): string =>
  `  ${change.id.padEnd(8)}${change.level.padEnd(8)}${movementOf(change.before, change.after)}`

const block = (change: Change, { colors, width }: Required<ComparisonStyle>): readonly string[] => [
  paint(change.course, line(change), colors),
  ...paragraph(INDENT, change.claim, width),
  ...(change.because === undefined
    ? []
    : paragraph(INDENT, onOneLine(change.because), width).map(colors.dim)),
]

const part = (
  changes: readonly Change[],
  course: Course,
  style: Required<ComparisonStyle>,
): readonly string[] => {
  const own = changes.filter((change) => change.course === course)
  if (own.length === 0) return []
  return [
    style.colors.bold(`${own.length} ${TITLES[course]}`),
    ...own.flatMap((one) => block(one, style)),
    '',
  ]
}

const conclusion = ({ changes }: Comparison): string =>
  COURSES.map((course) => [course, changes.filter((change) => change.course === course).length] as const)
    .flatMap(([course, count]) => (count === 0 ? [] : [`${count} ${course}`]))
    .join(', ') || 'no difference'

export const renderComparison = (
  comparison: Comparison,
  { width, colors = PLAIN }: ComparisonStyle,
): string =>
  [
    ...comparison.caveats.flatMap((caveat) => wrap(onOneLine(caveat), width).map(colors.yellow)),
    ...(comparison.caveats.length > 0 ? [''] : []),
    ...COURSES.flatMap((course) => part(comparison.changes, course, { width, colors })),
    colors.bold(conclusion(comparison)),
  ].join('\n')
