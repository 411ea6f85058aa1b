import { VERDICTS, type Verdict } from '../check/verdict.ts'
import { onOneLine } from './run-observer.ts'
import { paragraph, PLAIN, wrap, type Colors } from './terminal/text.ts'
import type { Report, RequirementReport } from './schema.ts'

/** Compares two runs, requirement by requirement. */

/**
 * `regressed`: a worse verdict than before, or no longer judged. `improved`: the reverse. `came`, `went`: only in the
 * catalogue of the later or the earlier run.
 */
export const COURSES = ['regressed', 'improved', 'came', 'went'] as const
export type Course = (typeof COURSES)[number]

export interface Change {
  readonly id: string
  readonly level: RequirementReport['level']
  readonly claim: string
  readonly course: Course
  readonly before?: Verdict
  readonly after?: Verdict
  /** The reason why it is no longer judged, or the violation. */
  readonly because?: string
}

export interface Comparison {
  readonly changes: readonly Change[]
  /** Why the two cannot be compared exactly: another target, other claims, another profile. */
  readonly caveats: readonly string[]
}

/** `pass → fail`; one verdict if the other run does not have the requirement. */
export const movementOf = (...verdicts: readonly (Verdict | undefined)[]): string =>
  verdicts.filter((word) => word !== undefined).join(' → ')

const isJudged = (verdict: Verdict): boolean => verdict === 'pass' || verdict === 'warn' || verdict === 'fail'

/** The lower, the better: VERDICTS lists the worst first. */
const badness = (verdict: Verdict): number => VERDICTS.length - VERDICTS.indexOf(verdict)

const courseOf = (before: Verdict, after: Verdict): Course | undefined => {
  if (before === after) return undefined
  // What was broken and accepted is not better if nothing judges it.
  if (before === 'waived' && !isJudged(after)) return 'regressed'
  if (isJudged(before) !== isJudged(after)) return lostOrFound(before, after)
  return badness(after) > badness(before) ? 'regressed' : 'improved'
}

/** A failure that is no longer judged is not fixed; a failure that is judged for the first time is a regression. */
const lostOrFound = (before: Verdict, after: Verdict): Course => {
  if (isJudged(before)) return 'regressed'
  return after === 'fail' || (after === 'warn' && before === 'waived') ? 'regressed' : 'improved'
}

const reasonOf = ({ because, checks }: RequirementReport): string | undefined => {
  const broken = checks.find(({ violation }) => violation !== undefined)?.violation
  if (broken !== undefined)
    return `${broken.subject}: expected ${broken.expected}, received ${broken.received}`
  return because ?? checks.find((check) => check.because !== undefined)?.because
}

const described = (
  row: RequirementReport,
  course: Course,
  verdicts: Pick<Change, 'before' | 'after'>,
): Change => {
  const because = course === 'regressed' ? reasonOf(row) : undefined
  const { id, level, claim } = row
  return { id, level, claim, course, ...verdicts, ...(because !== undefined && { because }) }
}

const changeOf = (before: RequirementReport | undefined, after: RequirementReport): Change | undefined => {
  if (before === undefined) return described(after, 'came', { after: after.verdict })
  const course = courseOf(before.verdict, after.verdict)
  return course && described(after, course, { before: before.verdict, after: after.verdict })
}

const caveatsOf = (before: Report, after: Report): readonly string[] => {
  const pairs: readonly (readonly [string, string, string])[] = [
    ['target', before.target.baseUrl, after.target.baseUrl],
    ['environment', before.target.environment, after.target.environment],
    ['scope', before.scope.asked, after.scope.asked],
    ['clock', before.target.clock, after.target.clock],
    ['profile', before.target.profileDigest.slice(0, 12), after.target.profileDigest.slice(0, 12)],
    ['catalogue', before.suite.catalogueDigest.slice(0, 12), after.suite.catalogueDigest.slice(0, 12)],
    ['seed', String(before.run.seed), String(after.run.seed)],
  ]
  return pairs.flatMap(([what, one, other]) =>
    one === other ? [] : [`different ${what}: ${one}, now ${other}`],
  )
}

/** @param before the report of the earlier run, which the later one is compared with. */
export const compare = (before: Report, after: Report): Comparison => {
  const known = new Map(before.requirements.map((row) => [row.id, row]))
  const present = new Set(after.requirements.map(({ id }) => id))
  return {
    changes: [
      ...after.requirements.flatMap((row) => changeOf(known.get(row.id), row) ?? []),
      ...before.requirements
        .filter(({ id }) => !present.has(id))
        .map((row) => described(row, 'went', { before: row.verdict })),
    ],
    caveats: caveatsOf(before, after),
  }
}

/** Only requirements of both catalogues can regress. */
export const hasRegressed = ({ changes }: Comparison): boolean =>
  changes.some(({ course }) => course === 'regressed')

// -- For a terminal: the worst first

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
