import { prefixOf } from '../evidence/command-names.ts'
import type { Verdict, Violation } from '../check/verdict.ts'
import { clockOffsetOf, type ClockOffset } from '../evidence/clock-offset.ts'
import { checkVerdict, facetVerdicts, onlyKindOf, requirementVerdict, strays } from './conclude.ts'
import { reportScope, reportTestable } from './coverage.ts'
import { drawingOf, tallyVisits } from './drawing/model.ts'
import { drawingOfTimeLine } from './drawing/time-line.ts'
import { exchangesOf } from './evidence-file.ts'
import { SCHEMA, type CheckReport, type Report, type RequirementReport } from './schema.ts'
import { byExchange, byPlan } from './order.ts'
import { groupBy } from '../plan/lists.ts'
import { countVerdicts } from './rows.ts'
import { reportBindings, reportStatements } from './bindings.ts'
import type { Chapter, Level, Requirement, NotShown } from '../check/requirement.ts'
import type { WaiverReport } from './waivers.ts'
import type { CheckResult, KeptTimeLine, KeptVisits, Observation } from '../check/result.ts'
import type { Plan, PlannedCheck } from '../plan/plan.ts'
import type { Created } from './created.ts'

/** Assembles report.json: every requirement of the catalogue with the results of its checks. */

export type CatalogueRow = Requirement & { readonly chapter: Chapter }
export type NotShownRow = NotShown & { readonly chapter: Chapter }

type Copied = 'suite' | 'run' | 'target' | 'conclusion' | 'gate' | 'exitCode' | 'evidence'
type Recorded = 'payments' | 'applications' | 'strays' | 'contexts'

export interface RunRecord extends Pick<Report, Copied | Recorded> {
  readonly plan: Plan
  readonly catalogue: readonly CatalogueRow[]
  readonly notShown: readonly NotShownRow[]
  readonly results: readonly CheckResult[]
  readonly observations: readonly Observation[]
  readonly visits?: readonly KeptVisits[]
  readonly timeLines?: readonly KeptTimeLine[]
  readonly created?: readonly Created[]
  readonly waivers?: readonly WaiverReport[]
  /** The command with the options that name the target; `--only` and `--seed` are added to it. */
  readonly reproduceBase?: string
}

/** The command that repeats the checks of one requirement with the same seed. */
export const reproduceCommand = (requirement: string, seed: number, base = prefixOf('run')): string =>
  `${base} --only ${requirement} --seed ${seed}`

const SHOWS_VIOLATION: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'waived'])

/** What has to be selected so that a finding is seen again: another scenario may have shown it, of the chapter that its id begins with. */
const selectorOf = ({ requirement, judgesRun, scenario }: PlannedCheck, violation?: Violation): string =>
  judgesRun !== true || violation === undefined || violation.exchange.startsWith(`${scenario}/`)
    ? requirement
    : `${requirement} ${violation.exchange.split('/', 1)[0] ?? ''}`

/**
 * The report on one planned check, from the results with its id.
 * @param reproduce the command that judges this selection again.
 */
export const reportCheck = (
  check: PlannedCheck,
  results: readonly CheckResult[],
  { level, reproduce }: { readonly level: Level; readonly reproduce: (selector: string) => string },
): CheckReport => {
  const judgement = checkVerdict(check, results, level)
  const own = check.heldBack === undefined ? results.filter(({ id }) => id === check.id) : []
  const [seen] = own.flatMap((result) => result.violation ?? [])
  const violation = SHOWS_VIOLATION.has(judgement.verdict) ? seen : undefined
  const [decidedBy] = own.flatMap((result) => result.decidedBy ?? [])
  const [until] = own.flatMap((result) => result.until ?? [])
  const bindings = [...new Set(own.flatMap(({ mismatches = [] }) => mismatches.map(({ key }) => key)))]
  return {
    title: check.application === undefined ? check.title : `${check.title}, as ${check.application}`,
    file: check.file,
    ...judgement,
    until,
    durationMs: own.reduce((sum, { durationMs }) => sum + durationMs, 0),
    violation,
    decidedBy,
    ...nonEmpty({ bindings }),
    judged: own.reduce((sum, { judged = 0 }) => sum + judged, 0),
    exchanges: [...new Set(own.flatMap(({ exchanges }) => exchanges))],
    reproduce: reproduce(selectorOf(check, violation)),
  }
}

const UNPLANNED = { verdict: 'harness-error', because: 'a result without a planned check' } as const

const reportStray = ({ title, durationMs, exchanges }: CheckResult, reproduce: string): CheckReport => ({
  title,
  file: 'unknown',
  ...UNPLANNED,
  durationMs,
  judged: 0,
  exchanges: [...exchanges],
  reproduce,
})

const reportRequirement = (row: CatalogueRow, record: RunRecord): RequirementReport => {
  const { plan, run, reproduceBase } = record
  const { id, level, chapter, claim, quote, place, source } = row
  const checks = plan.checks.filter(({ requirement }) => requirement === id)
  const results = record.results.filter(({ requirement }) => requirement === id)
  const extra = strays({ checks }, results)
  const leftOut = plan.leftOut.find(({ requirement }) => requirement === id)
  const judgement = requirementVerdict(checks, results, { level, leftOut })
  const reproduce = (selector: string): string => reproduceCommand(selector, run.seed, reproduceBase)
  const [judgedOnlyFor] = checks.flatMap(
    (check) => onlyKindOf(check, checkVerdict(check, results, level).verdict) ?? [],
  )
  return {
    id,
    level,
    chapter,
    claim,
    quote,
    place,
    source,
    ...(extra.length === 0 || judgement.verdict === 'fail' ? judgement : UNPLANNED),
    facets: facetVerdicts(checks, results, level),
    judgedOnlyFor,
    checks: [
      ...checks.map((check) => reportCheck(check, results, { level, reproduce })),
      ...extra.map((result) => reportStray(result, reproduce(id))),
    ],
  }
}

const reportNotShown = (
  { id, chapter, quote, place }: NotShownRow,
  observations: readonly Observation[],
): Report['notShown'][number] => {
  const observed = observations.filter(({ notShown }) => notShown === id).map(({ value }) => value)
  return { id, chapter, quote, place, observed: [...new Set(observed)].sort() }
}

const reportModels = (
  visits: readonly KeptVisits[],
  requirements: readonly RequirementReport[],
): NonNullable<Report['models']> =>
  tallyVisits(visits)
    .map(({ name, states, moves }) => {
      const own = visits.filter(({ model }) => model.name === name)
      const chapters = new Set(own.map(({ scenario }) => scenario.split('/', 1)[0]))
      const broken = requirements
        .filter(({ chapter, verdict }) => chapters.has(chapter) && SHOWS_VIOLATION.has(verdict))
        .map(({ id }) => id)
      return {
        name,
        drawing: drawingOf(name),
        ...nonEmpty({ broken }),
        states: states.map(({ id, visits: count }) => ({ id, visits: count })),
        moves: moves.map(({ from, to, by, ground, visits: count }) => ({
          from,
          to,
          by,
          ground,
          visits: count,
        })),
      }
    })
    .sort((one, other) => one.name.localeCompare(other.name))

const reportTimeLines = (lines: readonly KeptTimeLine[]): NonNullable<Report['timelines']> =>
  byExchange(lines, ({ scenario }) => scenario).map(({ scenario, path, expected, observed, polls }) => ({
    scenario,
    path,
    drawing: drawingOfTimeLine(path),
    expected: [...expected],
    observed: [...observed],
    polls: [...polls],
  }))

const reportWaiting = ({ plan, results }: RunRecord): NonNullable<Report['waiting']> => {
  const scenarios = new Map(plan.checks.map(({ id, scenario }) => [id, scenario]))
  const waiting = results.flatMap(({ id, requirement, until }) => {
    const scenario = scenarios.get(id)
    return until === undefined || scenario === undefined ? [] : [{ scenario, requirement, until }]
  })
  return [...groupBy(waiting, ({ scenario }) => scenario)]
    .map(([scenario, own]) => ({
      scenario,
      requirements: [...new Set(own.map(({ requirement }) => requirement))].sort(),
      until: own[0].until,
    }))
    .sort((one, other) => one.until.localeCompare(other.until) || one.scenario.localeCompare(other.scenario))
}

const KINDS: readonly Created['kind'][] = ['payment', 'application', 'consent', 'webhook settings']

const reportRecords = ({
  payments = [],
  applications = [],
  created = [],
  contexts = [],
  strays = [],
}: RunRecord) => ({
  payments: byExchange(payments, ({ initiation }) => initiation),
  applications: byExchange(applications, ({ submission }) => submission),
  created: byExchange(created, ({ exchange }) => exchange).sort(
    (one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
  ),
  contexts,
  // In the order of arrival, since they do not belong to a scenario.
  strays,
})

/** Empty lists are left out of a report. */
const nonEmpty = <Lists extends Readonly<Record<string, readonly unknown[]>>>(lists: Lists): Partial<Lists> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>

/** Lists have the same order in each repetition of a run, independent of the order in which scenarios end. */
export const assembleReport = (given: RunRecord): Report => {
  const record: RunRecord = { ...given, results: byPlan(given.results, given.plan) }
  const requirements = record.catalogue.map((row) => reportRequirement(row, record))
  return {
    schema: SCHEMA,
    suite: record.suite,
    run: record.run,
    target: record.target,
    scope: reportScope(requirements, record.plan),
    conclusion: record.conclusion,
    gate: record.gate,
    exitCode: record.exitCode,
    evidence: record.evidence,
    counts: {
      requirements: countVerdicts(requirements),
      checks: countVerdicts(requirements.flatMap(({ checks }) => checks)),
    },
    ...nonEmpty({ testable: reportTestable(record.plan) }),
    requirements,
    ...nonEmpty({
      waiting: reportWaiting(record),
      bindings: reportBindings(record.results),
      statements: reportStatements(record.results, record.catalogue),
      ...reportRecords(record),
      waivers: [...(record.waivers ?? [])],
      models: reportModels(record.visits ?? [], requirements),
      timelines: reportTimeLines(record.timeLines ?? []),
    }),
    notShown: record.notShown.map((row) => reportNotShown(row, record.observations)),
  }
}

export const clockOffsetIn = (evidence: string): ClockOffset | undefined =>
  clockOffsetOf(exchangesOf(evidence))
