import { isDeepStrictEqual } from 'node:util'
import { OUTPUT } from '../../evidence/output.ts'
import { type Members } from '../../evidence/json.ts'
import type { CheckReport, Report, RequirementReport } from '../../report/schema.ts'

/** Compares report.json with the report that follows from the stored records. */

export interface Difference {
  readonly requirement?: string
  readonly sentence: string
  /** The exchange that shows what was found, in the one or the other. */
  readonly exchange?: string
}

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length <= 160 ? text : `${text.slice(0, 160)}…`
}

const sentenceOf = (what: string, reported: unknown, judged: unknown): string =>
  `${what} is ${shown(reported)} in ${OUTPUT.report}, and ${shown(judged)} judged from the records`

/** A fault of the suite has a stack, with the paths of the machine that it ran on. */
const firstLine = ({ verdict, because }: CheckReport): string | undefined =>
  verdict === 'harness-error' ? because?.split('\n', 1)[0] : because

/** The members that depend on the machine, or are copied. */
const comparableCheck = (check: CheckReport): Members => ({
  ...check,
  durationMs: 0,
  because: firstLine(check),
})

const membersOf = (one: Members, other: Members): readonly string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
]

/** The first members are named first: they explain the others. */
const FIRST: readonly string[] = ['verdict', 'violation', 'exchanges', 'judged']

const firstDifference = (one: Members, other: Members): string | undefined => {
  const members = membersOf(one, other)
  return [...FIRST.filter((name) => members.includes(name)), ...members].find(
    (name) => !isDeepStrictEqual(one[name], other[name]),
  )
}

const exchangeOf = (checks: readonly (CheckReport | undefined)[]): Pick<Difference, 'exchange'> => {
  const exchange =
    checks.find((check) => check?.violation !== undefined)?.violation?.exchange ??
    checks.flatMap((check) => check?.exchanges ?? [])[0]
  return exchange === undefined ? {} : { exchange }
}

const compareChecks = (before: RequirementReport, after: RequirementReport): Difference | undefined => {
  const { id: requirement } = before
  if (before.checks.length !== after.checks.length) {
    const sentence = `${OUTPUT.report} has ${before.checks.length} checks of it, and ${after.checks.length} had to be judged`
    return { requirement, sentence }
  }
  for (const [at, check] of before.checks.entries()) {
    const other = after.checks[at]
    if (other === undefined) continue
    const [one, two] = [comparableCheck(check), comparableCheck(other)]
    const name = firstDifference(one, two)
    if (name === undefined) continue
    const sentence = sentenceOf(`check ${at + 1} ("${check.title}"): ${name}`, one[name], two[name])
    return { requirement, sentence, ...exchangeOf([check, other]) }
  }
  return undefined
}

const compareRequirement = (
  before: RequirementReport | undefined,
  after: RequirementReport,
): Difference | undefined => {
  const { id: requirement } = after
  if (before === undefined) return { requirement, sentence: `${OUTPUT.report} lacks it` }
  const inChecks = compareChecks(before, after)
  if (inChecks !== undefined) return inChecks
  const name = firstDifference({ ...before, checks: [] }, { ...after, checks: [] })
  return name === undefined
    ? undefined
    : {
        requirement,
        sentence: sentenceOf(name, (before as Members)[name], (after as Members)[name]),
        ...exchangeOf([...before.checks, ...after.checks]),
      }
}

/** What is compared in another way, or cannot be derived: what was created is known from the answers to its deletion. */
const SKIPPED: ReadonlySet<string> = new Set(['requirements', 'created'])

/** All differences, the requirements first. */
export const compareReports = (reported: Report, judged: Report): readonly Difference[] => {
  const before = new Map(reported.requirements.map((row) => [row.id, row]))
  const known = new Set(judged.requirements.map(({ id }) => id))
  const json: Members = JSON.parse(JSON.stringify(judged)) as Members
  const rest = membersOf(reported, json).filter(
    (name) => !SKIPPED.has(name) && !isDeepStrictEqual((reported as Members)[name], json[name]),
  )
  return [
    ...judged.requirements.flatMap((row) => compareRequirement(before.get(row.id), row) ?? []),
    ...reported.requirements
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => ({ requirement: id, sentence: 'the catalogue has no such requirement' })),
    ...rest.map((name) => ({ sentence: sentenceOf(name, (reported as Members)[name], json[name]) })),
  ]
}
