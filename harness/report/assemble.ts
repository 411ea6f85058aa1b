import { VERDICTS } from '../check/verdict.ts'
import { reportBindings } from './bindings.ts'
import { checkVerdict, requirementVerdict, strays } from './conclude.ts'
import { tallyVisits } from './drawing/tally.ts'
import { drawingOf, drawingOfTimeLine } from './drawing/write.ts'
import { byExchange, byPlan } from './in-order.ts'
import type { Chapter, Level, Requirement, Undisclosed } from '../check/requirement.ts'
import type { CheckResult, KeptTimeLine, Observation, Visits } from '../check/result.ts'
import type { Verdict } from '../check/verdict.ts'
import type { Created } from './created.ts'
import type { Judgement } from './conclude.ts'
import type { WaiverReport } from './waivers.ts'
import type { Plan, PlannedCheck } from '../plan/plan.ts'
import type { CheckReport, Conclusion, Report, RequirementReport } from './schema.ts'

/** Puts together the one truth of a run: every row of the catalogue, with what the checks on it found. */

export type CatalogueRow = Requirement & { readonly chapter: Chapter }
export type UndisclosedRow = Undisclosed & { readonly chapter: Chapter }

export interface RunRecord {
  readonly suite: Report['suite']
  readonly run: Report['run']
  readonly target: Report['target']
  readonly plan: Plan
  readonly catalogue: readonly CatalogueRow[]
  readonly undisclosed: readonly UndisclosedRow[]
  readonly results: readonly CheckResult[]
  readonly observations: readonly Observation[]
  readonly visits?: readonly Visits[]
  readonly timeLines?: readonly KeptTimeLine[]
  /** Every payment that was created. */
  readonly payments?: NonNullable<Report['payments']>
  /** Every loan application that was created. */
  readonly applications?: NonNullable<Report['applications']>
  /** All that was created, and what became of it. */
  readonly created?: readonly Created[]
  /** Calls of the sink that nobody was meant by. */
  readonly strays?: NonNullable<Report['strays']>
  /** Every declared exception. */
  readonly waivers?: readonly WaiverReport[]
  /** What it is put together of. */
  readonly merged?: Report['merged']
  readonly conclusion: Conclusion
  readonly exitCode: number
  readonly evidence: Report['evidence']
  /** The command with the options that name the target; `--only` and `--seed` are added to it. */
  readonly reproduceBase?: string
}

/** The command that judges one requirement again, with the same random choices. */
export const reproduceCommand = (requirement: string, seed: number, base = 'npm test --'): string =>
  `${base} --only ${requirement} --seed ${seed}`

const SHOWS_VIOLATION: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'waived'])

/** The line of one planned check, from whatever was reported under its id. */
export const reportCheck = (
  check: PlannedCheck,
  results: readonly CheckResult[],
  { level, reproduce }: { readonly level: Level; readonly reproduce: string },
): CheckReport => {
  const judgement = checkVerdict(check, results, level)
  const own = check.heldBack === undefined ? results.filter(({ id }) => id === check.id) : []
  const violation = SHOWS_VIOLATION.has(judgement.verdict)
    ? own.find((result) => result.violation !== undefined)?.violation
    : undefined
  const until = own.find((result) => result.until !== undefined)?.until
  const bindings = [...new Set(own.flatMap(({ misfits = [] }) => misfits.map(({ key }) => key)))]
  return {
    title: check.application === undefined ? check.title : `${check.title}, as ${check.application}`,
    file: check.file,
    ...judgement,
    ...(until !== undefined && { until }),
    durationMs: own.reduce((sum, { durationMs }) => sum + durationMs, 0),
    ...(violation !== undefined && { violation }),
    ...(bindings.length > 0 && { bindings }),
    exchanges: [...new Set(own.flatMap(({ exchanges }) => exchanges))],
    reproduce,
  }
}

const STRAY = 'a result that no planned check asked for'

const reportStray = ({ title, durationMs, exchanges }: CheckResult, reproduce: string): CheckReport => ({
  title,
  file: 'unknown',
  verdict: 'harness-error',
  because: STRAY,
  durationMs,
  exchanges: [...exchanges],
  reproduce,
})

const reportRequirement = (row: CatalogueRow, record: RunRecord): RequirementReport => {
  const { plan, run, reproduceBase } = record
  const { id, level, chapter, claim, quote, place, source } = row
  const checks = plan.checks.filter(({ requirement }) => requirement === id)
  const results = record.results.filter(({ requirement }) => requirement === id)
  const extra = strays({ checks }, results)
  const leftOut = plan.leftOut.find(({ requirement }) => requirement === id)?.because
  const { verdict, because } = blameStrays(requirementVerdict(checks, results, { level, leftOut }), extra)
  const reproduce = reproduceCommand(id, run.seed, reproduceBase)
  const elsewhere = plan.shard?.elsewhere[id]
  return {
    id,
    level,
    chapter,
    claim,
    quote,
    place,
    source,
    verdict,
    ...(because !== undefined && { because }),
    checks: [
      ...checks.map((check) => reportCheck(check, results, { level, reproduce })),
      ...extra.map((result) => reportStray(result, reproduce)),
    ],
    ...(elsewhere !== undefined && { elsewhere: [...elsewhere] }),
  }
}

const blameStrays = (judgement: Judgement, extra: readonly CheckResult[]): Judgement =>
  extra.length === 0 || judgement.verdict === 'fail'
    ? judgement
    : { verdict: 'harness-error', because: STRAY }

const count = (requirements: readonly RequirementReport[]): Report['counts'] => {
  const of = (word: Verdict): number => requirements.filter(({ verdict }) => verdict === word).length
  return Object.fromEntries(VERDICTS.map((word) => [word, of(word)])) as Report['counts']
}

const reportUndisclosed = (
  { id, chapter, quote, place }: UndisclosedRow,
  observations: readonly Observation[],
): Report['undisclosed'][number] => {
  const observed = observations.filter(({ undisclosed }) => undisclosed === id).map(({ value }) => value)
  return { id, chapter, quote, place, observed: [...new Set(observed)].sort() }
}

const reportModels = (visits: readonly Visits[]): NonNullable<Report['models']> =>
  tallyVisits(visits)
    .map((tally) => ({
      name: tally.name,
      drawing: drawingOf(tally.name),
      states: tally.states.map(({ id, visits }) => ({ id, visits })),
      moves: tally.moves.map(({ from, to, by, ground, visits }) => ({ from, to, by, ground, visits })),
    }))
    .sort((one, other) => one.name.localeCompare(other.name))

const reportTimeLines = (lines: readonly KeptTimeLine[]): NonNullable<Report['timelines']> =>
  byExchange(lines, ({ scenario }) => scenario).map(({ scenario, path, expected, observed, looks }) => ({
    scenario,
    path,
    drawing: drawingOfTimeLine(path),
    expected: [...expected],
    observed: [...observed],
    looks: [...looks],
  }))

/** What waits, the earliest first. */
const reportWaiting = ({ plan, results }: RunRecord): NonNullable<Report['waiting']> => {
  const planned = new Map(plan.checks.map((check) => [check.id, check]))
  const waiting = new Map<string, { requirements: Set<string>; until: string }>()
  for (const { id, requirement, until } of results) {
    const scenario = planned.get(id)?.scenario
    if (until === undefined || scenario === undefined) continue
    const known = waiting.get(scenario) ?? { requirements: new Set(), until }
    known.requirements.add(requirement)
    waiting.set(scenario, known)
  }
  return [...waiting]
    .map(([scenario, { requirements, until }]) => ({
      scenario,
      requirements: [...requirements].sort(),
      until,
    }))
    .sort((one, other) => one.until.localeCompare(other.until) || one.scenario.localeCompare(other.scenario))
}

const reportShard = ({ shard }: Plan): Pick<Report, 'shard'> => {
  if (shard === undefined) return {}
  const { index, count, plan, scenarios, of } = shard
  return { shard: { index, count, plan, scenarios, of } }
}

const KINDS: readonly Created['kind'][] = ['payment', 'application', 'consent', 'webhook settings']

/** What the target now knows of; what nothing was of is left out. */
const reportRecords = ({
  payments = [],
  applications = [],
  created = [],
  strays = [],
}: RunRecord): Pick<Report, 'payments' | 'applications' | 'created' | 'strays'> => ({
  ...(payments.length > 0 && { payments: byExchange(payments, ({ initiation }) => initiation) }),
  ...(applications.length > 0 && { applications: byExchange(applications, ({ submission }) => submission) }),
  ...(created.length > 0 && {
    created: byExchange(created, ({ exchange }) => exchange).sort(
      (one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
    ),
  }),
  // Nobody has asked for them: in the order in which they came.
  ...(strays.length > 0 && { strays }),
})

/** What it lists has the same order in the same run, whatever was done first. */
export const assembleReport = (given: RunRecord): Report => {
  const record: RunRecord = { ...given, results: byPlan(given.results, given.plan) }
  const requirements = record.catalogue.map((row) => reportRequirement(row, record))
  const models = reportModels(record.visits ?? [])
  const waiting = reportWaiting(record)
  const timelines = reportTimeLines(record.timeLines ?? [])
  const bindings = reportBindings(record.results)
  return {
    schema: 1,
    suite: record.suite,
    run: record.run,
    target: record.target,
    ...reportShard(record.plan),
    ...(record.merged !== undefined && { merged: record.merged }),
    conclusion: record.conclusion,
    exitCode: record.exitCode,
    evidence: record.evidence,
    counts: count(requirements),
    requirements,
    ...(waiting.length > 0 && { waiting }),
    ...(bindings.length > 0 && { bindings }),
    ...reportRecords(record),
    ...(record.waivers !== undefined && record.waivers.length > 0 && { waivers: [...record.waivers] }),
    ...(models.length > 0 && { models }),
    ...(timelines.length > 0 && { timelines }),
    undisclosed: record.undisclosed.map((row) => reportUndisclosed(row, record.observations)),
  }
}
