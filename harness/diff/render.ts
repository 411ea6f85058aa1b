import { onOneLine } from '../report/printable.ts'
import { PLAIN } from '../report/terminal/colors.ts'
import { clip, pad, wrap } from '../report/terminal/layout.ts'
import type { Colors } from '../report/terminal/colors.ts'
import type { Change, Comparison, Course } from './compare.ts'

/** The comparison for a terminal of 80 columns: the worst first. */

const WIDTH = 80
const INDENT = '    '

const TITLES: Readonly<Record<Course, string>> = {
  regressed: 'worse than before, or judged no more',
  improved: 'better than before',
  came: 'new in the catalogue',
  went: 'gone from the catalogue',
}

const paint = (course: Course, text: string, { red, green, dim }: Colors): string => {
  if (course === 'regressed') return red(text)
  return course === 'improved' ? green(text) : dim(text)
}

const movement = ({ before, after }: Change): string =>
  [before, after].filter((word) => word !== undefined).join(' → ')

const line = (change: Change): string =>
  clip(`  ${pad(change.id, 8)}${pad(change.level, 8)}${movement(change)}`, WIDTH)

const block = (change: Change, colors: Colors): readonly string[] => [
  paint(change.course, line(change), colors),
  ...wrap(change.claim, WIDTH - INDENT.length).map((text) => INDENT + text),
  ...(change.because === undefined
    ? []
    : wrap(onOneLine(change.because), WIDTH - INDENT.length).map((text) => colors.dim(INDENT + text))),
]

const part = (changes: readonly Change[], course: Course, colors: Colors): readonly string[] => {
  const own = changes.filter((change) => change.course === course)
  if (own.length === 0) return []
  return [colors.bold(`${own.length} ${TITLES[course]}`), ...own.flatMap((one) => block(one, colors)), '']
}

const COURSES = ['regressed', 'improved', 'came', 'went'] as const satisfies readonly Course[]

const conclusion = ({ changes }: Comparison): string => {
  const count = (course: Course): number => changes.filter((change) => change.course === course).length
  if (changes.length === 0) return 'no difference'
  return COURSES.filter((course) => count(course) > 0)
    .map((course) => `${count(course)} ${course}`)
    .join(', ')
}

export const renderComparison = (comparison: Comparison, colors: Colors = PLAIN): string =>
  [
    ...comparison.caveats.map((caveat) => colors.yellow(clip(onOneLine(caveat), WIDTH))),
    ...(comparison.caveats.length > 0 ? [''] : []),
    ...COURSES.flatMap((course) => part(comparison.changes, course, colors)),
    colors.bold(conclusion(comparison)),
  ].join('\n')
