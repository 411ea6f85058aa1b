import { VERDICTS } from '../check/verdict.ts'
import type { Verdict } from '../check/verdict.ts'
import type { Report, RequirementReport } from '../report/schema.ts'

/** What changed between two runs, requirement by requirement. */

/**
 * `regressed`: a worse word than before, or judged before and judged no more. `improved`: the other way round.
 * `came`, `went`: in the catalogue of one of the two alone.
 */
export type Course = 'regressed' | 'improved' | 'came' | 'went'

export interface Change {
  readonly id: string
  readonly level: RequirementReport['level']
  readonly claim: string
  readonly course: Course
  readonly before?: Verdict
  readonly after?: Verdict
  /** Why it is judged no more, or what is broken now. */
  readonly because?: string
}

export interface Comparison {
  readonly changes: readonly Change[]
  /** Why the two are not quite alike: another target, other claims, another profile. */
  readonly caveats: readonly string[]
}

/** Whether a word tells what the target does. */
const isJudged = (verdict: Verdict): boolean => verdict === 'pass' || verdict === 'warn' || verdict === 'fail'

/** The lower, the better: the list of verdicts is worst first. What was not judged is as bad as it was. */
const badness = (verdict: Verdict): number => VERDICTS.length - VERDICTS.indexOf(verdict)

const courseOf = (before: Verdict, after: Verdict): Course | undefined => {
  if (before === after) return undefined
  if (isJudged(before) !== isJudged(after)) return lostOrFound(before, after)
  return badness(after) > badness(before) ? 'regressed' : 'improved'
}

/** A failure that is not seen any more is not mended; one that is seen for the first time is no less a failure. */
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

/** How much of its plan a report is about. */
const extentOf = ({ shard, merged }: Report): string => {
  if (shard !== undefined) return `shard ${shard.index} of ${shard.count}`
  if (merged === undefined || merged.missing.length === 0) return 'the whole'
  return `the whole but for shard ${merged.missing.join(', ')} of ${merged.count}`
}

const caveatsOf = (before: Report, after: Report): readonly string[] => {
  const pairs: readonly (readonly [string, string, string])[] = [
    ['target', before.target.baseUrl, after.target.baseUrl],
    ['environment', before.target.environment, after.target.environment],
    ['clock', before.target.clock, after.target.clock],
    ['profile', before.target.profileDigest.slice(0, 12), after.target.profileDigest.slice(0, 12)],
    ['catalogue', before.suite.catalogueDigest.slice(0, 12), after.suite.catalogueDigest.slice(0, 12)],
    ['seed', String(before.run.seed), String(after.run.seed)],
    ['part of the plan', extentOf(before), extentOf(after)],
  ]
  return pairs.flatMap(([what, one, other]) =>
    one === other ? [] : [`another ${what}: ${one}, now ${other}`],
  )
}

/** @param before the report of the earlier run, which the later one is held against. */
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

/** A requirement that came and is broken has no past to be worse than; one that went is no matter of the target. */
export const hasRegressed = ({ changes }: Comparison): boolean =>
  changes.some(({ course }) => course === 'regressed')
